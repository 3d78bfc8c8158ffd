import { type Instant, instant } from '@nodewright/apis';
import type { Clock } from '../clock.ts';

const manyKeys = 1_000;

/** Until when keys that just had a turn are left alone. */
export class Gaps {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #ends = new Map<string, Instant>();

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock;
    this.#gapMs = gapMs;
  }

  /** Now or earlier for a key that may have its turn. */
  endOf(key: string): Instant {
    return this.#ends.get(key) ?? this.#clock.now();
  }

  begin(key: string): void {
    if (this.#gapMs === 0) return;
    if (this.#ends.size >= manyKeys) this.#forgetPast();
    this.#ends.set(key, instant(this.#clock.now() + this.#gapMs));
  }

  #forgetPast(): void {
    for (const [key, end] of this.#ends) if (end <= this.#clock.now()) this.#ends.delete(key);
  }
}
