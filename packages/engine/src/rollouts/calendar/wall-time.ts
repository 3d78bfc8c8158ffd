import { instant, minutes, type Instant, byNumber } from '@nodewright/apis';
import { checkTimeZone } from '../../disruption/budgets/cron-schedule.ts';

/** Which of the two instants a time means that comes twice when clocks are set back. */
export type WallTimeReading = 'first' | 'last';

/**
 * The instant of a time on the clock on the wall, `2026-12-18T00:00:00`. A time that is skipped when clocks are set
 * forward is the first instant after the gap.
 * @throws ValueError for a time zone that does not exist
 */
export function instantOfWallTime(text: string, timeZone: string, reading: WallTimeReading): Instant {
  checkTimeZone(timeZone);
  const asUtc = Date.parse(`${text}Z`);
  // No zone is more than 14 hours from UTC, so one of these offsets holds on each side of a change.
  const around = [asUtc - minutes(14 * 60), asUtc + minutes(14 * 60)].map((at) => offsetMs(at, timeZone));
  const candidates = [...new Set(around)]
    .map((offset) => asUtc - offset)
    .filter((at) => at + offsetMs(at, timeZone) === asUtc)
    .toSorted(byNumber);
  const chosen = reading === 'first' ? candidates[0] : candidates.at(-1);
  return instant(chosen ?? endOfGap(asUtc, around, timeZone));
}

/** In a gap both readings are wrong: the change of the offset lies between them. */
function endOfGap(asUtc: number, offsets: readonly number[], timeZone: string): number {
  let [before, after] = [asUtc - Math.max(...offsets), asUtc - Math.min(...offsets)];
  const offsetBefore = offsetMs(before, timeZone);
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offsetMs(middle, timeZone) === offsetBefore) before = middle;
    else after = middle;
  }
  return after;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Map(
    formatterFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(at / 1000) * 1000;
}
