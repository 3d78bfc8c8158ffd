import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { ClusterWatches } from '../../control-plane/watches.ts';
import { deleteSameObject } from '../../control-plane/writes.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { furtherOwnedKinds, workloadKinds } from '../kinds.ts';
import { followDefinitions } from './follow-definitions.ts';
import { foreground, type Item, ownerNameOf, orphaning, Owners } from './owners.ts';
import { concernsOwners, type OwnershipAction, type OwnershipSnapshot, type ReferenceReading, plan } from './plan.ts';

/**
 * Deletes objects whose owners are gone, and releases owners that wait for their dependents. Custom kinds are followed as long
 * as their definitions are in force.
 * @returns watches of kinds that no other controller reads. The control plane does not wait for them, and the caller stops
 * them.
 */
export function runGarbageCollector(control: ClusterControlPlane): ClusterWatches {
  const { client } = control.options;
  const own = new ClusterWatches(control.options);
  const owners = new Owners(client, (type, before, after) => {
    for (const name of namesToCheck(owners, type, before, after)) keys.add(name);
  });
  const keys: Keys = startPlannedController(control, {
    name: 'garbage collector',
    observe: (name) => observe(owners, name),
    plan,
    perform: (action) => perform(action, client, keys),
  });
  for (const type of workloadKinds) owners.follow(type, control.watches.of(type));
  followDefinitions(own, owners);
  for (const type of furtherOwnedKinds) owners.follow(type, own.of(type));
  return own;
}

async function observe(owners: Owners, name: string): Promise<OwnershipSnapshot | undefined> {
  const item = owners.find(name);
  if (item === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = item.object.metadata;
  if (deletionTimestamp === undefined) return observeOwners(owners, item);
  if (finalizers.includes(orphaning)) return { kind: 'orphaning', item, dependents: owners.dependents(item) };
  if (finalizers.includes(foreground)) return { kind: 'foreground', item, dependents: owners.dependents(item) };
  return undefined;
}

async function observeOwners(owners: Owners, item: Item): Promise<OwnershipSnapshot> {
  const found: ReferenceReading[] = [];
  for (const reference of item.object.metadata.ownerReferences ?? []) {
    found.push({ reference, state: await owners.stateOf(item.object, reference) });
  }
  const isAwaited = found.some(({ state }) => state === 'leaving');
  return { kind: 'owned', item, owners: found, hasDependents: isAwaited && owners.dependents(item).length > 0 };
}

async function perform(action: OwnershipAction, client: KubernetesClient, keys: Keys): Promise<void> {
  const { type, object } = action.item;
  switch (action.kind) {
    case 'keepReferences':
      return patchMetadata(client, action.item, { ownerReferences: action.ownerReferences });
    case 'keepFinalizers':
      return patchMetadata(client, action.item, { finalizers: action.finalizers });
    case 'delete':
      return deleteSameObject(client, type, object, { propagationPolicy: action.policy });
    case 'enqueue':
      keys.add(ownerNameOf(type, objectKeyText(object)));
  }
}

/** The lock refuses a decision on an outdated object. */
async function patchMetadata(client: KubernetesClient, { type, object }: Item, changes: object): Promise<void> {
  const patch = { metadata: { resourceVersion: object.metadata.resourceVersion, ...changes } };
  await unlessGone(client.patch(type, keyOfMeta(object.metadata), { type: 'merge', patch }));
}

/** The object itself when its owners or its deletion changed; its dependents and owners when it is gone. */
function namesToCheck(
  owners: Owners,
  type: ResourceType,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly string[] {
  if (after !== undefined) return concernsOwners(before, after) ? [ownerNameOf(type, objectKeyText(after))] : [];
  if (before === undefined) return [];
  const dependents = owners.dependents({ type, object: before });
  const references = before.metadata.ownerReferences ?? [];
  return [
    ...dependents.map((dependent) => ownerNameOf(dependent.type, objectKeyText(dependent.object))),
    ...references.flatMap((reference) => owners.ownerName(before, reference) ?? []),
  ];
}
