import { backOff, settled, type Reconciler, type Result } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { observeEviction } from './observe.ts';
import { performEviction, type EvictionDeps, type EvictionOutcome } from './perform.ts';
import { planEviction } from './plan.ts';
import { reportEviction } from './report.ts';

/** `eviction-queue`: asks one pod to leave until it does. Keys are those of `evictionKey`. */
export function evictionReconciler(deps: EvictionDeps & { readonly publish: Publisher }): Reconciler {
  return async (key) => {
    const seen = observeEviction(deps, key);
    if (seen === undefined) return settled;
    const outcome = await performEviction(deps, seen, planEviction(seen, deps.clock.now()));
    deps.publish(reportEviction(seen, outcome));
    return resultOf(outcome);
  };
}

/** @throws what the API server answered, unless a budget or the absence of the pod explains it */
function resultOf(outcome: EvictionOutcome): Result {
  switch (outcome.kind) {
    case 'nothingDone':
      return outcome.isToBeAskedAgain ? backOff : settled;
    case 'refused':
      return backOff;
    case 'failed':
      throw outcome.error;
    case 'evicted':
    case 'gone':
    case 'forced':
      return settled;
  }
}
