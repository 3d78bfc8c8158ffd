import type { Resource } from '../../resources/resource.ts';
import { cleanupFinalizer } from '../../resources/definition-lifecycle.ts';
import { definitionsCollection } from '../../resources/registry.ts';
import { orphansDependents } from '../../resources/strategy.ts';
import { type ApiObject, keyOf, withMetadata } from '../../storage/api-object.ts';
import { admitDeletion } from '../admission.ts';
import type { Outcome } from '../outcome.ts';
import { conflict, notFound } from '../../http/status-error.ts';
import type { Call, World } from '../world.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { marked } from './deletion.ts';
import { graceSecondsOf } from './grace.ts';
import { list } from './list.ts';

export function deleteOne(world: World, call: Call): Outcome {
  const options = deleteOptions(call);
  return deleteObject(world, call, options);
}

/** Deletes what the path names: at once, after its grace period, or when its last finalizer goes. */
export function deleteObject(world: World, call: Call, options: DeleteOptions): Outcome {
  const { resource, path } = call;
  const stored = world.store.collection(resource.collection).get(path);
  if (stored === undefined) throw notFound(resource, path.name);
  admitDeletion(call);
  refuseStale(resource, stored, options);
  const after = deleted(world, resource, stored, options);
  if (after.isGone && !answersWithObject(resource)) return success(resource, stored);
  return { kind: 'object', code: 200, object: resource.fromStored(after.object), resource };
}

/** Deletes everything selected, and answers with the list of it. */
export function deleteCollection(world: World, call: Call): Outcome {
  const options = deleteOptions(call);
  const selected = list(world, call);
  if (selected.kind !== 'list') return selected;
  for (const object of selected.objects) {
    const stored = world.store.collection(call.resource.collection).get(keyOf(object));
    if (stored !== undefined) deleted(world, call.resource, stored, options);
  }
  return selected;
}

/** Pods answer with the pod even when it is gone. */
const answersWithObject = ({ collection }: Resource): boolean => collection === 'pods';

function refuseStale(
  { group, kind }: Resource,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const refused = (because: string): Error => conflict({ group, plural: kind }, metadata.name, because);
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

function deleted(world: World, resource: Resource, stored: ApiObject, options: DeleteOptions): Deleted {
  const seconds = graceSecondsOf(resource, stored, options.gracePeriodSeconds);
  const finalizers = finalizersAfter(resource, stored, options);
  const isHeld = finalizers.length > 0 || resource.collection === 'namespaces';
  if (!isHeld && seconds === 0) return removed(world, resource, stored, options);
  if (isAlreadyDue(stored, finalizers, seconds)) return { object: stored, isGone: false };
  const object = withFinalizers(terminating(marked(world, stored, seconds)), finalizers);
  if (options.dryRun) return { object, isGone: false };
  return { object: world.store.put(resource.collection, object), isGone: false };
}

function removed(world: World, resource: Resource, stored: ApiObject, { dryRun }: DeleteOptions): Deleted {
  const last = answersWithObject(resource) ? marked(world, stored, 0) : stored;
  if (dryRun) return { object: last, isGone: true };
  return { object: world.store.remove(resource.collection, keyOf(stored), last) ?? last, isGone: true };
}

/** A deletion that is under way is only ever brought forward. */
function isAlreadyDue({ metadata }: ApiObject, finalizers: readonly string[], seconds: number): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  const same = (metadata.finalizers ?? []).join() === finalizers.join();
  return same && seconds >= (metadata.deletionGracePeriodSeconds ?? 0);
}

const dependents = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const;

/** The garbage collector's finalizers say what it is to do with the dependents. */
function finalizersAfter(resource: Resource, { metadata }: ApiObject, options: DeleteOptions): readonly string[] {
  const present = [...new Set([...(metadata.finalizers ?? []), ...ownFinalizers(resource)])];
  const policy = options.propagation ?? (orphansDependents(resource) ? 'Orphan' : undefined);
  if (policy === undefined) return present;
  const others = present.filter((name) => name !== dependents.Foreground && name !== dependents.Orphan);
  return policy === 'Background' ? others : [...others, dependents[policy]];
}

function withFinalizers(object: ApiObject, finalizers: readonly string[]): ApiObject {
  return finalizers.length === 0 ? object : withMetadata(object, { finalizers });
}

/** A definition stays until its objects are gone. */
const ownFinalizers = ({ collection }: Resource): readonly string[] =>
  collection === definitionsCollection ? [cleanupFinalizer] : [];

const terminating = (object: ApiObject): ApiObject =>
  object.kind === 'Namespace'
    ? { ...object, status: { ...(object['status'] as object), phase: 'Terminating' } }
    : object;

function success({ group, plural }: Resource, { metadata }: ApiObject): Outcome {
  const details = { name: metadata.name, ...(group !== '' && { group }), kind: plural, uid: metadata.uid };
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return { kind: 'document', code: 200, body };
}
