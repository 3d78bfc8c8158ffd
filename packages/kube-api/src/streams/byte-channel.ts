/** Bytes that one side writes and the other reads, until one of them ends it. */
export class ByteChannel implements AsyncIterable<Uint8Array> {
  readonly #unread: Uint8Array[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(bytes: Uint8Array): void {
    if (this.#isEnded || bytes.length === 0) return;
    this.#unread.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** The next piece; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#unread.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#unread.shift();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) yield piece;
  }
}
