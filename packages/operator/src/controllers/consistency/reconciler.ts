import { instant, minutes, type Instant } from '@nodewright/apis';
import { recheckAt, requeueAfter, restAndPoll, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { observeInitializedClaim } from './observe.ts';
import { planConsistency } from './plan.ts';
import { reportConsistency } from './report.ts';

type ConsistencyDeps = {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly publish: Publisher;
  /** When each claim is due again. */
  readonly scans: Map<string, Instant>;
};

const consistencyPeriodMs = minutes(10);

/**
 * `nodeclaim.consistency`: every ten minutes, whether an initialized node is what was launched. Keys are claim names.
 * Before initialization the claim is left to its lifecycle.
 */
export function consistencyReconciler({ objects, clock, publish, scans }: ConsistencyDeps): Reconciler {
  return async (name) => {
    const seen = observeInitializedClaim(objects, name);
    if (seen === undefined) {
      scans.delete(name);
      return settled;
    }
    const now = clock.now();
    const due = scans.get(name);
    if (due !== undefined && now < due) return recheckAt(due);
    const plan = planConsistency(seen, now);
    publish(reportConsistency(seen.claim, plan));
    await objects.nodeClaims.save(seen.claim, plan.after);
    scans.set(name, instant(now + consistencyPeriodMs));
    // A difference is reported at every look. Without one nothing changes until the claim or its node does.
    return plan.problems.length > 0 ? requeueAfter(consistencyPeriodMs) : restAndPoll(consistencyPeriodMs);
  };
}
