import type { NodeClaim, NodePool } from '@nodewright/apis';
import { staticClaimFor } from '@nodewright/engine';
import type { Publisher } from '../../reporting/publisher.ts';
import { type OpenSeats, seatClaim } from '../../state/open-seats.ts';
import { launchableClaim } from '../node-claim/adoption.ts';
import type { StaticPoolSources } from './observe.ts';
import type { StaticPlan } from './plan.ts';
import { reportStaticCreation, reportSurplus } from './report.ts';

export type StaticDeps = StaticPoolSources & { readonly publish: Publisher; readonly openSeats: OpenSeats };

/** @returns what was created */
export async function performStaticPlan(
  deps: StaticDeps,
  nodePool: NodePool,
  plan: StaticPlan,
): Promise<readonly NodeClaim[]> {
  const created: NodeClaim[] = [];
  switch (plan.kind) {
    case 'none':
      break;
    case 'create':
      while (created.length < plan.count) created.push(await createStaticClaim(deps, nodePool));
      break;
    case 'delete':
      await Promise.all(
        plan.claims.map(async (claim) => {
          await deps.objects.nodeClaims.delete(claim);
          deps.publish(reportSurplus(nodePool, claim));
        }),
      );
  }
  return created;
}

async function createStaticClaim(deps: StaticDeps, nodePool: NodePool): Promise<NodeClaim> {
  const { objects, state, publish } = deps;
  const created = await objects.nodeClaims.create(launchableClaim(seatClaim(deps, staticClaimFor(nodePool))));
  state.launches.noteWithoutPods(created);
  publish(reportStaticCreation(nodePool, created));
  return created;
}
