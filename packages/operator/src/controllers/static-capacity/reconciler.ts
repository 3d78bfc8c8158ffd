import { minutes, seconds } from '@nodewright/apis';
import { recheckAt, requeueAfter, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { observeStaticPool } from './observe.ts';
import { performStaticPlan, type StaticDeps } from './perform.ts';
import { planStaticPool, withoutFutileCreation } from './plan.ts';
import { reportStaticLimit } from './report.ts';

const staticCapacityPeriodMs = minutes(1);
const limitedMs = seconds(30);

/** `static.provisioning` and `static.deprovisioning` in one: keeps as many nodes as the pool says. Keys are pool names. */
export function staticCapacity(deps: StaticDeps & { readonly clock: Clock }): Reconciler {
  return async (name) => {
    const now = deps.clock.now();
    deps.creations.follow(name, deps.objects.nodeClaims.by('nodePool', name));
    const seen = observeStaticPool(deps, name, now);
    if (seen === undefined) {
      deps.creations.forget(name);
      return settled;
    }
    const plan = withoutFutileCreation(planStaticPool(seen.nodePool, seen.claims, now), seen);
    const created = await performStaticPlan(deps, seen.nodePool, plan);
    if (created.length > 0) deps.creations.noteCreated(name, seen.specs, created, now);
    deps.publish(reportStaticLimit(seen.nodePool, plan));
    if (seen.restsUntil !== undefined) return recheckAt(seen.restsUntil);
    return requeueAfter(plan.kind === 'create' && plan.held > 0 ? limitedMs : staticCapacityPeriodMs);
  };
}
