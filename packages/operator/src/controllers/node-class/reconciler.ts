import type { ControlPlanePort, QuotaPort } from '@nodewright/ports';
import { recheckAt, settled, type Clock, type Reconciler } from '@nodewright/runtime';
import { pollCloud, type PollSources } from '../../state/poll-cloud.ts';
import { observeNodeClass } from './observe.ts';
import { performNodeClassAction, type NodeClassDeps } from './perform.ts';
import { nodeClassPeriodMs, planNodeClass } from './plan.ts';

/** `nodeclass`: looks up what a launch from the class would use, decides on images, and writes both down. Keys are names. */
export function nodeClassReconciler(
  deps: NodeClassDeps &
    PollSources & { readonly clock: Clock; readonly controlPlane: ControlPlanePort; readonly quotas: QuotaPort },
): Reconciler {
  return async (name, signal) => {
    const startedAt = deps.clock.now();
    const seen = await observeNodeClass(deps, { name, now: startedAt }, signal);
    if (seen === undefined) return settled;
    signal.throwIfAborted(); // what was cut short says nothing about the class
    const plan = planNodeClass(seen, deps.clock.now());
    for (const action of plan.actions) await performNodeClassAction(deps, seen.nodeClass, action, signal);
    if (seen.pace === 'close') deps.decisions.looked(name, startedAt);
    if (plan.failures.length > 0) throw firstFailure(plan.failures);
    return plan.atRest === undefined ? recheckAt(plan.recheckAt) : pollCloud(deps, nodeClassPeriodMs, plan.atRest);
  };
}

/** One failure keeps its class and with it its way of retrying; several are thrown together. */
function firstFailure(failures: readonly unknown[]): unknown {
  return failures.length === 1 ? failures[0] : new AggregateError(failures, failures.map(String).join('; '));
}
