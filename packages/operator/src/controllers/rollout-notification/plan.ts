import type { Instant, RolloutMessage } from '@nodewright/apis';
import { type Delivery, planDeliveries } from '@nodewright/engine';
import type { MessageSource } from './observe.ts';

export type NotificationPlan = {
  /** Messages that some receiver did not get for too long. They are given up before anything is sent. */
  readonly giveUp: readonly RolloutMessage[];
  /** One message for each receiver that lacks one and may be tried now. */
  readonly send: readonly Delivery[];
  /** When there is more to do. A receiver that gets a message now may lack another one. */
  readonly nextAt?: Instant;
};

/** What is sent and given up now. Who lacks which message is decided by `planDeliveries` of the engine. */
export function planNotification({ status, receivers }: MessageSource, now: Instant): NotificationPlan {
  const { due: send, givenUp: giveUp, nextAt } = planDeliveries({ status, receivers, now });
  const next = send.length > 0 ? now : nextAt;
  return { giveUp, send, ...(next === undefined ? {} : { nextAt: next }) };
}
