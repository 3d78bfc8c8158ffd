import { instant, type Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

/** How long an unseen write holds its key back: after that the watch is believed. */
const expectationTimeoutMs = 300_000;

/**
 * Own writes that the watch has not shown yet. A controller that counts objects looks away until it
 * sees what it did, else it does it twice.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Map<string, Instant>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `sight` names what the watch is going to show: a uid, or a uid with its change. */
  expect(key: string, sight: string): void {
    const sights = this.#expected.get(key) ?? new Map<string, Instant>();
    sights.set(sight, instant(this.#clock.now() + expectationTimeoutMs));
    this.#expected.set(key, sights);
  }

  seen(key: string, sight: string): void {
    const sights = this.#expected.get(key);
    sights?.delete(sight);
    if (sights?.size === 0) this.#expected.delete(key);
  }

  /** When the key may be looked at: `undefined` for now. */
  heldUntil(key: string): Instant | undefined {
    const dues = [...(this.#expected.get(key)?.values() ?? [])];
    const latest = dues.length === 0 ? undefined : instant(Math.max(...dues));
    if (latest !== undefined && latest > this.#clock.now()) return latest;
    this.#expected.delete(key);
    return undefined;
  }
}
