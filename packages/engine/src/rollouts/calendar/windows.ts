import {
  earliest,
  instant,
  latest,
  oncePerObject,
  parseAge,
  ValueError,
  type Instant,
  type RolloutBlackout,
  type RolloutWindow,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import { parseSchedule } from '../../disruption/budgets/cron-schedule.ts';
import { instantOfWallTime } from './wall-time.ts';

/** When replacements may begin. */
export type RolloutCalendar = {
  readonly windows: readonly RolloutWindow[];
  readonly blackouts: readonly RolloutBlackout[];
};

/** Whether replacements may begin, why not, and when that changes by itself. */
export type CalendarState =
  | { readonly kind: 'open'; readonly until?: Instant }
  | ClosedWindows
  /** `windows`: they are closed, too. */
  | { readonly kind: 'blackout'; readonly reason: string; readonly endsAt: Instant; readonly windows?: ClosedWindows }
  /** Something in the calendar cannot be read: nothing begins. */
  | { readonly kind: 'unreadable'; readonly message: string };

type ClosedWindows = { readonly kind: 'outsideWindow'; readonly opensAt?: Instant };

/** Without windows it is always open. A blackout closes it whatever windows there are. */
export function readCalendar(calendar: RolloutCalendar, now: Instant): CalendarState {
  const message = calendarComplaint(calendar);
  if (message !== undefined) return { kind: 'unreadable', message };
  const blackout = blackoutAt(calendar.blackouts, now);
  if (blackout !== undefined) return { ...blackout, ...closedBeside(calendar.windows, blackout, now) };
  const nextBlackout = earliest(
    ...calendar.blackouts.map(spanOfBlackout).flatMap(({ from }) => (from > now ? [from] : [])),
  );
  if (calendar.windows.length === 0)
    return { kind: 'open', ...(nextBlackout === undefined ? {} : { until: nextBlackout }) };
  const closesAt = closingOf(calendar.windows, now);
  if (closesAt === undefined) return closedUntilAfter(calendar.windows, now);
  return { kind: 'open', until: earliest(closesAt, nextBlackout) };
}

function closedUntilAfter(windows: readonly RolloutWindow[], now: Instant): ClosedWindows {
  const opensAt = earliest(...windows.map((window) => scheduleOf(window).nextAfter(now)));
  return { kind: 'outsideWindow', ...(opensAt === undefined ? {} : { opensAt }) };
}

/** Windows that are closed in a blackout: an opening helps that goes on when the blackout is over. */
function closedBeside(
  windows: readonly RolloutWindow[],
  { endsAt }: { readonly endsAt: Instant },
  now: Instant,
): { readonly windows?: ClosedWindows } {
  if (windows.length === 0 || closingOf(windows, now) !== undefined) return {};
  return { windows: closedUntilAfter(windows, closingOf(windows, endsAt) === undefined ? endsAt : now) };
}

/** What is wrong with the calendar, with the field, the value and what would be right. */
export function calendarComplaint({ windows, blackouts }: RolloutCalendar): string | undefined {
  const checks = [
    ...windows.map((window, index) => ({ field: `spec.windows[${index}]`, read: () => scheduleOf(window) })),
    ...blackouts.map((blackout, index) => ({
      field: `spec.blackouts[${index}]`,
      read: () => spanOfBlackout(blackout),
    })),
  ];
  for (const { field, read } of checks) {
    try {
      read();
    } catch (error) {
      if (error instanceof ValueError) return `${field}: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

const scheduleOf = oncePerObject(({ schedule, timeZone }: RolloutWindow) => parseSchedule(schedule, timeZone));

/** When the last of the windows closes that are open at `now`; a window is open for its duration from each hit on. */
function closingOf(windows: readonly RolloutWindow[], now: Instant): Instant | undefined {
  return latest(
    ...windows.map((window) => {
      const lengthMs = parseAge(window.duration);
      const schedule = scheduleOf(window);
      let hit = schedule.nextAfter(instant(now - lengthMs));
      let last: Instant | undefined;
      // Hits that follow each other within the duration prolong the window.
      while (hit !== undefined && hit <= (last === undefined ? now : last + lengthMs) && (last ?? 0) < now + lengthMs) {
        last = hit;
        hit = schedule.nextAfter(hit);
      }
      return last === undefined ? undefined : instant(last + lengthMs);
    }),
  );
}

type BlackoutSpan = { readonly from: Instant; readonly to: Instant; readonly reason: string };

/** Where clocks are set back, the longer reading holds. */
const spanOfBlackout = oncePerObject(({ from, to, timeZone = 'UTC', reason }: RolloutBlackout): BlackoutSpan => ({
  from: instantOfWallTime(from, timeZone, 'first'),
  to: instantOfWallTime(to, timeZone, 'last'),
  reason,
}));

function blackoutAt(blackouts: readonly RolloutBlackout[], now: Instant) {
  const holding = blackouts.map(spanOfBlackout).filter(({ from, to }) => from <= now && now < to);
  const [longest] = holding.toSorted(inReverse(byNumberOf(({ to }) => to)));
  return longest === undefined ? undefined : { kind: 'blackout' as const, reason: longest.reason, endsAt: longest.to };
}
