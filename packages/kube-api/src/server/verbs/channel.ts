/** A queue with one reader. A write pushes to it, and the stream of the answer reads from it. */
export class MessageChannel<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  readonly #onClose: () => void;
  #wake: (() => void) | undefined;
  #isClosed = false;

  /** `onClose` runs once, whichever side closes. */
  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(value: T): void {
    if (this.#isClosed) return;
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
