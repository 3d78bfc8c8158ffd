import { byTextOf } from '@nodewright/apis';

/**
 * Objects in the order of their keys. A list that was given does not change; the next one is made on demand.
 *
 * Cost: a change after a list was given copies the list once, and otherwise finds its place by halving. The order is
 * worked out when the first list is asked for.
 */
export class SortedObjects<T> {
  readonly #objects = new Map<string, T>();
  #order: { readonly keys: string[]; list: T[] } | undefined;
  #isGiven = false;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: T): void {
    const isNew = !this.#objects.has(key);
    this.#objects.set(key, object);
    const order = this.#ownOrder();
    if (order === undefined) return;
    const at = placeOfKey(order.keys, key);
    if (isNew) {
      order.keys.splice(at, 0, key);
      order.list.splice(at, 0, object);
    } else order.list[at] = object;
  }

  delete(key: string): void {
    if (!this.#objects.delete(key)) return;
    const order = this.#ownOrder();
    if (order === undefined) return;
    const at = placeOfKey(order.keys, key);
    order.keys.splice(at, 1);
    order.list.splice(at, 1);
  }

  list(): readonly T[] {
    this.#order ??= orderOf(this.#objects);
    this.#isGiven = true;
    return this.#order.list;
  }

  /** The order, with a list of its own. */
  #ownOrder() {
    if (this.#order !== undefined && this.#isGiven) this.#order.list = this.#order.list.slice();
    this.#isGiven = false;
    return this.#order;
  }
}

function orderOf<T>(objects: ReadonlyMap<string, T>): { readonly keys: string[]; list: T[] } {
  const sorted = [...objects].toSorted(byTextOf(([key]) => key));
  return { keys: sorted.map(([key]) => key), list: sorted.map(([, object]) => object) };
}

/** Where a key is, or would be. */
function placeOfKey(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
