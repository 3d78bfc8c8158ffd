import type { KubernetesObject, OwnerReference } from '@nodewright/apis';
import type { DeleteOptions } from '@nodewright/runtime';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { foreground, type Item, orphaning, type OwnerState } from './owners.ts';

export type OwnershipSnapshot =
  | {
      readonly kind: 'owned';
      readonly item: Item;
      readonly owners: readonly ReferenceReading[];
      readonly hasDependents: boolean;
    }
  /** Deleted with `Orphan` or `Foreground`: the finalizer holds the object until its dependents are dealt with. */
  | { readonly kind: 'orphaning' | 'foreground'; readonly item: Item; readonly dependents: readonly Item[] };

export type ReferenceReading = { readonly reference: OwnerReference; readonly state: OwnerState };

export type OwnershipAction =
  | { readonly kind: 'keepReferences'; readonly item: Item; readonly ownerReferences: readonly OwnerReference[] }
  | { readonly kind: 'keepFinalizers'; readonly item: Item; readonly finalizers: readonly string[] }
  | { readonly kind: 'delete'; readonly item: Item; readonly policy: PropagationPolicy }
  /** The item gets a turn of its own. */
  | { readonly kind: 'enqueue'; readonly item: Item };

type PropagationPolicy = NonNullable<DeleteOptions['propagationPolicy']>;

/** @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents */
export function plan(snapshot: OwnershipSnapshot): ControllerPlan<OwnershipAction> {
  switch (snapshot.kind) {
    case 'owned':
      return { actions: collectOrphan(snapshot) };
    case 'orphaning':
      return { actions: releaseDependents(snapshot.item, snapshot.dependents) };
    case 'foreground':
      return { actions: clearForeground(snapshot.item, snapshot.dependents) };
  }
}

/** An object goes with its last owner. While another owner stays, only the references to absent owners go. */
function collectOrphan({
  item,
  owners,
  hasDependents,
}: Extract<OwnershipSnapshot, { kind: 'owned' }>): readonly OwnershipAction[] {
  const ownerReferences = owners.filter(({ state }) => state === 'present').map(({ reference }) => reference);
  if (ownerReferences.length === owners.length) return [];
  if (ownerReferences.length > 0) return [{ kind: 'keepReferences', item, ownerReferences }];
  const isAwaited = owners.some(({ state }) => state === 'leaving');
  return [{ kind: 'delete', item, policy: policyFor(item, isAwaited && hasDependents ? 'Foreground' : 'Background') }];
}

/** The finalizers of an object that was deleted before say how. */
function policyFor({ object }: Item, usual: PropagationPolicy): PropagationPolicy {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(orphaning)) return 'Orphan';
  return finalizers.includes(foreground) ? 'Foreground' : usual;
}

function releaseDependents(item: Item, dependents: readonly Item[]): readonly OwnershipAction[] {
  const released = dependents.map((dependent): OwnershipAction => ({
    kind: 'keepReferences',
    item: dependent,
    ownerReferences: referencesOf(dependent).filter(({ uid }) => uid !== item.object.metadata.uid),
  }));
  return [...released, dropFinalizer(item, orphaning)];
}

/** The object waits for the dependents that block its deletion; they are deleted in turns of their own. */
function clearForeground(item: Item, dependents: readonly Item[]): readonly OwnershipAction[] {
  const { uid } = item.object.metadata;
  const blocking = dependents.filter((dependent) =>
    referencesOf(dependent).some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
  );
  if (blocking.length === 0) return [dropFinalizer(item, foreground)];
  return blocking.map((dependent) => ({ kind: 'enqueue', item: dependent }));
}

const dropFinalizer = (item: Item, finalizer: string): OwnershipAction => ({
  kind: 'keepFinalizers',
  item,
  finalizers: (item.object.metadata.finalizers ?? []).filter((name) => name !== finalizer),
});

const referencesOf = ({ object }: Item): readonly OwnerReference[] => object.metadata.ownerReferences ?? [];

/** Whether a change may orphan the object, or concerns a deletion that waits for dependents. */
export function concernsOwners(before: KubernetesObject | undefined, after: KubernetesObject): boolean {
  const isOwned = (after.metadata.ownerReferences ?? []).length > 0;
  const isDeleted = after.metadata.deletionTimestamp !== undefined;
  if (before === undefined) return isOwned || isDeleted;
  const hasNewOwners = isOwned && !isSameList(before.metadata.ownerReferences, after.metadata.ownerReferences);
  const hasNewFinalizers = isDeleted && !isSameList(before.metadata.finalizers, after.metadata.finalizers);
  return hasNewOwners || hasNewFinalizers || before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
}

const isSameList = (a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
