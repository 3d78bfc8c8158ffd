import type { WrittenStep } from './draw-events.ts';

export type ShrinkEventsOptions = {
  /** Whether these events fail in the same way. */
  readonly fails: (events: readonly WrittenStep[]) => Promise<boolean>;
  /** How often `fails` may be asked. */
  readonly mostTries: number;
};

/**
 * Makes a failing history smaller: events are left out, first many at once, then single ones, and what is left comes sooner.
 *
 * Guarantees: what comes out fails, and each event left out alone would have made it pass, unless the tries ran out.
 */
export async function shrinkEvents(
  events: readonly WrittenStep[],
  options: ShrinkEventsOptions,
): Promise<readonly WrittenStep[]> {
  const smaller = new SmallerEvents(events, options);
  const { length } = events;
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    await smaller.leaveOutRuns(size);
  await smaller.shortenPauses();
  return smaller.events;
}

const shortPause = '1m';

/** The smallest events known to fail. */
class SmallerEvents {
  events: readonly WrittenStep[];
  readonly #fails: ShrinkEventsOptions['fails'];
  #triesLeft: number;

  constructor(events: readonly WrittenStep[], { fails, mostTries }: ShrinkEventsOptions) {
    this.events = events;
    this.#fails = fails;
    this.#triesLeft = mostTries;
  }

  /** Leaves out every run of so many events without which it still fails. */
  async leaveOutRuns(size: number): Promise<void> {
    for (let from = 0; from < this.events.length;)
      if (!(await this.#accept(this.events.toSpliced(from, size)))) from += size;
  }

  async shortenPauses(): Promise<void> {
    for (const [at, { advance }] of this.events.entries())
      if (advance !== undefined && advance !== shortPause)
        await this.#accept(this.events.with(at, { advance: shortPause }));
  }

  async #accept(events: readonly WrittenStep[]): Promise<boolean> {
    if (this.#triesLeft === 0) return false;
    this.#triesLeft -= 1;
    if (!(await this.#fails(events))) return false;
    this.events = events;
    return true;
  }
}
