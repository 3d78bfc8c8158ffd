import type { Instant } from '@nodewright/apis';
import { withDepartures } from './departures.ts';
import { planManaged } from './managed-plan.ts';
import type { NodeGroupPlan } from './node-group-plan.ts';
import { type ScalingHost, planScaling } from './scaling-plan.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** What happens next with a node group, and why. */
export function planNodeGroup(seen: NodeGroupSnapshot, now: Instant, host: ScalingHost): NodeGroupPlan {
  const { nodeGroup, inDoubtUntil } = seen;
  if (inDoubtUntil !== undefined) return { after: nodeGroup, actions: [], reports: [], recheckAt: inDoubtUntil };
  return nodeGroup.spec.eks === undefined
    ? withDepartures(seen, planScaling(seen, now, host), now)
    : planManaged(seen, now);
}
