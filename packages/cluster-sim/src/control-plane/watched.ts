import type { KubernetesObject } from '@nodewright/apis';
import { type ChangeHandler, type IndexBy, type Informer, objectKeyText } from '@nodewright/runtime';

type Entries<T> = Map<string, Map<string, T>>;

/** Objects that are alike in what is counted: one that is or was there, and how many there are. */
export type AlikeObjects<T> = { readonly one: T; readonly count: number };

/** What objects are counted by: an index, and a text that is the same for objects that are alike. */
export type CountedBy<T> = { readonly index: IndexBy<T>; readonly likeness: (object: T) => string };

type Counts<T> = Map<string, Map<string, AlikeObjects<T>>>;

/** The objects of one kind as last seen. An index is built when it is first read. */
export class Watched<T extends KubernetesObject> {
  readonly #informer: Informer<T>;
  readonly #indexes = new Map<IndexBy<T>, Entries<T>>();
  readonly #counts = new Map<CountedBy<T>, Counts<T>>();

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

  /** How many objects under one value of an index are alike. Kept with each change, so that they need not be counted anew. */
  counted(by: CountedBy<T>, value: string): readonly AlikeObjects<T>[] {
    return [...(this.#countsOf(by).get(value)?.values() ?? [])];
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
    for (const [by, counts] of this.#counts) {
      if (before !== undefined) countObject(counts, by, before, -1);
      if (after !== undefined) countObject(counts, by, after, 1);
    }
  }

  #countsOf(by: CountedBy<T>): Counts<T> {
    const known = this.#counts.get(by);
    if (known !== undefined) return known;
    const counts: Counts<T> = new Map();
    for (const object of this.all()) countObject(counts, by, object, 1);
    this.#counts.set(by, counts);
    return counts;
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

function countObject<T>(counts: Counts<T>, { index, likeness }: CountedBy<T>, object: T, step: 1 | -1): void {
  for (const value of index(object)) {
    const alike = counts.get(value) ?? new Map<string, AlikeObjects<T>>();
    const text = likeness(object);
    const { one, count } = alike.get(text) ?? { one: object, count: 0 };
    if (count + step === 0) alike.delete(text);
    else alike.set(text, { one, count: count + step });
    if (alike.size === 0) counts.delete(value);
    else counts.set(value, alike);
  }
}
