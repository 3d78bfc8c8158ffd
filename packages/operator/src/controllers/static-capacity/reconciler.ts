import { minutes, seconds } from '@nodewright/apis';
import { requeueAfter, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { observeStaticPool } from './observe.ts';
import { performStaticPlan, type StaticDeps } from './perform.ts';
import { planStaticPool, withoutClosedImages } from './plan.ts';
import { reportStaticLimit } from './report.ts';

const staticCapacityPeriodMs = minutes(1);
const limitedMs = seconds(30);

/** `static.provisioning` and `static.deprovisioning` in one: keeps as many nodes as the pool says. Keys are pool names. */
export function staticCapacity(deps: StaticDeps & { readonly clock: Clock }): Reconciler {
  return async (name) => {
    const now = deps.clock.now();
    const seen = observeStaticPool(deps, name, now);
    if (seen === undefined) return settled;
    const plan = withoutClosedImages(planStaticPool(seen.nodePool, seen.claims, now), seen.closed);
    await performStaticPlan(deps, seen.nodePool, plan);
    deps.publish(reportStaticLimit(seen.nodePool, plan));
    return requeueAfter(plan.kind === 'create' && plan.held > 0 ? limitedMs : staticCapacityPeriodMs);
  };
}
