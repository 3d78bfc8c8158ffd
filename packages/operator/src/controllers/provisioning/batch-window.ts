import { instant } from '@nodewright/apis';
import type { Clock, Timer } from '@nodewright/runtime';

export type BatchLimits = {
  readonly idleMs: number;
  readonly maxMs: number;
  /** So many keys close the window at once [no limit]. */
  readonly largest?: number;
};

/**
 * Collects reasons to schedule until they pause (idle), have come for long enough (max) or are as many as a round
 * should begin with, so that pods which appear together are placed together.
 *
 * A key that has come in this window already does not prolong it. What comes while the provisioner does not wait
 * opens the next window at once.
 */
export class BatchWindow {
  readonly #clock: Clock;
  readonly #limits: BatchLimits;
  readonly #seen = new Set<string>();
  #waiting: { readonly close: () => void; idle?: Timer; max?: Timer } | undefined;

  constructor(clock: Clock, limits: BatchLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  trigger(key: string): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#prolong();
  }

  /** Resolves when a window has closed; rejects when the signal aborts. One caller at a time. */
  async closed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#end();
        reject(signal.reason as Error);
      };
      const close = (): void => {
        signal.removeEventListener('abort', abort);
        this.#end();
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting = { close };
      if (this.#seen.size > 0) this.#prolong();
    });
  }

  #prolong(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const { idleMs, maxMs, largest = Infinity } = this.#limits;
    const now = this.#clock.now();
    waiting.max ??= this.#clock.at(instant(now + maxMs), waiting.close);
    waiting.idle?.cancel();
    waiting.idle = this.#clock.at(instant(now + (this.#seen.size < largest ? idleMs : 0)), waiting.close);
  }

  #end(): void {
    this.#waiting?.idle?.cancel();
    this.#waiting?.max?.cancel();
    this.#waiting = undefined;
    this.#seen.clear();
  }
}
