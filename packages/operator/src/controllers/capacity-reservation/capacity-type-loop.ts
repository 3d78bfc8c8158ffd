import { minutes } from '@nodewright/apis';
import type { InstancePort } from '@nodewright/ports';
import { requeueAfter, restAndPoll, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { isReservedPair, planDemotions, type ReservedClaim } from './plan.ts';
import { reportDemotion } from './report.ts';

type CapacityTypeDeps = { readonly objects: Objects; readonly instances: InstancePort; readonly publish: Publisher };

const capacityTypePeriodMs = minutes(1);

/** `capacityreservation.capacitytype`: an instance outlives its reservation as on-demand; the labels of its claim and node follow. */
export function capacityTypeLoop(deps: CapacityTypeDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    const { objects, instances, publish } = deps;
    const reserved = listReservedPairs(objects);
    if (reserved.length === 0) return restAndPoll(capacityTypePeriodMs);
    for (const { about, claim, node } of planDemotions(reserved, await instances.list(signal))) {
      if (claim !== undefined) await objects.nodeClaims.save(claim.before, claim.after);
      if (node !== undefined) await objects.nodes.save(node.before, node.after);
      publish(reportDemotion(about));
    }
    return requeueAfter(capacityTypePeriodMs);
  };
}

const listReservedPairs = (objects: Objects): readonly ReservedClaim[] =>
  objects.nodeClaims
    .list()
    .map((claim) => ({ claim, node: findNodeOfClaim(objects, claim) }))
    .filter(isReservedPair);
