/** What a heap keeps in each item: where it is, so that it can be taken out again. -1 while outside. */
export type HeapItem = { position: number };

/** A binary heap whose items can be removed from the middle. `before` must be a strict total order. */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** In no particular order. */
  items(): readonly T[] {
    return this.#items;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Whether the item was there. */
  remove(item: T): boolean {
    const hole = item.position;
    if (this.#items[hole] !== item) return false;
    const last = this.#items.pop();
    item.position = -1;
    if (last !== undefined && last !== item) this.#settle(last, hole);
    return true;
  }

  #settle(item: T, hole: number): void {
    this.#rise(item, hole);
    if (item.position === hole) this.#sink(item, hole);
  }

  #rise(item: T, from: number): void {
    let at = from;
    for (let up = (at - 1) >> 1; at > 0; up = (at - 1) >> 1) {
      const parent = this.#items[up];
      if (parent === undefined || !this.#before(item, parent)) break;
      this.#place(parent, at);
      at = up;
    }
    this.#place(item, at);
  }

  #sink(item: T, from: number): void {
    let at = from;
    for (let down = this.#firstChild(at); down !== undefined; down = this.#firstChild(at)) {
      if (!this.#before(down, item)) break;
      const next = down.position;
      this.#place(down, at);
      at = next;
    }
    this.#place(item, at);
  }

  #firstChild(at: number): T | undefined {
    const left = this.#items[2 * at + 1];
    const right = this.#items[2 * at + 2];
    return left !== undefined && right !== undefined && this.#before(right, left) ? right : left;
  }

  #place(item: T, at: number): void {
    this.#items[at] = item;
    item.position = at;
  }
}
