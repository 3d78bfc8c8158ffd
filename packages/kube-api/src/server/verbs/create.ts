import { toTimestamp } from '@nodewright/apis';
import { fillDefaults, validateObject } from '../../resources/rules.ts';
import { hasStatus, type Resource } from '../../resources/resource.ts';
import { tracksGeneration } from '../../resources/strategy.ts';
import { withExactNumbers } from '../../schema/exact-numbers.ts';
import { type ApiObject, storedKeyOf, type Metadata, changeMetadata } from '../../storage/api-object.ts';
import { admitObject } from '../admission.ts';
import { decodeAccepted } from '../accepted-object.ts';
import type { RequestOutcome } from '../outcome.ts';
import { type ObjectWriteOptions, readWriteOptions } from '../request-options.ts';
import {
  alreadyExistsError,
  beingDeletedError,
  internalError,
  invalidError,
  noUniqueNameError,
  type StatusCause,
} from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { adminAccessCauses } from './admin-access.ts';
import { completedOnCreate, generatedOnCreate } from './completed-on-create.ts';
import { prepareForCreate } from './kind-preparation.ts';
import { putAndRead, trackOwners, withoutField } from './object-writes.ts';

export function serveCreate(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readWriteOptions(call, 'CreateOptions');
  const object = createReceived(world, call, decodeAccepted(call, options), options);
  return { kind: 'object', code: 201, object, resource: call.resource };
}

/** Creates the object of a create. Only the server gives versions. */
export function createReceived(
  world: ServerContext,
  call: ObjectCall,
  received: ApiObject,
  options: ObjectWriteOptions,
): ApiObject {
  return createObject(world, call, received, {
    ...options,
    isVersioned: /^[0-9]*[1-9][0-9]*$/.test(received.metadata.resourceVersion ?? ''),
  });
}

/**
 * Creates an object, for a create, an update or an apply: identity, defaults, ownership, admission with validation,
 * storage.
 */
export function createObject(
  world: ServerContext,
  call: ObjectCall,
  received: ApiObject,
  options: ObjectWriteOptions & { readonly isVersioned?: boolean },
  owners?: Metadata['managedFields'],
): ApiObject {
  const { resource } = call;
  const named = withIdentity(world, resource, withNamespace(call, received));
  const complete = prepareForCreate(world, call, fillDefaults(resource, named));
  const owned =
    owners === undefined
      ? trackOwners(world, resource, { after: complete, written: named, writer: { manager: options.manager } })
      : changeMetadata(complete, { managedFields: owners });
  const admitted = admitObject(world, call, { object: owned, dryRun: options.dryRun }, (object) => {
    const generated = generatedOnCreate(resource, object);
    refuseInvalidObject(call, generated, undefined, adminAccessCauses(world, generated));
    return completedOnCreate(world, resource, generated);
  });
  if (options.isVersioned === true && !options.dryRun)
    throw internalError('resourceVersion should not be set on objects to be created');
  const exact = withExactNumbers(admitted, resource.custom?.numbers, call.numbers);
  const created = storeNew(world, call, exact, options);
  const resourceVersion = received.metadata.resourceVersion ?? '';
  return options.dryRun && resourceVersion !== '' ? changeMetadata(created, { resourceVersion }) : created;
}

/** Throws a 422 with all problems of an object. */
export function refuseInvalidObject(
  call: ObjectCall,
  object: ApiObject,
  old?: ApiObject,
  metadataCauses: readonly StatusCause[] = [],
): void {
  const { resource, path, warnings, isFloat } = call;
  const verdict = validateObject(resource, { object, old, subresource: path.subresource, isFloat });
  const causes = [...metadataCauses, ...verdict.causes];
  if (causes.length > 0)
    throw invalidError({ group: groupOfErrors(resource), kind: object.kind }, object.metadata.name, causes);
  for (const warning of verdict.warnings) warnings.push(warning);
}

/** Both groups of events are one kind, whose errors name the core group. */
const groupOfErrors = ({ group, collection }: Resource): string => (collection === 'events' ? '' : group);

/** An object that belongs to the cluster loses the namespace it came with. */
const withNamespace = ({ resource, path }: ObjectCall, object: ApiObject): ApiObject =>
  changeMetadata(object, { namespace: resource.namespaced ? path.namespace : '' });

/** The longest used part of `generateName`. A generated name always fits a DNS label. */
const longestPrefix = 58;
const suffixLength = 5;

function withIdentity(world: ServerContext, resource: Resource, object: ApiObject): ApiObject {
  const {
    name,
    generateName = '',
    generation,
    namespace,
    labels,
    annotations,
    ownerReferences,
    finalizers,
  } = object.metadata;
  const metadata: Metadata = {
    name: (name ?? '') === '' ? nameOfNew(world, resource, generateName) : name,
    ...(generateName !== '' && { generateName }),
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    uid: world.uids.uuid(),
    ...(tracksGeneration(resource) ? { generation: 1 } : (generation ?? 0) !== 0 && { generation }),
    creationTimestamp: toTimestamp(world.clock.now()),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
  const fresh = { ...object, metadata };
  return beginsWithStatus(resource) ? fresh : withoutField(fresh, 'status');
}

/** A kubelet registers its node with a status. Other kinds with a status subresource begin without one. */
const beginsWithStatus = (resource: Resource): boolean => resource.collection === 'nodes' || !hasStatus(resource);

/** A LimitRange without a name gets one. */
function nameOfNew(world: ServerContext, { collection }: Resource, prefix: string): string {
  // An address is never drawn.
  if (collection === 'ipaddresses.networking.k8s.io') return prefix;
  if (prefix !== '') return generatedName(world, prefix);
  return collection === 'limitranges' ? world.uids.uuid() : '';
}

const generatedName = ({ names }: ServerContext, prefix: string): string =>
  `${prefix.slice(0, longestPrefix)}${names.nameSuffix(suffixLength)}`;

function storeNew(
  { store }: ServerContext,
  { resource }: ObjectCall,
  object: ApiObject,
  { dryRun }: ObjectWriteOptions,
): ApiObject {
  const present = store.collection(resource.collection).get(storedKeyOf(object));
  if (present !== undefined) {
    const named = { group: groupOfErrors(resource), plural: resource.plural };
    if ((object.metadata.generateName ?? '') !== '') throw noUniqueNameError(named, object.metadata.name);
    const refuse = present.metadata.deletionTimestamp === undefined ? alreadyExistsError : beingDeletedError;
    throw refuse(resource, object.metadata.name);
  }
  if (dryRun) return object;
  return putAndRead({ store }, resource, object);
}
