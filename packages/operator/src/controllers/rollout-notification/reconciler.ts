import { recheckAt, type Reconciler, settled } from '@nodewright/runtime';
import type { FindMessageSource } from './observe.ts';
import { deliverMessage, dropMessages, type NotificationDeps } from './perform.ts';
import { planNotification } from './plan.ts';

/** Sends what a rollout or a policy has to tell, one message to each receiver in a turn. Keys are their names. */
export function rolloutMessageReconciler(deps: NotificationDeps, find: FindMessageSource): Reconciler {
  return async (name, signal) => {
    const seen = find(deps.objects, name);
    if (seen === undefined) return settled;
    const { giveUp, send, nextAt } = planNotification(seen, deps.clock.now());
    if (giveUp.length > 0) await dropMessages(deps, seen, giveUp);
    for (const delivery of send) await deliverMessage(deps, seen, delivery, signal);
    return recheckAt(nextAt);
  };
}
