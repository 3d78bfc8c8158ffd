import type { KubernetesObject, OwnerReference } from '@nodewright/apis';
import { type DeleteOptions, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { ClusterWatches } from '../../control-plane/watches.ts';
import { builtInKinds, customKinds } from '../kinds.ts';
import { foreground, type Item, ownerNameOf, orphaning, Owners, type OwnerState } from './owners.ts';

/**
 * Deletes what has lost its owners, and lets owners go that wait for that.
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents
 */
export function runGarbageCollector(control: ClusterControlPlane): ClusterWatches {
  const { client } = control.options;
  // Custom kinds may not be there, and nobody waits for them.
  const custom = new ClusterWatches(control.options);
  const owners = new Owners(client, [
    { watches: control.watches, types: builtInKinds },
    { watches: custom, types: customKinds },
  ]);

  const reconcile = async (name: string): Promise<Recheck> => {
    const item = owners.find(name);
    if (item === undefined) return undefined;
    const { deletionTimestamp, finalizers = [] } = item.object.metadata;
    if (deletionTimestamp === undefined) await checkOwners(item);
    else if (finalizers.includes(orphaning)) await orphan(item);
    else if (finalizers.includes(foreground)) await clearForeground(item);
    return undefined;
  };

  const checkOwners = async (item: Item): Promise<void> => {
    const states = await statesOf(item.object);
    if (states.length === 0) return;
    const staying = states.filter(({ state }) => state === 'present').map(({ reference }) => reference);
    if (staying.length === states.length) return;
    if (staying.length > 0) return keepReferences(item, staying);
    const isAwaited = states.some(({ state }) => state === 'leaving');
    await remove(item, isAwaited && owners.dependents(item).length > 0 ? 'Foreground' : 'Background');
  };

  const statesOf = async (
    object: KubernetesObject,
  ): Promise<readonly { reference: OwnerReference; state: OwnerState }[]> => {
    const found = [];
    for (const reference of object.metadata.ownerReferences ?? []) {
      found.push({ reference, state: await owners.stateOf(object, reference) });
    }
    return found;
  };

  const remove = async ({ type, object }: Item, usual: 'Foreground' | 'Background'): Promise<void> => {
    const { uid, finalizers = [] } = object.metadata;
    const own = finalizers.includes(orphaning) ? 'Orphan' : finalizers.includes(foreground) ? 'Foreground' : usual;
    const options: DeleteOptions = { propagationPolicy: own, ...(uid === undefined ? {} : { preconditions: { uid } }) };
    await unlessRefusedAs('Conflict', unlessGone(client.delete(type, keyOfMeta(object.metadata), options)));
  };

  const orphan = async (item: Item): Promise<void> => {
    for (const dependent of owners.dependents(item)) {
      const others = (dependent.object.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== item.object.metadata.uid,
      );
      await keepReferences(dependent, others);
    }
    await dropFinalizer(item, orphaning);
  };

  const clearForeground = async (item: Item): Promise<void> => {
    const { uid } = item.object.metadata;
    const blocking = owners
      .dependents(item)
      .filter(({ object }) =>
        (object.metadata.ownerReferences ?? []).some((found) => found.uid === uid && found.blockOwnerDeletion === true),
      );
    if (blocking.length === 0) return dropFinalizer(item, foreground);
    for (const { type, object } of blocking) keys.add(ownerNameOf(type, objectKeyText(object)));
  };

  const keepReferences = ({ type, object }: Item, ownerReferences: readonly OwnerReference[]): Promise<void> =>
    patchMetadata({ type, object }, { ownerReferences });

  const dropFinalizer = async (item: Item, finalizer: string): Promise<void> => {
    const finalizers = (item.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    await patchMetadata(item, { finalizers });
  };

  const patchMetadata = async ({ type, object }: Item, changes: object): Promise<void> => {
    const patch = { metadata: { resourceVersion: object.metadata.resourceVersion, ...changes } };
    await unlessGone(client.patch(type, keyOfMeta(object.metadata), { type: 'merge', patch }));
  };

  const keys = control.controller('garbage collector', reconcile);
  owners.onChange((type, before, after) => {
    if (after !== undefined && concernsOwners(before, after)) keys.add(ownerNameOf(type, objectKeyText(after)));
    if (after !== undefined || before === undefined) return;
    for (const dependent of owners.dependents({ type, object: before })) {
      keys.add(ownerNameOf(dependent.type, objectKeyText(dependent.object)));
    }
    for (const reference of before.metadata.ownerReferences ?? []) {
      const owner = owners.ownerName(before, reference);
      if (owner !== undefined) keys.add(owner);
    }
  });
  return custom;
}

/** A change that may make an object garbage, or an owner that waits. */
function concernsOwners(before: KubernetesObject | undefined, after: KubernetesObject): boolean {
  const isOwned = (after.metadata.ownerReferences ?? []).length > 0;
  if (before === undefined) return isOwned || after.metadata.deletionTimestamp !== undefined;
  const isSame = JSON.stringify(before.metadata.ownerReferences) === JSON.stringify(after.metadata.ownerReferences);
  const begins = before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
  const released = JSON.stringify(before.metadata.finalizers) !== JSON.stringify(after.metadata.finalizers);
  return (isOwned && !isSame) || begins || (released && after.metadata.deletionTimestamp !== undefined);
}
