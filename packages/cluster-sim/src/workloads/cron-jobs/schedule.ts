import { fromTimestamp, instant, type Instant, seconds } from '@nodewright/apis';
import { Cron } from 'croner';
import type { CronJob } from './cron-job.ts';

/** A CronJob that has missed more times than this does not start a job for any of them. */
const mostMissed = 100;

export type ScheduleDue = {
  /** The last time that has come and has no job yet; undefined when there is none, or when its deadline is over. */
  readonly time?: Instant;
  /** Times that have come since the last job. */
  readonly missed: number;
  /** The next time. */
  readonly next?: Instant;
};

/**
 * The times of a CronJob's schedule around `now`.
 * @throws Error when the schedule or the time zone is not valid
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
 */
export function dueOf({ metadata, spec, status }: CronJob, now: Instant): ScheduleDue {
  const cron = new Cron(spec.schedule, { timezone: spec.timeZone ?? 'Etc/UTC', paused: true });
  const next = cron.nextRun(new Date(now));
  const following = next === null ? {} : { next: instant(next.getTime()) };
  const served = fromTimestamp(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
  const { startingDeadlineSeconds } = spec;
  const tooLateBefore = startingDeadlineSeconds === undefined ? served : now - seconds(startingDeadlineSeconds);
  let time: Instant | undefined;
  let missed = 0;
  for (
    let at = cron.nextRun(new Date(Math.max(served, tooLateBefore)));
    at !== null && at.getTime() <= now;
    at = cron.nextRun(at)
  ) {
    time = instant(at.getTime());
    missed += 1;
    if (missed > mostMissed) return { missed, ...following };
  }
  return { ...(time === undefined ? {} : { time }), missed, ...following };
}
