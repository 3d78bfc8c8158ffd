import { earliest } from '@nodewright/apis';
import { recheckAt, settled, type Reconciler } from '@nodewright/runtime';
import { observeLeavingNode } from './observe.ts';
import { performTermination, type TerminationDeps } from './perform.ts';
import { planTermination } from './plan.ts';

/** `node.termination`: takes a deleted node through its drain to the end of its instance. Keys are node names. */
export function terminationReconciler(deps: TerminationDeps): Reconciler {
  return async (name, signal) => {
    const seen = await observeLeavingNode({ ...deps, now: deps.clock.now() }, name, signal);
    if (seen === undefined) return settled;
    const plan = planTermination(seen, deps.clock.now());
    let next = plan.recheckAt;
    for (const action of plan.actions) {
      const performed = await performTermination(deps, seen, action, signal);
      next = earliest(next, performed.recheckAt);
    }
    return recheckAt(next);
  };
}
