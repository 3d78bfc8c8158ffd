/** A queue with one reader: pushed to within a write, read by whoever streams the answer. */
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

  /** What was pushed before is still read. */
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
