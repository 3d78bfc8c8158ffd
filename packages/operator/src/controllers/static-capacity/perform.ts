import type { NodePool } from '@nodewright/apis';
import { staticClaimFor } from '@nodewright/engine';
import type { Publisher } from '../../reporting/publisher.ts';
import { type OpenSeats, seatClaim } from '../../state/open-seats.ts';
import { launchableClaim } from '../node-claim/adoption.ts';
import type { StaticPoolSources } from './observe.ts';
import type { StaticPlan } from './plan.ts';
import { reportStaticCreation, reportSurplus } from './report.ts';

export type StaticDeps = StaticPoolSources & { readonly publish: Publisher; readonly openSeats: OpenSeats };

export async function performStaticPlan(deps: StaticDeps, nodePool: NodePool, plan: StaticPlan): Promise<void> {
  switch (plan.kind) {
    case 'none':
      return;
    case 'create':
      for (let made = 0; made < plan.count; made += 1) await createStaticClaim(deps, nodePool);
      return;
    case 'delete':
      await Promise.all(
        plan.claims.map(async (claim) => {
          await deps.objects.nodeClaims.delete(claim);
          deps.publish(reportSurplus(nodePool, claim));
        }),
      );
  }
}

async function createStaticClaim(deps: StaticDeps, nodePool: NodePool): Promise<void> {
  const { objects, state, publish } = deps;
  const created = await objects.nodeClaims.create(launchableClaim(seatClaim(deps, staticClaimFor(nodePool))));
  state.launches.noteWithoutPods(created);
  publish(reportStaticCreation(nodePool, created));
}
