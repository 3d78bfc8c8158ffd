import { planChecks, unneededJobs } from '@nodewright/engine';
import { recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import { observeChecks } from './observe.ts';
import { type CheckDeps, performCheck, removeJobs, replaceMissingJob } from './perform.ts';

/** `rolloutcheck`: asks the checks that a policy adds to what is watched on new nodes. Keys are names of NodeRollouts. */
export function rolloutCheckReconciler(deps: CheckDeps): Reconciler {
  return async (name, signal) => {
    const seen = await observeChecks(deps.objects, deps.client, name);
    if (seen === undefined) return settled;
    const { tasks, nextAt } = planChecks({ ...seen, now: deps.clock.now() });
    for (const task of tasks) {
      await replaceMissingJob(deps, seen, task);
      await performCheck(deps, seen, task, signal);
    }
    await removeJobs(deps, unneededJobs(deps.objects.rollouts.get(name) ?? seen.rollout, seen));
    return recheckAt(nextAt);
  };
}
