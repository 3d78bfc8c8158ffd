import type { Instant } from '@nodewright/apis';
import type { Clock, Timer } from '../clock.ts';
import { Fifo } from './fifo.ts';

/** Who wants to know how keys come and go. */
export type QueueWatch = { readonly added: () => void; readonly taken: (waitedMs: number) => void };

const noQueueWatch: QueueWatch = { added: () => undefined, taken: () => undefined };

type Delayed = { readonly at: Instant; readonly timer: Timer };

/**
 * Keys that need a turn. A key is in it once, however often it was added, and never has two
 * turns at a time: added while it has one, it comes again afterwards.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #order = new Fifo<string>();
  /** What is in the order, to find it, and since when. */
  readonly #ready = new Map<string, Instant>();
  readonly #taken = new Set<string>();
  /** Added while they had a turn. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #name: string;
  readonly #watch: QueueWatch;
  #closed = false;

  /**
   * `onReady` is called whenever there is something to take.
   * @param name of the controller that takes the keys; the timers of delayed keys carry it
   */
  constructor(clock: Clock, onReady: () => void, name = 'a work queue', watch = noQueueWatch) {
    this.#clock = clock;
    this.#watch = watch;
    this.#onReady = onReady;
    this.#name = name;
  }

  /** Keys that could be taken now. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Whether the key waits, is due later, or has its turn. */
  has(key: string): boolean {
    return this.#ready.has(key) || this.#delayed.has(key) || this.#taken.has(key);
  }

  add(key: string): void {
    if (this.#closed) return;
    if (this.#taken.has(key)) {
      this.#again.add(key);
      return;
    }
    if (!this.#ready.has(key)) {
      this.#order.push(key);
      this.#ready.set(key, this.#clock.now());
      this.#watch.added();
    }
    this.#onReady();
  }

  /** Of several instants for one key the earliest counts. */
  addAt(key: string, at: Instant): void {
    if (this.#closed) return;
    if (at <= this.#clock.now()) {
      this.add(key);
      return;
    }
    const planned = this.#delayed.get(key);
    if (planned !== undefined && planned.at <= at) return;
    planned?.timer.cancel();
    this.#delayed.set(key, { at, timer: this.#clock.at(at, () => this.#arrive(key), `${this.#name} ${key}`) });
  }

  /** The key that waits longest; it counts as busy until `done`. */
  take(): string | undefined {
    const key = this.#order.shift();
    if (key === undefined) return undefined;
    const now = this.#clock.now();
    this.#watch.taken(now - (this.#ready.get(key) ?? now));
    this.#ready.delete(key);
    this.#taken.add(key);
    return key;
  }

  done(key: string): void {
    this.#taken.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Forgets everything and takes nothing more. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#order.clear();
    this.#ready.clear();
    this.#again.clear();
  }

  #arrive(key: string): void {
    this.#delayed.delete(key);
    this.add(key);
  }
}
