import { isConditionTrue } from '@nodewright/apis';
import type { History } from '../histories/history.ts';
import { isStaying } from '../invariants/lifecycle-rules.ts';
import { instanceIdOf, hasDeletionTime, isNodeReady } from '../invariants/observed-objects.ts';
import type { ObservedWorld } from '../invariants/observed-world.ts';

/** What of a world is not as it should be in the end; empty at rest. */
export const findUnrest = (world: ObservedWorld, wanted: ReadonlyMap<string, number>): readonly string[] => [
  ...unrestOfPods(world, wanted),
  ...unrestOfNodes(world),
  ...unrestOfClaims(world),
  ...unrestOfInstances(world),
  ...unrestOfRollouts(world),
];

/** How many pods each workload of a history has in the end. */
export function finalReplicas({ cluster, steps }: History): ReadonlyMap<string, number> {
  const wanted = new Map(
    cluster.workloads.filter(({ kind }) => kind !== 'DaemonSet').map(({ name, replicas }) => [name, replicas]),
  );
  for (const step of steps)
    if (step.do === 'scale' && wanted.has(step.workload)) wanted.set(step.workload, step.replicas);
  return wanted;
}

function unrestOfPods(world: ObservedWorld, wanted: ReadonlyMap<string, number>): readonly string[] {
  const running = new Map<string, number>();
  for (const { metadata, status } of world.list('pods')) {
    const name = metadata.labels?.['app'] ?? '';
    if (status?.phase === 'Running' && metadata.deletionTimestamp === undefined)
      running.set(name, (running.get(name) ?? 0) + 1);
  }
  return [...wanted].flatMap(([name, count]) =>
    (running.get(name) ?? 0) === count ? [] : [`${running.get(name) ?? 0} of ${count} pods of ${name} run`],
  );
}

const unrestOfNodes = (world: ObservedWorld): readonly string[] =>
  world.list('nodes').flatMap((node) => {
    const { name } = node.metadata;
    if (hasDeletionTime(node)) return [`node ${name} is being deleted`];
    if (!isNodeReady(node)) return [`node ${name} is not ready`];
    const taints = (node.spec?.taints ?? []).map(({ key }) => key);
    return taints.length === 0 ? [] : [`node ${name} has the taint ${taints.join(', ')}`];
  });

const unrestOfClaims = (world: ObservedWorld): readonly string[] =>
  world.list('nodeclaims.karpenter.sh').flatMap((claim) => {
    const { name } = claim.metadata;
    if (hasDeletionTime(claim)) return [`NodeClaim ${name} is being deleted`];
    if (!isConditionTrue(claim, 'Ready')) return [`NodeClaim ${name} is not ready`];
    if (isConditionTrue(claim, 'DisruptionReason')) return [`NodeClaim ${name} is being disrupted`];
    const instance = world.instance(instanceIdOf(claim.status?.providerID));
    return instance?.state === 'running' ? [] : [`NodeClaim ${name} has no running instance`];
  });

/** A rollout that is not halted, and does not wait for a person, goes on until it is complete. Parked nodes are named. */
const unrestOfRollouts = (world: ObservedWorld): readonly string[] =>
  world.list('noderollouts.nodewright.dev').flatMap(({ metadata, spec, status = {} }) => {
    const isPoliced = world.find('noderolloutpolicies.nodewright.dev', spec.policy) !== undefined;
    const { state = 'Progressing', parked = [] } = status;
    if (!isPoliced || status.endedAt !== undefined || ['Halted', 'WaitingForApproval'].includes(state)) return [];
    return parked.length > 0 ? [] : [`rollout ${metadata.name} is ${state} in wave ${status.wave}`];
  });

function unrestOfInstances(world: ObservedWorld): readonly string[] {
  const owned = new Set(world.list('nodeclaims.karpenter.sh').map(({ status }) => instanceIdOf(status?.providerID)));
  return world
    .instances()
    .filter(({ id, state }) => isStaying(state) && !owned.has(id))
    .map(({ id }) => `instance ${id} belongs to no NodeClaim`);
}
