import { type Clock, recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { OpenSeats } from '../../state/open-seats.ts';
import { observeRolloutPolicy, type RolloutSources } from './observe.ts';
import { performRolloutPlan } from './perform.ts';
import { openSeatsOfPlan, planRolloutPolicy } from './plan.ts';

type RolloutPolicyDeps = RolloutSources & {
  readonly clock: Clock;
  readonly publish: Publisher;
  readonly openSeats: OpenSeats;
};

/** `noderolloutpolicy`: leads the nodes of a policy to new images, wave by wave. Keys are names. */
export function rolloutPolicyReconciler(deps: RolloutPolicyDeps): Reconciler {
  return async (name) => {
    const now = deps.clock.now();
    const seen = await observeRolloutPolicy(deps, name, now);
    if (seen === undefined || seen.policy.metadata.deletionTimestamp !== undefined) {
      deps.openSeats.set(name, undefined);
      return settled;
    }
    const plan = planRolloutPolicy(seen, now);
    await performRolloutPlan(deps, seen.policy, plan);
    deps.openSeats.set(name, openSeatsOfPlan(plan));
    return recheckAt(plan.recheckAt);
  };
}
