import type { Instant } from '@nodewright/apis';

/** One line of what happened: a step of the scenario, a decision of the controller, or a change of the world. */
export type TimelineEntry = {
  readonly at: Instant;
  readonly by: 'scenario' | 'controller' | 'world';
  /** One word: `Unconsolidatable`, `release`. */
  readonly what: string;
  readonly text: string;
};

/** What happened, in order. */
export class PlayTimeline {
  readonly #now: () => Instant;
  readonly #all: TimelineEntry[] = [];

  constructor(now: () => Instant) {
    this.#now = now;
  }

  add(entry: Omit<TimelineEntry, 'at'>): void {
    this.#all.push({ at: this.#now(), ...entry });
  }

  all(): readonly TimelineEntry[] {
    return this.#all;
  }

  /** Those since an instant, and the last `least` ones at any rate; the newest last. */
  latest(since: Instant, least: number): readonly TimelineEntry[] {
    const first = this.#all.findIndex(({ at }) => at >= since);
    const from = first < 0 ? this.#all.length : first;
    return this.#all.slice(Math.max(0, Math.min(from, this.#all.length - least)));
  }
}
