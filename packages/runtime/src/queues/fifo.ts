const compactAbove = 1024;

/** First in, first out, in constant time: an array that is cut when half of it has been taken. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const first = this.#items[this.#head++];
    if (this.#head > compactAbove && this.#head > this.size) this.#compact();
    return first;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
