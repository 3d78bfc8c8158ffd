import { requeueAfter, settled, type Reconciler } from '@nodewright/runtime';
import type { TurnParts } from '../../hosting/controller-host.ts';
import { observeNodePool, type NodePoolSources } from './observe.ts';
import { performPoolAction, type NodePoolDeps } from './perform.ts';
import { isPoolWithoutClass, planNodePool, toleratedUnresolvedMs } from './plan.ts';
import { reportUnresolvedClass } from './report.ts';

/** `nodepool.hash`, `.counter`, `.readiness`, `.validation` and `.registrationhealth` in one turn. Keys are pool names. */
export function nodePoolReconciler(
  deps: NodePoolSources & NodePoolDeps & Pick<TurnParts, 'clock' | 'publish'>,
): Reconciler {
  return async (name) => {
    const seen = observeNodePool(deps, name);
    if (seen === undefined) return settled;
    const now = deps.clock.now();
    deps.publish(reportUnresolvedClass(seen, now));
    for (const action of planNodePool(seen, now)) await performPoolAction(deps, seen, action);
    return isPoolWithoutClass(seen) ? requeueAfter(toleratedUnresolvedMs) : settled;
  };
}
