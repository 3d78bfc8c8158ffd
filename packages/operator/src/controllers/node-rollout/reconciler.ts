import { settled, type Clock, type Reconciler } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import { observeRolloutPolicy } from './observe.ts';
import { planRolloutPolicy } from './plan.ts';

type RolloutPolicyDeps = { readonly objects: Objects; readonly clock: Clock };

/** `noderolloutpolicy`: says in the status of a policy what it governs and whether it can be read. Keys are names. */
export function rolloutPolicyReconciler({ objects, clock }: RolloutPolicyDeps): Reconciler {
  return async (name) => {
    const seen = observeRolloutPolicy(objects, name);
    if (seen === undefined || seen.policy.metadata.deletionTimestamp !== undefined) return settled;
    await objects.rolloutPolicies.save(seen.policy, planRolloutPolicy(seen, clock.now()));
    return settled;
  };
}
