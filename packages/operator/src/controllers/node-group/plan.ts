import type { Instant } from '@nodewright/apis';
import { withDepartures } from './departures.ts';
import { planManaged } from './managed-plan.ts';
import type { NodeGroupPlan } from './node-group-plan.ts';
import { type Host, planScaling } from './scaling-plan.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** What happens next with a node group, and why. */
export const planNodeGroup = (seen: NodeGroupSnapshot, now: Instant, host: Host): NodeGroupPlan =>
  seen.nodeGroup.spec.eks === undefined
    ? withDepartures(seen, planScaling(seen, now, host), now)
    : planManaged(seen, now);
