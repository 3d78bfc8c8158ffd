import { instant, type Instant } from '@nodewright/apis';
import { Cron } from 'croner';

/** Sizes that a group gets at a time, once or again and again. */
export type ScheduledAction = {
  readonly name: string;
  readonly arn: string;
  readonly min?: number;
  readonly max?: number;
  readonly desired?: number;
  /** Five fields of cron, in the time zone [UTC]. */
  readonly recurrence?: string;
  readonly timeZone?: string;
  readonly endAt?: Instant;
  readonly nextAt: Instant;
};

type Recurrence = Pick<ScheduledAction, 'recurrence' | 'timeZone'>;

/**
 * Finds the first time of a recurrence after an instant.
 * @returns `undefined` without a recurrence, or when it has no further time
 * @throws Error when the recurrence or the time zone is not valid
 */
export function findNextRun({ recurrence, timeZone = 'Etc/UTC' }: Recurrence, after: Instant): Instant | undefined {
  if (recurrence === undefined) return undefined;
  const next = new Cron(recurrence, { timezone: timeZone, paused: true }).nextRun(new Date(after));
  return next === null ? undefined : instant(next.getTime());
}
