import { toTimestamp } from '@nodewright/apis';
import { hasDefinitionCondition, type StoredDefinition } from '../../resources/custom-resource.ts';
import type { Resource } from '../../resources/resource.ts';
import { cleanupFinalizer } from '../../resources/definition-lifecycle.ts';
import { definitionsCollection } from '../../resources/registry.ts';
import { answersDeletionWithObject, orphansDependents } from '../../resources/strategy.ts';
import { type ApiObject, storedKeyOf, changeMetadata } from '../../storage/api-object.ts';
import { admitDeletion } from '../admission.ts';
import type { RequestOutcome } from '../outcome.ts';
import { conflictError, notFoundError } from '../../http/status-error.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { type DeletionOptions, readDeletionOptions } from './delete-options.ts';
import { markForDeletion } from './deletion.ts';
import { graceSecondsOf } from './grace.ts';
import { serveList } from './list.ts';

export function serveDelete(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readDeletionOptions(call);
  warnOfLeftPods(call, options);
  return deleteObject(world, call, options);
}

/** Without a policy, the pods of a deleted job stay. */
function warnOfLeftPods({ resource, warnings }: ResourceCall, { propagation }: DeletionOptions): void {
  if (resource.collection !== 'jobs.batch' || propagation !== undefined) return;
  warnings.push(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
}

/** Deletes the object of the path, if admission lets it. */
export const deleteObject = (world: ServerContext, call: ObjectCall, options: DeletionOptions): RequestOutcome =>
  deleteAdmitted(world, call, options, (stored) => admitDeletion(world, call, stored, options));

/**
 * Deletes the object of the path: at once, after its grace period, or when its last finalizer goes.
 * @param admit asks admission; an eviction was admitted before
 */
export function deleteAdmitted(
  world: ServerContext,
  { resource, path }: ObjectCall,
  options: DeletionOptions,
  admit: (stored: ApiObject) => void = () => undefined,
): RequestOutcome {
  const stored = world.store.collection(resource.collection).get(path);
  if (stored === undefined) throw notFoundError(resource, path.name);
  refuseFailedPreconditions(resource, stored, options);
  admit(stored);
  const after = deleteStored(world, resource, stored, options);
  if (after.isGone && !answersDeletionWithObject(resource)) return deletionSuccess(resource, stored);
  return { kind: 'object', code: 200, object: resource.fromStored(after.object), resource };
}

/** Deletes the selected objects and answers with their list. */
export function serveDeleteCollection(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readDeletionOptions(call);
  warnOfLeftPods(call, options);
  const selected = serveList(world, call);
  if (selected.kind !== 'list') return selected;
  const { collection } = call.resource;
  const found = selected.objects.flatMap((object) => world.store.collection(collection).get(storedKeyOf(object)) ?? []);
  for (const stored of found) refuseFailedPreconditions(call.resource, stored, options);
  for (const stored of found) admitDeletion(world, call, stored, options);
  for (const stored of found) deleteStored(world, call.resource, stored, options);
  return selected;
}

function refuseFailedPreconditions(
  { group, kind }: Resource,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeletionOptions,
): void {
  const refused = (because: string): Error => conflictError({ group, plural: kind }, metadata.name, because);
  if (uid !== undefined && uid !== metadata.uid) {
    throw refused(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw refused(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

type Deleted = { readonly object: ApiObject; readonly isGone: boolean };

function deleteStored(world: ServerContext, resource: Resource, stored: ApiObject, options: DeletionOptions): Deleted {
  const seconds = graceSecondsOf(resource, stored, options.gracePeriodSeconds);
  const finalizers = finalizersAfter(resource, stored, options);
  const isHeld = finalizers.length > 0 || resource.collection === 'namespaces';
  if (!isHeld && seconds === 0) return removeStored(world, resource, stored, options);
  if (isAlreadyDue(stored, finalizers, seconds)) return { object: stored, isGone: false };
  const marked = withTerminatingStatus(markForDeletion(world, stored, seconds), toTimestamp(world.clock.now()));
  const object = withDeletionFinalizers(marked, finalizers);
  if (options.dryRun) return { object, isGone: false };
  return { object: world.store.put(resource.collection, object), isGone: false };
}

function removeStored(
  world: ServerContext,
  resource: Resource,
  stored: ApiObject,
  { dryRun }: DeletionOptions,
): Deleted {
  const last = resource.collection === 'pods' ? markForDeletion(world, stored, 0) : stored;
  if (dryRun) return { object: last, isGone: true };
  return { object: world.store.remove(resource.collection, storedKeyOf(stored), last) ?? last, isGone: true };
}

/** A second delete may only shorten the grace period. */
function isAlreadyDue({ metadata }: ApiObject, finalizers: readonly string[], seconds: number): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  const same = (metadata.finalizers ?? []).join() === finalizers.join();
  return same && seconds >= (metadata.deletionGracePeriodSeconds ?? 0);
}

const dependentFinalizers = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const;

/** Finalizers tell the garbage collector how to treat the dependents. */
function finalizersAfter(resource: Resource, { metadata }: ApiObject, options: DeletionOptions): readonly string[] {
  const present = [...new Set([...(metadata.finalizers ?? []), ...ownFinalizers(resource)])];
  const policy = options.propagation ?? (orphansDependents(resource) ? 'Orphan' : undefined);
  // Events own nothing, so there are no dependents to wait for.
  if (policy === undefined || resource.collection === 'events') return present;
  const others = present.filter(
    (name) => name !== dependentFinalizers.Foreground && name !== dependentFinalizers.Orphan,
  );
  return policy === 'Background' ? others : [...others, dependentFinalizers[policy]];
}

function withDeletionFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  return finalizers.length === 0 ? object : changeMetadata(object, { finalizers });
}

/** The cleanup finalizer keeps a definition until its objects are gone. */
const ownFinalizers = ({ collection }: Resource): readonly string[] =>
  collection === definitionsCollection ? [cleanupFinalizer] : [];

/** Namespaces and definitions say in their status that they are being deleted. */
function withTerminatingStatus(object: ApiObject, now: string): ApiObject {
  switch (object.kind) {
    case 'Namespace':
      return { ...object, status: { ...(object['status'] as object), phase: 'Terminating' } };
    case 'CustomResourceDefinition':
      return withTerminatingCondition(object as StoredDefinition, now);
    default:
      return object;
  }
}

function withTerminatingCondition(definition: StoredDefinition, now: string): ApiObject {
  if (hasDefinitionCondition(definition, 'Terminating')) return definition;
  const { status } = definition;
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return { ...definition, status: { ...status, conditions: [...(status?.conditions ?? []), condition] } };
}

function deletionSuccess({ group, plural }: Resource, { metadata }: ApiObject): RequestOutcome {
  const details = { name: metadata.name, ...(group !== '' && { group }), kind: plural, uid: metadata.uid };
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return { kind: 'document', code: 200, body };
}
