import type { Instant } from '@nodewright/apis';
import { readCalendar, type RolloutCalendar } from './windows.ts';

/** When something may begin, asked with one instant after the other. */
export class OpenTimes {
  readonly #calendar: RolloutCalendar;
  /** The calendar is open from `from` until `until`. */
  #open: { readonly from: Instant; readonly until: Instant | undefined } | undefined;

  constructor(calendar: RolloutCalendar) {
    this.#calendar = calendar;
  }

  /** The first instant from then on at which the calendar is open; absent where it never opens. */
  nextFrom(at: Instant): Instant | undefined {
    if (this.#open !== undefined && at >= this.#open.from && at < (this.#open.until ?? Infinity)) return at;
    const opening = nextOpening(this.#calendar, at);
    if (opening === undefined) return undefined;
    const state = readCalendar(this.#calendar, opening);
    this.#open = { from: opening, until: state.kind === 'open' ? state.until : undefined };
    return opening;
  }
}

const mostLooks = 1_000;

/** When something may begin from then on: a window can open in a blackout, and a blackout end outside of windows. */
export function nextOpening(calendar: RolloutCalendar, from: Instant | undefined): Instant | undefined {
  let at = from;
  for (let look = 0; look < mostLooks && at !== undefined; look += 1) {
    const state = readCalendar(calendar, at);
    if (state.kind === 'open') return at;
    at = state.kind === 'outsideWindow' ? state.opensAt : state.kind === 'blackout' ? state.endsAt : undefined;
  }
  return undefined;
}
