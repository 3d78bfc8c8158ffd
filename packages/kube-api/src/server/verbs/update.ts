import { fillDefaults } from '../../resources/rules.ts';
import { hasStatus, type Resource } from '../../resources/resource.ts';
import { partialChange } from '../../resources/settled.ts';
import {
  allowsCreateOnUpdate,
  changesSpecification,
  requiresVersion,
  countsChanges,
} from '../../resources/strategy.ts';
import { exactNumbersOf, haveSameNumbers, withExactNumbers } from '../../schema/exact-numbers.ts';
import { type ApiObject, type Metadata, changeMetadata } from '../../storage/api-object.ts';
import { decodeAccepted } from '../accepted-object.ts';
import { admitObject } from '../admission.ts';
import type { RequestOutcome } from '../outcome.ts';
import { type ObjectWriteOptions, readWriteOptions } from '../request-options.ts';
import {
  badRequestError,
  conflictError,
  internalError,
  invalidError,
  modifiedConflictError,
  notFoundError,
} from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { createObject, refuseInvalidObject } from './create.ts';
import { endsDeletion, removeDeleted } from './deletion.ts';
import { prepareForUpdate } from './kind-update.ts';
import { metadataChangeCauses } from './metadata-update.ts';
import { isUnchangedObject, putAndRead, trackOwners, withField } from './object-writes.ts';

export function serveUpdate(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readWriteOptions(call, 'UpdateOptions');
  const { object, isNew } = updateReceived(world, call, decodeAccepted(call, options), options);
  return { kind: 'object', code: isNew ? 201 : 200, object, resource: call.resource };
}

type Updated = { readonly object: ApiObject; readonly isNew: boolean };

/** Replaces the stored object by the object of an update. Some kinds are created when they are absent. */
export function updateReceived(
  world: ServerContext,
  call: ObjectCall,
  received: ApiObject,
  options: ObjectWriteOptions,
): Updated {
  refuseOtherName(call, received);
  const live = world.store.collection(call.resource.collection).get(call.path);
  if (live === undefined) return { object: createByUpdate(world, call, received, options), isNew: true };
  const before = call.resource.fromStored(live);
  refuseWithoutVersion(call, received);
  return { object: replaceObject(world, call, { before, after: received, options }), isNew: false };
}

function createByUpdate(
  world: ServerContext,
  call: ObjectCall,
  received: ApiObject,
  options: ObjectWriteOptions,
): ApiObject {
  if (!allowsCreateOnUpdate(call.resource)) throw notFoundError(call.resource, call.path.name);
  return createObject(world, call, changeMetadata(received, { resourceVersion: '' }), options);
}

function refuseOtherName({ path }: ObjectCall, { metadata }: ApiObject): void {
  if ((metadata.name ?? '') === '') {
    throw badRequestError(
      `the name of the object (${path.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== path.name) {
    throw badRequestError(
      `the name of the object (${metadata.name}) does not match the name on the URL (${path.name})`,
    );
  }
}

/** Throws when an object of a kind that needs one comes without the version that it replaces. */
export function refuseWithoutVersion({ resource, path }: ObjectCall, { metadata }: ApiObject): void {
  if ((metadata.resourceVersion ?? '') !== '' || !requiresVersion(resource)) return;
  throw invalidError({ group: resource.group, kind: resource.plural }, path.name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

export type ObjectReplacement = {
  /** The stored object, in the requested version. */
  readonly before: ApiObject;
  /** The object of the request. */
  readonly after: ApiObject;
  readonly options: ObjectWriteOptions;
  /** Whether the owners are already computed, as after an apply. */
  readonly ownersAreKnown?: boolean;
};

/**
 * Changes a stored object, for an update, a patch or an apply.
 *
 * Guarantees: a write that changes nothing answers with the stored object at its old version. A dry run stores
 * nothing. Removing the last finalizer of a deleted object removes the object, without storing the change.
 *
 * Assumptions: `before` is the stored object at this moment. Nothing runs between the read and the write.
 *
 * Errors: 409 for another UID or a stale version, 422 with all problems of the new object.
 */
export function replaceObject(
  world: ServerContext,
  call: ObjectCall,
  { before, after, options, ownersAreKnown }: ObjectReplacement,
): ApiObject {
  const { resource, path } = call;
  refuseConflict(call, before, after);
  const metadataCauses = ownsMetadata(call) ? metadataChangeCauses(before, after) : [];
  const { part, whole } = partialChange(resource, before, withSubresourceSplit(call, before, after));
  const merged = withServerMetadata(before, whole(fillDefaults(resource, part)));
  const writer = { manager: options.manager, ...(path.subresource !== '' && { subresource: path.subresource }) };
  const tracked =
    ownersAreKnown === true ? merged : trackOwners(world, resource, { before, after: merged, written: after, writer });
  const owned = prepareForUpdate(world, call, { before, after: tracked });
  const { dryRun } = options;
  const accepted = admitObject(world, call, { object: owned, old: before, dryRun }, (object) => {
    const counted = withGeneration(resource, before, object);
    refuseInvalidObject(call, counted, before, metadataCauses);
    return counted;
  });
  const admitted = withExactNumbers(accepted, resource.custom?.numbers, exactNumbersOf(before), call.numbers);
  const isUnchanged = isUnchangedObject(before, admitted) && haveSameNumbers(before, admitted);
  if (dryRun) return withSelfLink(isUnchanged ? before : admitted, after);
  if (isUnchanged) return before;
  if (endsDeletion(admitted)) return removeDeleted(world, resource, admitted);
  return putAndRead(world, resource, admitted);
}

/** A status update of a custom resource brings no metadata. */
const ownsMetadata = ({ resource, path }: ObjectCall): boolean =>
  resource.custom === undefined || path.subresource === '';

/** A link is dropped when an object is stored. */
function withSelfLink(object: ApiObject, { metadata: { selfLink } }: ApiObject): ApiObject {
  return typeof selfLink === 'string' && selfLink !== '' ? changeMetadata(object, { selfLink }) : object;
}

/** Throws when an object is written that has the same name and is another one. */
export function refuseOtherIdentity(
  { resource, path }: Pick<ObjectCall, 'resource' | 'path'>,
  before: ApiObject,
  after: ApiObject,
): void {
  const uid = after.metadata.uid ?? '';
  if (uid !== '' && uid !== before.metadata.uid) {
    const key = `/registry/${resource.plural}/${path.namespace === '' ? '' : `${path.namespace}/`}${path.name}`;
    const because = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
    throw conflictError(
      resource,
      path.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${because}`,
    );
  }
}

