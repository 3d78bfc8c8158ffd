import { planDeliveries } from '@nodewright/engine';
import { recheckAt, type Reconciler, requeueAfter, settled } from '@nodewright/runtime';
import type { FindMessageSource } from './message-source.ts';
import { dropMessages, type NotificationDeps, deliverMessage } from './perform.ts';

/** Sends what a rollout or a policy has to tell, one message to each receiver in a turn. Keys are their names. */
export function rolloutMessageReconciler(deps: NotificationDeps, find: FindMessageSource): Reconciler {
  return async (name, signal) => {
    const seen = find(deps.objects, name);
    if (seen === undefined) return settled;
    const { due, givenUp, nextAt } = planDeliveries({ ...seen, now: deps.clock.now() });
    if (givenUp.length > 0) await dropMessages(deps, seen, givenUp);
    for (const delivery of due) await deliverMessage(deps, seen, delivery, signal);
    return due.length > 0 ? requeueAfter(0) : recheckAt(nextAt);
  };
}
