import { byText, type KubernetesObject, shareObject, byTextOf } from '@nodewright/apis';
import { objectKeyText } from './object-key.ts';

/** Which values an object is found under. */
export type IndexBy<T> = (object: T) => readonly string[];

/** What an informer has seen. Lists are ordered by key (`namespace/name`) and are not changed after they were given. */
export interface ObjectStore<T extends KubernetesObject, I extends string = never> {
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: I, value: string): readonly T[];
}

export class IndexedStore<T extends KubernetesObject, I extends string = never> implements ObjectStore<T, I> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: ReadonlyMap<I, Index<T>>;
  /** In order; unknown after keys came or went. */
  #keys: readonly string[] | undefined;
  #sorted: readonly T[] | undefined;

  constructor(indexes: Readonly<Record<I, IndexBy<T>>>) {
    const entries = Object.entries<IndexBy<T>>(indexes);
    this.#indexes = new Map(entries.map(([name, by]) => [name as I, new Index(by)]));
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    this.#keys ??= this.keys();
    this.#sorted ??= shareObject(this.#keys.flatMap((key) => this.#objects.get(key) ?? []));
    return this.#sorted;
  }

  byIndex(index: I, value: string): readonly T[] {
    const found = this.#indexes.get(index);
    if (found === undefined)
      throw new Error(`there is no index ${index}; there are ${[...this.#indexes.keys()].join(', ')}`);
    return found.at(value);
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()].toSorted(byText);
  }

  /** What was there before. */
  put(object: T): T | undefined {
    const key = objectKeyText(object);
    const before = this.#take(key);
    if (before === undefined) this.#keys = undefined;
    this.#objects.set(key, shareObject(object));
    for (const index of this.#indexes.values()) index.add(key, object);
    return before;
  }

  remove(key: string): T | undefined {
    const before = this.#take(key);
    if (this.#objects.delete(key)) this.#keys = undefined;
    return before;
  }

  #take(key: string): T | undefined {
    this.#sorted = undefined;
    const object = this.#objects.get(key);
    if (object !== undefined) for (const index of this.#indexes.values()) index.remove(key, object);
    return object;
  }
}

class Index<T> {
  readonly #by: IndexBy<T>;
  readonly #objects = new Map<string, Map<string, T>>();
  /** Lists that were given, until something in them changes. */
  readonly #sorted = new Map<string, readonly T[]>();

  constructor(by: IndexBy<T>) {
    this.#by = by;
  }

  at(value: string): readonly T[] {
    const known = this.#sorted.get(value);
    if (known !== undefined) return known;
    const under = this.#objects.get(value);
    if (under === undefined) return [];
    const sorted = inKeyOrder(under);
    this.#sorted.set(value, sorted);
    return sorted;
  }

  add(key: string, object: T): void {
    for (const value of this.#by(object)) {
      const under = this.#objects.get(value) ?? new Map<string, T>();
      this.#objects.set(value, under.set(key, object));
      this.#sorted.delete(value);
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#by(object)) {
      const under = this.#objects.get(value);
      under?.delete(key);
      if (under?.size === 0) this.#objects.delete(value);
      this.#sorted.delete(value);
    }
  }
}

const inKeyOrder = <T>(objects: ReadonlyMap<string, T>): readonly T[] =>
  shareObject([...objects].toSorted(byTextOf(([key]) => key)).map(([, object]) => object));
