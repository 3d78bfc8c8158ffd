import { Fifo } from '@nodewright/runtime';

/** A queue with one reader. A write pushes to it, and the stream of the answer reads from it. */
export class MessageChannel<T> implements AsyncIterable<T>, AsyncIterator<T, undefined> {
  readonly #waiting = new Fifo<T>();
  readonly #onClose: () => void;
  /** Answers the read that waits for a message. */
  #answer: ((next: IteratorResult<T, undefined>) => void) | undefined;
  #isClosed = false;
  #mostWaiting = Infinity;

  /** `onClose` runs once, whichever side closes. */
  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** From now on, a message that would wait behind `count` others closes the queue instead. */
  limitWaiting(count: number): void {
    this.#mostWaiting = this.#waiting.size + count;
  }

  push(value: T): void {
    if (this.#isClosed) return;
    if (this.#answer !== undefined) return this.#tell({ done: false, value });
    if (this.#waiting.size >= this.#mostWaiting) return this.close();
    this.#waiting.push(value);
  }

  /** Ends the queue after the messages that it already contains. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#tell({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One read at a time. */
  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#waiting.size > 0) return Promise.resolve({ done: false, value: this.#waiting.shift() as T });
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** The reader leaves. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.close();
    this.#waiting.clear();
    return Promise.resolve({ done: true, value: undefined });
  }

  #tell(next: IteratorResult<T, undefined>): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(next);
  }
}
