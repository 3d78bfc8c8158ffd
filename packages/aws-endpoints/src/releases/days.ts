import { createHash } from 'node:crypto';

/** One build: the day it was made and the day it was published, `2024-01-17` and `2024-01-23`. */
export type BuildDay = { readonly created: string; readonly published: string };

const releaseDayMs = 86_400_000;

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * releaseDayMs).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.floor((Date.parse(to) - Date.parse(from)) / releaseDayMs);

/** Reads `20240117+6`: made that day, published six days later. */
export const buildDays = (text: string): readonly BuildDay[] =>
  text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [date = '', lag = '0'] = entry.split('+');
      const created = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
      return { created, published: daysAfter(created, Number(lag)) };
    });

/** As releases come: irregular, about every two weeks. */
const gaps = [12, 9, 16, 13, 7, 15, 14, 10, 18, 12];

/** Days without a record, from after the first day to the last. */
export function imaginedDays(after: string, until: string): readonly BuildDay[] {
  const days: BuildDay[] = [];
  for (let created = daysAfter(after, 12), at = 0; created <= until; at += 1) {
    days.push({ created, published: daysAfter(created, 3 + (at % 2)) });
    created = daysAfter(created, gaps[at % gaps.length] ?? 12);
  }
  return days;
}

/**
 * The builds that a minor got: those published while EKS had it. The last one before its release day
 * stands in from that day on.
 */
export function withinSupport<T extends BuildDay>(
  days: readonly T[],
  life: { readonly released: string; readonly until: string },
): readonly T[] {
  const inside = days.filter(({ published }) => life.released <= published && published <= life.until);
  const [first] = inside;
  if (first !== undefined && first.published <= life.released) return inside;
  const before = days.findLast(({ published }) => published < life.released);
  return before === undefined ? inside : [{ ...before, published: life.released }, ...inside];
}

/** Lower-case hex digits that follow from a text. They stand for commits and build numbers without a record. */
export const digitsOf = (text: string, count: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, count);
