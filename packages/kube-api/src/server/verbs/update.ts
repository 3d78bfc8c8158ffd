import { defaulted } from '../../resources/rules.ts';
import { hasStatus, type Resource } from '../../resources/resource.ts';
import { changeOf, settled } from '../../resources/settled.ts';
import {
  allowsCreateOnUpdate,
  changesSpecification,
  requiresVersion,
  tracksGeneration,
} from '../../resources/strategy.ts';
import { type ApiObject, type Metadata, withMetadata } from '../../storage/api-object.ts';
import { acceptedObject } from '../accepted-object.ts';
import type { Outcome } from '../outcome.ts';
import { type WriteOptions, writeOptions } from '../request-options.ts';
import { badRequest, conflict, invalid, modifiedConflict, notFound } from '../../http/status-error.ts';
import type { Call, World } from '../world.ts';
import { createObject, refuseInvalid } from './create.ts';
import { finishDeletion } from './deletion.ts';
import { preparedForUpdate } from './kind-update.ts';
import { refuseBadMetadata } from './metadata-update.ts';
import { isUnchanged, tracked, withField } from './object-writes.ts';

export function update(world: World, call: Call): Outcome {
  const options = writeOptions(call, 'UpdateOptions');
  const received = acceptedObject(call, options);
  refuseOtherName(call, received);
  const live = world.store.collection(call.resource.collection).get(call.path);
  if (live === undefined) return createdByUpdate(world, call, received, options);
  const before = call.resource.fromStored(live);
  refuseWithoutVersion(call, received);
  const object = replaceObject(world, call, { before, after: received, options });
  return { kind: 'object', code: 200, object, resource: call.resource };
}

function createdByUpdate(world: World, call: Call, received: ApiObject, options: WriteOptions): Outcome {
  if (!allowsCreateOnUpdate(call.resource)) throw notFound(call.resource, call.path.name);
  const object = createObject(world, call, withMetadata(received, { resourceVersion: '' }), options);
  return { kind: 'object', code: 201, object, resource: call.resource };
}

function refuseOtherName({ path }: Call, { metadata }: ApiObject): void {
  if ((metadata.name ?? '') === '') {
    throw badRequest(`the name of the object (${path.name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== path.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${path.name})`);
  }
}

function refuseWithoutVersion({ resource, path }: Call, { metadata }: ApiObject): void {
  if ((metadata.resourceVersion ?? '') !== '' || !requiresVersion(resource)) return;
  throw invalid({ group: resource.group, kind: resource.plural }, path.name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

export type Replacement = {
  /** As stored, in the requested version. */
  readonly before: ApiObject;
  /** As the client wants it. */
  readonly after: ApiObject;
  readonly options: WriteOptions;
  /** An apply has worked out the owners already. */
  readonly ownersAreKnown?: boolean;
};

/**
 * The way of every change of an object that exists. Answers with the object as it is afterwards, which is the
 * old one, at its old version, when nothing changes.
 */
export function replaceObject(
  world: World,
  call: Call,
  { before, after, options, ownersAreKnown }: Replacement,
): ApiObject {
  const { resource, path } = call;
  refuseConflict(call, before, after);
  refuseBadMetadata(resource, before, after);
  const { part, whole } = changeOf(resource, before, withSubresourceSplit(call, before, after));
  const merged = withServerMetadata(before, whole(defaulted(resource, part)));
  const complete = preparedForUpdate(world, call, { before, after: withGeneration(resource, before, merged) });
  refuseInvalid(call, complete, before);
  const writer = { manager: options.manager, ...(path.subresource !== '' && { subresource: path.subresource }) };
  const owned = ownersAreKnown === true ? complete : tracked(world, resource, { before, after: complete, writer });
  if (isUnchanged(before, owned)) return before;
  if (options.dryRun) return owned;
  const written = settled(resource, world.store.put(resource.collection, resource.toStored(owned)));
  return resource.fromStored(finishDeletion(world, resource, written));
}

function refuseConflict({ resource, path }: Call, before: ApiObject, after: ApiObject): void {
  const { uid = '', resourceVersion = '' } = after.metadata;
  if (uid !== '' && uid !== before.metadata.uid && path.subresource === '') {
    const key = `/registry/${resource.plural}/${path.namespace === '' ? '' : `${path.namespace}/`}${path.name}`;
    const because = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.metadata.uid}`;
    throw conflict(
      resource,
      path.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${because}`,
    );
  }
  if (resourceVersion !== '' && resourceVersion !== before.metadata.resourceVersion) {
    throw modifiedConflict(resource, path.name);
  }
}

/** The main resource leaves status alone; the status subresource leaves everything else alone. */
function withSubresourceSplit({ resource, path }: Call, before: ApiObject, after: ApiObject): ApiObject {
  if (path.subresource === 'status') {
    const metadata = statusMetadata(resource, before.metadata, after.metadata);
    return withField({ ...before, metadata }, 'status', after['status']);
  }
  return hasStatus(resource) ? withField(after, 'status', before['status']) : after;
}

/** A status update of a custom resource changes no metadata; of a built-in one it does, labels of deployments excepted. */
function statusMetadata({ custom, collection }: Resource, before: Metadata, after: Metadata): Metadata {
  const { managedFields } = after;
  if (custom !== undefined) return { ...before, managedFields } as Metadata;
  return collection === 'deployments.apps' ? ({ ...after, labels: before.labels } as Metadata) : after;
}

/** What a client cannot change, taken from the stored object. */
function withServerMetadata(before: ApiObject, after: ApiObject): ApiObject {
  const { metadata: kept } = before;
  const { labels, annotations, ownerReferences, finalizers, managedFields } = after.metadata;
  const metadata: Metadata = {
    name: kept.name,
    ...(kept.generateName !== undefined && { generateName: kept.generateName }),
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
  if (!tracksGeneration(resource) || !changesSpecification(resource, before, after)) return after;
  return withMetadata(after, { generation: (before.metadata.generation ?? 0) + 1 });
}
