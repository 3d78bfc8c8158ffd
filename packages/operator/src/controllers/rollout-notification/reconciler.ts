import { planDeliveries } from '@nodewright/engine';
import { recheckAt, type Reconciler, requeueAfter, settled } from '@nodewright/runtime';
import { observeMessages } from './observe.ts';
import { dropMessages, type NotificationDeps, deliverMessage } from './perform.ts';

/**
 * `rolloutnotification`: sends what a rollout has to tell, one message to each receiver in a turn. Keys are names of
 * NodeRollouts.
 */
export function rolloutMessageReconciler(deps: NotificationDeps): Reconciler {
  return async (name, signal) => {
    const seen = observeMessages(deps.objects, name);
    if (seen === undefined) return settled;
    const { due, givenUp, nextAt } = planDeliveries({ ...seen, now: deps.clock.now() });
    if (givenUp.length > 0) await dropMessages(deps, seen, givenUp);
    for (const delivery of due) await deliverMessage(deps, seen, delivery, signal);
    return due.length > 0 ? requeueAfter(0) : recheckAt(nextAt);
  };
}