function refuseConflict({ resource, path }: ObjectCall, before: ApiObject, after: ApiObject): void {
  const resourceVersion = after.metadata.resourceVersion ?? '';
  if (path.subresource === '') refuseOtherIdentity({ resource, path }, before, after);
  refuseUnreadableVersion(resourceVersion);
  if (resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) {
    throw modifiedConflictError(resource, path.name);
  }
}

export function refuseUnreadableVersion(version: string): void {
  if (!/^\d*$/.test(version))
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
}

/** A write to the main resource keeps the stored status. A write to the status keeps everything else. */
function withSubresourceSplit({ resource, path }: ObjectCall, before: ApiObject, after: ApiObject): ApiObject {
  if (path.subresource === 'status') {
    const metadata = statusMetadata(resource, before.metadata, after.metadata);
    return withField({ ...before, metadata }, 'status', after['status']);
  }
  return hasStatus(resource) ? withField(after, 'status', before['status']) : after;
}

/**
 * A status update of a custom resource changes no metadata. One of a built-in kind does, except the labels of
 * deployments.
 */
function statusMetadata({ custom, collection }: Resource, before: Metadata, after: Metadata): Metadata {
  const { managedFields } = after;
  if (custom !== undefined) return { ...before, managedFields } as Metadata;
  return collection === 'deployments.apps' ? ({ ...after, labels: before.labels } as Metadata) : after;
}

/** Restores the metadata that clients cannot change. */
function withServerMetadata(before: ApiObject, after: ApiObject): ApiObject {
  const { metadata: kept } = before;
  const { generateName, labels, annotations, ownerReferences, finalizers, managedFields } = after.metadata;
  const metadata: Metadata = {
    name: kept.name,
    ...((generateName ?? '') !== '' && { generateName }),
    ...(kept.namespace !== undefined && { namespace: kept.namespace }),
    ...(kept.uid !== undefined && { uid: kept.uid }),
    ...(kept.resourceVersion !== undefined && { resourceVersion: kept.resourceVersion }),
    ...(kept.generation !== undefined && { generation: kept.generation }),
    ...(kept.creationTimestamp !== undefined && { creationTimestamp: kept.creationTimestamp }),
    ...(kept.deletionTimestamp !== undefined && { deletionTimestamp: kept.deletionTimestamp }),
    ...(kept.deletionGracePeriodSeconds !== undefined && {
      deletionGracePeriodSeconds: kept.deletionGracePeriodSeconds,
    }),
    ...(hasEntries(labels) && { labels }),
    ...(hasEntries(annotations) && { annotations }),
    ...(ownerReferences && ownerReferences.length > 0 && { ownerReferences }),
    ...(finalizers && finalizers.length > 0 && { finalizers }),
    ...(managedFields && { managedFields }),
  };
  return { ...after, metadata };
}

const hasEntries = (map: Readonly<Record<string, string>> | undefined): map is Readonly<Record<string, string>> =>
  map !== undefined && map !== null && Object.keys(map).length > 0;

function withGeneration(resource: Resource, before: ApiObject, after: ApiObject): ApiObject {
  if (!countsChanges(resource) || !changesSpecification(resource, before, after)) return after;
  return changeMetadata(after, { generation: (before.metadata.generation ?? 0) + 1 });
}
