/** Objects in the order of their keys. A list that was given does not change; the next one is made on demand. */
export class SortedObjects<T> {
  readonly #objects = new Map<string, T>();
  /** In order; unknown after keys came or went. */
  #keys: readonly string[] | undefined;
  #list: readonly T[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: T): void {
    if (!this.#objects.has(key)) this.#keys = undefined;
    this.#objects.set(key, object);
    this.#list = undefined;
  }

  delete(key: string): void {
    if (!this.#objects.delete(key)) return;
    this.#keys = undefined;
    this.#list = undefined;
  }

  list(): readonly T[] {
    this.#keys ??= [...this.#objects.keys()].toSorted();
    this.#list ??= this.#keys.flatMap((key) => this.#objects.get(key) ?? []);
    return this.#list;
  }
}
