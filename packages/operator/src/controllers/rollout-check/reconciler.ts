import { recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import { observeChecks } from './observe.ts';
import { type CheckDeps, performCheck, removeJobs } from './perform.ts';
import { planCheckTurn } from './plan.ts';

/** `rolloutcheck`: asks the checks that a policy adds to what is watched on new nodes. Keys are names of NodeRollouts. */
export function rolloutCheckReconciler(deps: CheckDeps): Reconciler {
  return async (name, signal) => {
    const seen = await observeChecks(deps.objects, deps.client, name);
    if (seen === undefined) return settled;
    const { actions, remove, nextAt } = planCheckTurn(seen, deps.clock.now());
    for (const action of actions) await performCheck(deps, seen, action, signal);
    await removeJobs(deps, remove);
    return recheckAt(nextAt);
  };
}
