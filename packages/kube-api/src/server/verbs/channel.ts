/** A queue with one reader. A write pushes to it, and the stream of the answer reads from it. */
export class MessageChannel<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  readonly #onClose: () => void;
  #wake: (() => void) | undefined;
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
    this.#mostWaiting = this.#waiting.length + count;
  }

  push(value: T): void {
    if (this.#isClosed) return;
    if (this.#waiting.length >= this.#mostWaiting) return this.close();
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** Ends the queue after the messages that it already contains. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        yield* this.#waiting.splice(0);
        if (this.#waiting.length > 0) continue;
        if (this.#isClosed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.close();
    }
  }
}
