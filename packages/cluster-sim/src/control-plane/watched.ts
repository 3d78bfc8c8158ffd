import type { KubernetesObject } from '@nodewright/apis';
import { type ChangeHandler, type IndexBy, type Informer, objectKeyText } from '@nodewright/runtime';

type Entries<T> = Map<string, Map<string, T>>;

/** The objects of one kind as last seen. An index is built when it is first read. */
export class Watched<T extends KubernetesObject> {
  readonly #informer: Informer<T>;
  readonly #indexes = new Map<IndexBy<T>, Entries<T>>();

  constructor(informer: Informer<T>) {
    this.#informer = informer;
    informer.onChange((before, after) => this.#index(before, after));
  }

  get synced(): boolean {
    return this.#informer.hasSynced();
  }

  whenSynced(): Promise<void> {
    return this.#informer.synced();
  }

  get(key: string): T | undefined {
    return this.#informer.store.get(key);
  }

  /** All objects, in the order of their keys. */
  all(): readonly T[] {
    return this.#informer.store.list();
  }

  /** The objects under one value of an index, in the order of arrival. Callers sort where order matters. */
  by(index: IndexBy<T>, value: string): readonly T[] {
    return [...(this.#entries(index).get(value)?.values() ?? [])];
  }

  /** The handler receives each known object at once, as new. */
  onChange(handler: ChangeHandler<T>): void {
    this.#informer.onChange(handler);
  }

  #index(before: T | undefined, after: T | undefined): void {
    for (const [index, entries] of this.#indexes) {
      if (before !== undefined) leave(entries, index(before), objectKeyText(before));
      if (after !== undefined) enterValues(entries, index(after), after);
    }
  }

  #entries(index: IndexBy<T>): Entries<T> {
    const known = this.#indexes.get(index);
    if (known !== undefined) return known;
    const entries: Entries<T> = new Map();
    for (const object of this.all()) enterValues(entries, index(object), object);
    this.#indexes.set(index, entries);
    return entries;
  }
}

function enterValues<T extends KubernetesObject>(entries: Entries<T>, values: readonly string[], object: T): void {
  for (const value of values) {
    const found = entries.get(value);
    if (found === undefined) entries.set(value, new Map([[objectKeyText(object), object]]));
    else found.set(objectKeyText(object), object);
  }
}

function leave<T>(entries: Entries<T>, values: readonly string[], key: string): void {
  for (const value of values) {
    const found = entries.get(value);
    found?.delete(key);
    if (found?.size === 0) entries.delete(value);
  }
}
