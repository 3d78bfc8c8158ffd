import type { KubernetesObject } from '@nodewright/apis';
import { keyOf } from './object-key.ts';

/** The values under which an object is found; none for an object the index leaves out. */
export type Index<T> = (object: T) => readonly string[];

/** `now` is absent when the object is gone, `before` when it is new. */
export type ChangeHandler<T> = (now: T | undefined, before: T | undefined) => void;

type Entries<T> = Map<string, Map<string, T>>;

/** The objects of one kind as they were last seen: what controllers read instead of asking the API. */
export class Watched<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<Index<T>, Entries<T>>();
  readonly #handlers: ChangeHandler<T>[] = [];
  #synced = false;

  /** True once everything that existed when the watch began has been seen. */
  get synced(): boolean {
    return this.#synced;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** In the order of arrival: sort where order matters. */
  all(): readonly T[] {
    return [...this.#objects.values()];
  }

  by(index: Index<T>, value: string): readonly T[] {
    return [...(this.#entries(index).get(value)?.values() ?? [])];
  }

  /** Handlers run at once and in the order in which they came; what is known already is told as new. */
  onChange(handler: ChangeHandler<T>): void {
    this.#handlers.push(handler);
    for (const object of this.#objects.values()) handler(object, undefined);
  }

  put(object: T): void {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    if (before !== undefined && before.metadata.resourceVersion === object.metadata.resourceVersion) return;
    this.#objects.set(key, object);
    for (const [index, entries] of this.#indexes) {
      if (before !== undefined) leave(entries, index(before), key);
      enter(entries, index(object), key, object);
    }
    for (const handler of this.#handlers) handler(object, before);
  }

  remove(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    for (const [index, entries] of this.#indexes) leave(entries, index(before), key);
    for (const handler of this.#handlers) handler(undefined, before);
  }

  /** Takes a complete list: what it lacks is gone. */
  replace(objects: readonly T[]): void {
    const kept = new Set(objects.map(keyOf));
    for (const key of this.#objects.keys()) if (!kept.has(key)) this.remove(key);
    for (const object of objects) this.put(object);
    this.#synced = true;
  }

  #entries(index: Index<T>): Entries<T> {
    const known = this.#indexes.get(index);
    if (known !== undefined) return known;
    const entries: Entries<T> = new Map();
    for (const [key, object] of this.#objects) enter(entries, index(object), key, object);
    this.#indexes.set(index, entries);
    return entries;
  }
}

function enter<T>(entries: Entries<T>, values: readonly string[], key: string, object: T): void {
  for (const value of values) {
    const found = entries.get(value);
    if (found === undefined) entries.set(value, new Map([[key, object]]));
    else found.set(key, object);
  }
}

function leave<T>(entries: Entries<T>, values: readonly string[], key: string): void {
  for (const value of values) {
    const found = entries.get(value);
    found?.delete(key);
    if (found?.size === 0) entries.delete(value);
  }
}
