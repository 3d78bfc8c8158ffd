import type { Instant } from '@nodewright/apis';
import type { Clock } from '../clock.ts';

type RecentEntry<V> = { readonly value: V; readonly until: number };

const sweepAt = 4096;

/** Remembers values for a while, and the latest so many at most. Old ones are swept when many have gathered, so it needs no timer. */
export class RecentKeys<V> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, RecentEntry<V>>();
  /**
   * Goes on where it stopped: a new iterator would walk over the places of all that was forgotten before. It is there only
   * while there are too many, because an iterator that stands still keeps every earlier table of its map in memory.
   */
  #oldestFirst: Iterator<string> | undefined;
  readonly #most: number;
  #sweepAbove = sweepAt;

  constructor(clock: Pick<Clock, 'now'>, most = Infinity) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.until <= this.#clock.now() ? undefined : entry.value;
  }

  set(key: string, value: V, forMs: number): void {
    const now = this.#clock.now();
    this.#entries.delete(key); // what is set last is last in order
    this.#entries.set(key, { value, until: now + forMs });
    if (this.#entries.size > this.#most) this.#forgetOldest();
    else this.#oldestFirst = undefined;
    if (this.#entries.size > this.#sweepAbove) this.#sweep(now);
  }

  #forgetOldest(): void {
    this.#oldestFirst ??= this.#entries.keys();
    const oldest = this.#oldestFirst.next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }

  #sweep(now: Instant): void {
    for (const [key, { until }] of this.#entries) if (until <= now) this.#entries.delete(key);
    this.#sweepAbove = Math.max(sweepAt, 2 * this.#entries.size);
  }
}
