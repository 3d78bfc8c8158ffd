import { instant, type Instant } from '@nodewright/apis';
import type { Clock, Timer } from '@nodewright/runtime';

type Pending = { readonly due: Instant; readonly number: number; readonly callback: () => void };

/** A clock that moves only when a test moves it; timers run in order of instant, then of insertion. */
export class HandClock implements Clock {
  #now: Instant;
  #pending: readonly Pending[] = [];
  #count = 0;

  constructor(start: string) {
    this.#now = instant(Date.parse(start));
  }

  now(): Instant {
    return this.#now;
  }

  at(due: Instant, callback: () => void): Timer {
    this.#count += 1;
    const timer = { due: instant(Math.max(due, this.#now)), number: this.#count, callback };
    this.#pending = [...this.#pending, timer].toSorted((a, b) => a.due - b.due || a.number - b.number);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((each) => each !== timer);
      },
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(instant(this.#now + ms), resolve);
    });
  }

  advance(ms: number): void {
    const until = instant(this.#now + ms);
    for (let [next] = this.#pending; next !== undefined && next.due <= until; [next] = this.#pending) {
      this.#pending = this.#pending.slice(1);
      this.#now = next.due;
      next.callback();
    }
    this.#now = until;
  }
}
