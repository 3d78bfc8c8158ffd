import { instant, type Instant } from '@nodewright/apis';
import type { Clock, Timer } from '@nodewright/runtime';

export type CallBatchWindow = {
  /** A batch goes out when nothing was added for so long; in a stream of items, only when it is as old as the longest, */
  readonly idleMs: number;
  /** when it is so old, */
  readonly longestMs: number;
  /** or when it is so large. */
  readonly largest: number;
  /** Told of every batch when it goes out: how many items it has, and how long it was waited for. */
  readonly onBatch?: (batch: { readonly size: number; readonly seconds: number }) => void;
};

type WaitingCall<I, O> = {
  readonly item: I;
  readonly resolve: (value: O) => void;
  readonly reject: (reason: unknown) => void;
};

/** What one item of a batch gets: a value, or an error that is not the others'. */
export type BatchAnswer<O> = PromiseSettledResult<O>;

/** So many batches in a row are no chance: a large launch or roll is under way. */
const streamBatches = 5;

/**
 * Joins calls that are made at about the same time into one. Items that come one after another make one call in each of
 * the longest times.
 */
export class Batcher<I, O> {
  readonly #clock: Clock;
  readonly #window: CallBatchWindow;
  readonly #run: (items: readonly I[]) => Promise<readonly BatchAnswer<O>[]>;
  #waiting: WaitingCall<I, O>[] = [];
  #since = 0;
  #timer: Timer | undefined;
  #flushedAt: Instant | undefined;
  /** How many batches have begun soon after the one before. */
  #inARow = 0;

  /** @param run answers in the order of the items; what it throws is the answer for all of them */
  constructor(clock: Clock, window: CallBatchWindow, run: (items: readonly I[]) => Promise<readonly BatchAnswer<O>[]>) {
    this.#clock = clock;
    this.#window = window;
    this.#run = run;
  }

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#begin();
      this.#waiting.push({ item, resolve, reject });
      this.#arm();
    });
  }

  #begin(): void {
    this.#since = this.#clock.now();
    const isSoon = this.#flushedAt !== undefined && this.#since < this.#flushedAt + this.#window.longestMs;
    this.#inARow = isSoon ? this.#inARow + 1 : 0;
  }

  #arm(): void {
    this.#timer?.cancel();
    const { idleMs, longestMs, largest } = this.#window;
    if (this.#waiting.length >= largest) return this.#flush();
    const now = this.#clock.now();
    const isStream = this.#inARow >= streamBatches;
    const due = instant(Math.min(now + (isStream ? longestMs : idleMs), this.#since + longestMs));
    this.#timer = this.#clock.at(due, () => this.#flush());
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#timer = undefined;
    this.#flushedAt = this.#clock.now();
    this.#window.onBatch?.({ size: batch.length, seconds: (this.#flushedAt - this.#since) / 1_000 });
    this.#run(batch.map(({ item }) => item)).then(
      (answers) => batch.forEach((waiting, index) => settle(waiting, answers[index])),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
  }
}

function settle<I, O>({ resolve, reject }: WaitingCall<I, O>, answer: BatchAnswer<O> | undefined): void {
  if (answer?.status === 'fulfilled') resolve(answer.value);
  else reject(answer?.reason ?? new Error('a batch came back without an answer for one of its items'));
}

export const batchAnswer = <O>(value: O): BatchAnswer<O> => ({ status: 'fulfilled', value });
export const batchError = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });
