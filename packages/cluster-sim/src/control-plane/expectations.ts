import { instant, type Instant, latest, minutes } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';

/** How long a write that the watch does not show holds its key back. */
const expectationTimeoutMs = minutes(5);

/**
 * Own writes that the watch has not shown yet. A controller that counts objects waits until the watch
 * shows its writes. Otherwise it would repeat them.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Map<string, Instant>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param sight names what the watch will show: a uid, or a uid with its change */
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

  /** When the key may have its turn; `undefined` for now. */
  heldUntil(key: string): Instant | undefined {
    const due = latest(...(this.#expected.get(key)?.values() ?? []));
    if (due !== undefined && due > this.#clock.now()) return due;
    this.#expected.delete(key);
    return undefined;
  }
}
