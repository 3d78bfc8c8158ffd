import { settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { observeNodePool, type NodePoolSources } from './observe.ts';
import { performPoolAction, type NodePoolDeps } from './perform.ts';
import { planNodePool } from './plan.ts';

/** `nodepool.hash`, `.counter`, `.readiness`, `.validation` and `.registrationhealth` in one turn. Keys are pool names. */
export function nodePoolReconciler(
  deps: NodePoolSources & NodePoolDeps & { readonly clock: Pick<Clock, 'now'> },
): Reconciler {
  return async (name) => {
    const seen = observeNodePool(deps, name);
    if (seen === undefined) return settled;
    for (const action of planNodePool(seen, deps.clock.now())) await performPoolAction(deps, seen, action);
    return settled;
  };
}
