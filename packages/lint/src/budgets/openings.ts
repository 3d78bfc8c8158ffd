import { instant, parseDuration, toTimestamp, type Instant } from '@nodewright/apis';
import { parseSchedule } from '@nodewright/engine';

/** A time span during which a window is open. */
export type Opening = { readonly from: Instant; readonly to: Instant };

type RecurringWindow = { readonly schedule: string; readonly duration: string; readonly timeZone?: string | undefined };

/** The next openings after `now`; fewer, or none, where the schedule has no more within five years. */
export function nextOpenings(window: RecurringWindow, now: Instant, count = 5): readonly Opening[] {
  const cron = parseSchedule(window.schedule, window.timeZone);
  const lengthMs = parseDuration(window.duration);
  const openings: Opening[] = [];
  for (let at = cron.nextAfter(now); at !== undefined && openings.length < count; at = cron.nextAfter(at))
    openings.push({ from: at, to: instant(at + lengthMs) });
  return openings;
}

/** Whether each of the next openings begins before the one before it ends: the window never closes. */
export function isAlwaysOpen(window: RecurringWindow, now: Instant): boolean {
  const openings = nextOpenings(window, now, 60);
  return (
    openings.length > 1 && openings.every(({ from }, index) => index === 0 || from <= (openings[index - 1]?.to ?? 0))
  );
}

/** `2026-11-23T22:00Z to 2026-11-24T06:00Z, ...` */
export const printOpenings = (openings: readonly Opening[]): string =>
  openings.map(({ from, to }) => `${toTheMinute(from)} to ${toTheMinute(to)}`).join(', ');

const toTheMinute = (at: Instant): string => toTimestamp(at).replace(/:\d\d(\.\d+)?Z$/, 'Z');
