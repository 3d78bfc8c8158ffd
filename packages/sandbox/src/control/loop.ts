import { instant, type Instant } from '@nodewright/apis';
import { ApiError, type Clock, type Timer } from '@nodewright/runtime';

/** The instant at which the key wants another look without anything having changed; none when only changes matter. */
export type Recheck = Instant | undefined;

export type Reconcile = (key: string) => Promise<Recheck>;

export type LoopOptions = {
  readonly name: string;
  readonly clock: Clock;
  readonly reconcile: Reconcile;
  /** Told of every failure that is not a lost race. */
  readonly onError?: (error: unknown, key: string) => void;
};

const firstRetryMs = 100;
const longestRetryMs = 60_000;

/**
 * Reconciles keys one after another. A key that is added while it waits is looked at once; one that is
 * added while it is looked at is looked at again. Failures come back with growing delays.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #waiting = new Set<string>();
  readonly #rechecks = new Map<string, { readonly due: Instant; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  #state: 'closed' | 'idle' | 'running' | 'stopped' = 'closed';

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  add(key: string): void {
    this.#waiting.add(key);
    this.#wake();
  }

  addAt(key: string, due: Instant): void {
    const known = this.#rechecks.get(key);
    if (known !== undefined && known.due <= due) return;
    known?.timer.cancel();
    const timer = this.#options.clock.at(due, () => {
      this.#rechecks.delete(key);
      this.add(key);
    });
    this.#rechecks.set(key, { due, timer });
  }

  /** From now on keys are looked at. */
  open(): void {
    if (this.#state !== 'closed') return;
    this.#state = 'idle';
    this.#wake();
  }

  /** Nothing is looked at any more; what is under way ends by itself. */
  stop(): void {
    this.#state = 'stopped';
    for (const { timer } of this.#rechecks.values()) timer.cancel();
  }

  #wake(): void {
    if (this.#state !== 'idle' || this.#waiting.size === 0) return;
    this.#state = 'running';
    queueMicrotask(() => void this.#run());
  }

  get #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  async #run(): Promise<void> {
    for (const key of this.#waiting) {
      if (this.#isStopped) break;
      this.#waiting.delete(key);
      await this.#reconcile(key);
    }
    if (!this.#isStopped) this.#state = 'idle';
  }

  async #reconcile(key: string): Promise<void> {
    try {
      const recheck = await this.#options.reconcile(key);
      this.#failures.delete(key);
      if (recheck !== undefined) this.addAt(key, recheck);
    } catch (error) {
      if (this.#isStopped) return;
      if (!isLostRace(error)) this.#options.onError?.(error, key);
      this.addAt(key, instant(this.#options.clock.now() + this.#retryDelayMs(key)));
    }
  }

  #retryDelayMs(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(firstRetryMs * 2 ** failures, longestRetryMs);
  }
}

/** Somebody else was faster: the next look sees what they did. */
const isLostRace = (error: unknown): boolean =>
  error instanceof ApiError && ['Conflict', 'NotFound', 'AlreadyExists'].includes(error.reason);
