import type { NodePool } from '@nodewright/apis';
import { staticClaimFor } from '@nodewright/engine';
import { requeueAfter, settled, type Clock, type Logger, type Reconciler } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import type { ClusterState } from '../../state/cluster-state.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import type { Objects } from '../../state/objects.ts';
import { launchableClaim } from '../node-claim/adoption.ts';
import { planStaticPool, type StaticClaim } from './plan.ts';

export type StaticDeps = {
  readonly objects: Objects;
  readonly state: ClusterState;
  readonly clock: Clock;
  readonly log: Logger;
  readonly counters: Counters;
};

const staticCapacityPeriodMs = 60_000;
const limitedMs = 30_000;

/** `static.provisioning` and `static.deprovisioning` in one: keeps as many nodes as the pool says. Keys are pool names. */
export function staticCapacity(deps: StaticDeps): Reconciler {
  return async (name) => {
    const nodePool = deps.objects.nodePools.get(name);
    if (nodePool?.spec.replicas === undefined || !isManagedNodeClass(nodePool.spec.template.spec.nodeClassRef))
      return settled;
    const plan = planStaticPool(nodePool, staticClaimsOfPool(deps, name), deps.clock.now());
    if (plan.kind === 'delete')
      await Promise.all(
        plan.claims.map(async (claim) => {
          await deps.objects.nodeClaims.delete(claim);
          deps.log.info('deleting surplus nodeclaim', { NodePool: { name }, NodeClaim: { name: claim.metadata.name } });
        }),
      );
    if (plan.kind !== 'create') return requeueAfter(staticCapacityPeriodMs);
    for (let made = 0; made < plan.count; made += 1) await createStaticClaim(deps, nodePool);
    if (plan.held === 0) return requeueAfter(staticCapacityPeriodMs);
    deps.log.info('nodepool node limit reached', { NodePool: { name }, held: plan.held });
    return requeueAfter(limitedMs);
  };
}

function staticClaimsOfPool({ objects, state }: StaticDeps, pool: string): readonly StaticClaim[] {
  const stateOf = new Map(state.nodes().map((each) => [each.nodeClaim?.metadata.name, each]));
  return objects.nodeClaims.by('nodePool', pool).map((claim) => {
    const { pods = [], markedForDeletion = false } = stateOf.get(claim.metadata.name) ?? {};
    return { claim, pods, isReplaced: markedForDeletion };
  });
}

async function createStaticClaim({ objects, state, log, counters }: StaticDeps, nodePool: NodePool): Promise<void> {
  const created = await objects.nodeClaims.create(launchableClaim(staticClaimFor(nodePool)));
  state.launches.noteWithoutPods(created);
  const { name } = created.metadata;
  log.info('created nodeclaim', { NodePool: { name: nodePool.metadata.name }, NodeClaim: { name } });
  counters.claimCreated(created, 'provisioned');
}
