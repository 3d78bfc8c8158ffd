import { Fifo } from '@nodewright/runtime';

/** Hands a message over in its turn. */
export type HandOver = (work: () => void) => void;

const atOnce: HandOver = (work) => work();

/**
 * A queue with one reader. A write pushes to it, and the stream of the answer reads from it.
 *
 * Guarantees: messages arrive in the order of their writes. With `handOver`, each one arrives in a turn of its own, so
 * that the order in which several readers act does not depend on the promises between a queue and its reader.
 */
export class MessageChannel<T> implements AsyncIterable<T>, AsyncIterator<T, undefined> {
  readonly #handOver: HandOver;
  readonly #onClose: () => void;
  /** Messages that wait for their turn. */
  readonly #untold = new Fifo<T>();
  /** Messages that had their turn before they were asked for. */
  readonly #told = new Fifo<T>();
  /** Answers the read that waits for a message. */
  #answer: ((next: IteratorResult<T, undefined>) => void) | undefined;
  #isClosed = false;
  #mostWaiting = Infinity;

  /** `onClose` runs once, whichever side closes. */
  constructor(onClose: () => void, handOver: HandOver = atOnce) {
    this.#onClose = onClose;
    this.#handOver = handOver;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** From now on, a message that would wait behind `count` others closes the queue instead. */
  limitWaiting(count: number): void {
    this.#mostWaiting = this.#waiting + count;
  }

  push(value: T): void {
    if (this.#isClosed) return;
    if (this.#waiting >= this.#mostWaiting) return this.close();
    this.#untold.push(value);
    if (this.#untold.size === 1) this.#handOver(() => this.#tell());
  }

  /** Ends the queue after the messages that it already contains. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    if (this.#waiting === 0) this.#end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One read at a time. */
  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#told.size > 0) return Promise.resolve({ done: false, value: this.#told.shift() as T });
    if (this.#isClosed && this.#untold.size === 0) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** The reader leaves. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#untold.clear();
    this.#told.clear();
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  get #waiting(): number {
    return this.#untold.size + this.#told.size;
  }

  #tell(): void {
    const value = this.#untold.shift();
    if (value === undefined) return;
    const answer = this.#takeAnswer();
    if (answer === undefined) this.#told.push(value);
    else answer({ done: false, value });
    if (this.#untold.size > 0) this.#handOver(() => this.#tell());
  }

  #end(): void {
    this.#takeAnswer()?.({ done: true, value: undefined });
  }

  #takeAnswer(): ((next: IteratorResult<T, undefined>) => void) | undefined {
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }
}
