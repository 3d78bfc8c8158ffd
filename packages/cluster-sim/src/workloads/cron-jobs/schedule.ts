import { fromTimestamp, instant, type Instant } from '@nodewright/apis';
import { Cron } from 'croner';
import type { CronJob } from './cron-job.ts';

/** A CronJob that has missed more times than this is not made up for. */
const mostMissed = 100;

export type Due = {
  /** The last time that has come and was not served; nothing when there is none, or it is too late for it. */
  readonly time?: Instant;
  readonly missed: number;
  /** The next time to come. */
  readonly next?: Instant;
};

/**
 * What a CronJob's schedule asks for now.
 * @throws Error when the schedule or the time zone cannot be read
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
 */
export function dueOf({ metadata, spec, status }: CronJob, now: Instant): Due {
  const cron = new Cron(spec.schedule, { timezone: spec.timeZone ?? 'Etc/UTC', paused: true });
  const next = cron.nextRun(new Date(now));
  const following = next === null ? {} : { next: instant(next.getTime()) };
  const served = fromTimestamp(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '1970-01-01T00:00:00Z');
  const earliest = spec.startingDeadlineSeconds === undefined ? served : now - spec.startingDeadlineSeconds * 1000;
  let time: Instant | undefined;
  let missed = 0;
  for (
    let at = cron.nextRun(new Date(Math.max(served, earliest)));
    at !== null && at.getTime() <= now;
    at = cron.nextRun(at)
  ) {
    time = instant(at.getTime());
    missed += 1;
    if (missed > mostMissed) return { missed, ...following };
  }
  return { ...(time === undefined ? {} : { time }), missed, ...following };
}
