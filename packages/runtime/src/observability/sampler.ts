import type { Clock } from '../clock.ts';

const firstPerSecond = 100;
const thenEvery = 100;

/** Lets the first 100 equal entries of a second through, then each 100th: a loop that errs cannot fill the disk. */
export class Sampler {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #seen = new Map<string, number>();
  #second = Number.NaN;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  lets(entry: string): boolean {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) this.#seen.clear();
    this.#second = second;
    const seen = (this.#seen.get(entry) ?? 0) + 1;
    this.#seen.set(entry, seen);
    return seen <= firstPerSecond || (seen - firstPerSecond) % thenEvery === 0;
  }
}
