import { toTimestamp } from '@nodewright/apis';
import { defaulted, judged } from '../../resources/rules.ts';
import { hasStatus, type Resource } from '../../resources/resource.ts';
import { settled } from '../../resources/settled.ts';
import { tracksGeneration } from '../../resources/strategy.ts';
import { type ApiObject, keyOf, type Metadata, withMetadata } from '../../storage/api-object.ts';
import { admitCreation } from '../admission.ts';
import { acceptedObject } from '../accepted-object.ts';
import type { Outcome } from '../outcome.ts';
import { type WriteOptions, writeOptions } from '../request-options.ts';
import { alreadyExists, beingDeleted, internalError, invalid } from '../../http/status-error.ts';
import type { Call, World } from '../world.ts';
import { isWrittenAsFloat } from '../../http/written-number.ts';
import { admittedOnCreate } from './admitted-on-create.ts';
import { preparedForCreate } from './kind-preparation.ts';
import { tracked, withoutField } from './object-writes.ts';

export function create(world: World, call: Call): Outcome {
  const options = writeOptions(call, 'CreateOptions');
  const received = acceptedObject(call, options);
  if ((received.metadata.resourceVersion ?? '') !== '') {
    throw internalError('resourceVersion should not be set on objects to be created');
  }
  const object = createObject(world, call, received, options);
  return { kind: 'object', code: 201, object, resource: call.resource };
}

/** The way of every new object, whether it came by a create, an update or an apply. */
export function createObject(
  world: World,
  call: Call,
  received: ApiObject,
  options: WriteOptions,
  owners?: Metadata['managedFields'],
): ApiObject {
  const { resource } = call;
  const named = withIdentity(world, resource, withNamespace(call, received));
  admitCreation(world, call, named);
  const complete = preparedForCreate(world, call, defaulted(resource, named));
  refuseInvalid(call, complete);
  const owned =
    owners === undefined
      ? tracked(world, resource, { after: complete, writer: { manager: options.manager } })
      : withMetadata(complete, { managedFields: owners });
  return stored(world, call, admittedOnCreate(world, resource, owned), options);
}

/** Throws a 422 with everything that is wrong with an object. */
export function refuseInvalid(call: Call, object: ApiObject, old?: ApiObject): void {
  const { resource, path, warnings } = call;
  const isFloat = (count: string): boolean => isWrittenAsFloat(call, count);
  const verdict = judged(resource, { object, old, subresource: path.subresource, isFloat });
  if (verdict.causes.length > 0) {
    throw invalid({ ...resource, kind: object.kind }, object.metadata.name, verdict.causes);
  }
  warnings.push(...verdict.warnings);
}

const withNamespace = ({ resource, path }: Call, object: ApiObject): ApiObject =>
  resource.namespaced ? withMetadata(object, { namespace: path.namespace }) : object;

/** What is left of `generateName`, so that the name fits where a DNS label is wanted. */
const longestPrefix = 58;
const suffixLength = 5;

function withIdentity(world: World, resource: Resource, object: ApiObject): ApiObject {
  const { name, generateName = '', namespace, labels, annotations, ownerReferences, finalizers } = object.metadata;
  const metadata: Metadata = {
    name: (name ?? '') === '' && generateName !== '' ? generatedName(world, generateName) : (name ?? ''),
    ...(generateName !== '' && { generateName }),
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    uid: world.uids.uuid(),
    ...(tracksGeneration(resource) && { generation: 1 }),
    creationTimestamp: toTimestamp(world.clock.now()),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
  const fresh = { ...object, metadata };
  return beginsWithStatus(resource) ? fresh : withoutField(fresh, 'status');
}

/** A kubelet registers its node with all that it knows; other kinds that report a status begin without one. */
const beginsWithStatus = (resource: Resource): boolean => resource.collection === 'nodes' || !hasStatus(resource);

const generatedName = ({ names }: World, prefix: string): string =>
  `${prefix.slice(0, longestPrefix)}${names.nameSuffix(suffixLength)}`;

function stored({ store }: World, { resource }: Call, object: ApiObject, { dryRun }: WriteOptions): ApiObject {
  const present = store.collection(resource.collection).get(keyOf(object));
  if (present !== undefined) {
    const refuse = present.metadata.deletionTimestamp === undefined ? alreadyExists : beingDeleted;
    throw refuse(resource, object.metadata.name);
  }
  if (dryRun) return object;
  return resource.fromStored(settled(resource, store.put(resource.collection, resource.toStored(object))));
}
