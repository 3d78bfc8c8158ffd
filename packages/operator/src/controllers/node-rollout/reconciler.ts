import { type Clock, recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { observeRolloutPolicy, type RolloutSources } from './observe.ts';
import { performRolloutPlan } from './perform.ts';
import { planRolloutPolicy } from './plan.ts';

type RolloutPolicyDeps = RolloutSources & { readonly clock: Clock; readonly publish: Publisher };

/** `noderolloutpolicy`: leads the nodes of a policy to new images, wave by wave. Keys are names. */
export function rolloutPolicyReconciler(deps: RolloutPolicyDeps): Reconciler {
  return async (name) => {
    const now = deps.clock.now();
    const seen = await observeRolloutPolicy(deps, name, now);
    if (seen === undefined || seen.policy.metadata.deletionTimestamp !== undefined) return settled;
    const plan = planRolloutPolicy(seen, now);
    await performRolloutPlan(deps, seen.policy, plan);
    return recheckAt(plan.recheckAt);
  };
}
