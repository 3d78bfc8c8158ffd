import { instant, oncePerObject, parseDuration, type Budget, type Instant } from '@nodewright/apis';
import { type CronSchedule, parseSchedule } from './cron-schedule.ts';

/** The hours of a budget. */
export type BudgetHours = {
  /** The earliest hit of its schedule whose window has not ended before `now`; `undefined` when there is none. */
  readonly currentHit: (now: Instant) => Instant | undefined;
  /** The next hit after `now`; `undefined` when there is none. */
  readonly nextHit: (now: Instant) => Instant | undefined;
  readonly lengthMs: number;
};

/**
 * The hours of a budget with schedule and duration; `undefined` for a budget that always counts. A schedule is read once,
 * and worked out once for each of its hits: every pass asks for each pool and reason.
 * @throws ValueError when schedule or duration cannot be read
 */
export const hoursOfBudget = oncePerObject(({ schedule, duration }: Budget): BudgetHours | undefined => {
  if (schedule === undefined || duration === undefined) return undefined;
  const lengthMs = parseDuration(duration);
  const hits = parseSchedule(schedule);
  const currentHit = rememberHit(hits);
  return { currentHit: (now) => currentHit(instant(now - lengthMs)), nextHit: rememberHit(hits), lengthMs };
});

/** The first hit after an instant, which is the same for all instants until that hit. */
function rememberHit(schedule: CronSchedule): (at: Instant) => Instant | undefined {
  let known: { readonly from: Instant; readonly hit: Instant } | undefined;
  return (at) => {
    if (known !== undefined && known.from <= at && at < known.hit) return known.hit;
    const hit = schedule.nextAfter(at);
    known = hit === undefined ? undefined : { from: at, hit };
    return hit;
  };
}
