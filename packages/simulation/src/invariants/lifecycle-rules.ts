import {
  fromTimestamp,
  isConditionTrue,
  minutes,
  type NodeClaim,
  parseAge,
  parseDurationOrNever,
} from '@nodewright/apis';
import type { Invariant } from './invariant.ts';
import {
  deletionByOperator,
  instanceIdOf,
  hasDeletionTime,
  leavesVoluntarily,
  nodeOfClaim,
  poolNameOf,
  readingLagMs,
  rolloutOfSeat,
} from './observed-objects.ts';
import type { ObservedWorld } from './observed-world.ts';

export const reasonToLeave: Invariant = {
  id: 'reason-to-leave',
  sentence:
    'The controller deletes a NodeClaim only when it is disrupted, has lived for `expireAfter` or the `maxAge.hard` of a policy, has no healthy instance or node, has lost its NodePool, or was made for a rollout that has halted or is paused.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written') return [];
    const claim = deletionByOperator(happening, 'nodeclaims.karpenter.sh') as NodeClaim | undefined;
    return claim === undefined || hasReason(world, claim) ? [] : [`${claim.metadata.name} is deleted for no reason`];
  },
};

export const endsWithClaim: Invariant = {
  id: 'instance-ends-with-claim',
  sentence: 'When a NodeClaim is gone, its instance is ending or gone.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.collection !== 'nodeclaims.karpenter.sh') return [];
    if (happening.after !== undefined || happening.operator === undefined) return [];
    const { metadata, status } = happening.before as NodeClaim;
    const instance = world.instance(instanceIdOf(status?.providerID));
    return instance !== undefined && isStaying(instance.state)
      ? [`${metadata.name} is gone, and ${instance.id} is ${instance.state}`]
      : [];
  },
};

export const risingVersions: Invariant = {
  id: 'rising-versions',
  sentence: 'Every write has a higher resource version than all writes before.',
  check: ({ happening }) => {
    if (happening.kind !== 'written' || happening.before === undefined) return [];
    const earlier = Number(happening.before.metadata.resourceVersion);
    return happening.revision > earlier
      ? []
      : [`${happening.collection} goes from ${earlier} to ${happening.revision}`];
  },
};

export const oneLeader: Invariant = {
  id: 'one-leader',
  sentence: 'Only the process that holds the Lease of the controllers writes.',
  check: ({ world, happening }) => {
    if (happening.kind !== 'written' || happening.operator === undefined) return [];
    if (happening.collection === 'leases.coordination.k8s.io') return [];
    const lease = world.list('leases.coordination.k8s.io').find(({ metadata }) => metadata.name === leaseName);
    const holder = lease?.spec?.holderIdentity ?? '';
    return holder === '' || holder === happening.operator
      ? []
      : [`${happening.operator} writes ${happening.collection} while ${holder} leads`];
  },
};

export const comesToRest: Invariant = {
  id: 'comes-to-rest',
  sentence:
    'When the faults are over, every pod runs, every node is ready, nothing leaves, NodeClaims and instances belong to each other one by one, and rollouts are complete, halted, or have parked nodes that are named.',
  check: ({ happening }) =>
    happening.kind === 'rested' && happening.since === undefined
      ? happening.unrest.map((each) => `${each} long after the faults ended`)
      : [],
};

/** The Lease by which processes of the controller find out who leads. */
export const leaseName = 'karpenter-leader-election';

export const isStaying = (state: string): boolean => state === 'pending' || state === 'running';

function hasReason(world: ObservedWorld, claim: NodeClaim): boolean {
  if (leavesVoluntarily(claim)) return true;
  if (!isConditionTrue(claim, 'Registered') || hasExpired(world, claim) || isCalledOff(world, claim)) return true;
  const instance = world.instance(instanceIdOf(claim.status?.providerID));
  if (instance === undefined || !isStaying(instance.state) || world.isReclaimed(instance.id)) return true;
  const pools = world.lately('nodepools.karpenter.sh', poolNameOf(claim), readingLagMs);
  if (pools.some((pool) => pool === undefined || hasDeletionTime(pool))) return true;
  const node = nodeOfClaim(world, claim);
  return node === undefined || hasDeletionTime(node) || isRepairDue(world, node.metadata.name);
}

/** Whether the node was unhealthy for so long that it is repaired. */
const isRepairDue = (world: ObservedWorld, name: string): boolean =>
  world
    .lately('nodes', name, readingLagMs)
    .some((node) =>
      (node?.status?.conditions ?? []).some(
        ({ type, status, lastTransitionTime = '' }) =>
          repairedAfter(type, status) <= world.now - fromTimestamp(lastTransitionTime),
      ),
    );

/** How long a condition lasts until its node is repaired, in milliseconds. */
function repairedAfter(type: string, status: string): number {
  if (type === 'Ready') return status === 'True' ? Infinity : minutes(30);
  if (status !== 'False') return Infinity;
  if (type === 'AcceleratedHardwareReady') return minutes(10);
  return repairedTypes.has(type) ? minutes(30) : Infinity;
}

const repairedTypes = new Set(['StorageReady', 'NetworkingReady', 'KernelReady', 'ContainerRuntimeReady']);

/** Creation times have whole seconds. */
function hasExpired(world: ObservedWorld, { metadata, spec }: NodeClaim): boolean {
  const age = spec.expireAfter === undefined ? 'Never' : parseDurationOrNever(spec.expireAfter);
  const hardAges = world
    .list('noderolloutpolicies.nodewright.dev')
    .flatMap((policy) => (policy.spec.maxAge?.hard === undefined ? [] : parseAge(policy.spec.maxAge.hard)));
  const born = fromTimestamp(metadata.creationTimestamp ?? '');
  return [...(age === 'Never' ? [] : [age]), ...hardAges].some((each) => world.now >= born + each);
}

/** A claim that is not initialized goes with its rollout. */
function isCalledOff(world: ObservedWorld, claim: NodeClaim): boolean {
  const name = rolloutOfSeat(claim);
  if (name === undefined || isConditionTrue(claim, 'Initialized')) return false;
  const versions = world.lately('noderollouts.nodewright.dev', name, readingLagMs);
  const isHalted = versions.some((rollout) => rollout?.status?.halted !== undefined);
  return isHalted || world.list('disruptionpauses.nodewright.dev').some(({ spec }) => spec.inFlight === 'Revert');
}
