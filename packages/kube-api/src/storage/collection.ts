import { type ApiObject, type StoredKey, storedKeyOf, keyText } from './api-object.ts';
import { FieldIndex } from './field-index.ts';
import { lowerBound, mergedKeys } from './sorted-keys.ts';

/** One write. A deletion has the last state of the object and the revision of the deletion. */
export type ObjectChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: ApiObject;
  readonly previous?: ApiObject;
};

/** The history of the requested revision is no longer kept. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  /** The oldest revision at which a watch may start. */
  readonly oldest: number;

  constructor(asked: number, oldest: number) {
    super(`revision ${asked} is compacted; the oldest kept is ${oldest}`);
    this.oldest = oldest;
  }
}

/**
 * The objects of one resource in key order, with recent history for watches and consistent lists.
 *
 * Guarantees: listeners see the changes in the order of writes, each once. A change by a listener reaches all
 * listeners after the change that caused it.
 *
 * Errors: `CompactedError` when the history of a revision is gone.
 */
export class StoredCollection {
  readonly #objects: Map<string, ApiObject>;
  /** Put in order by the first list, because most collections are watched and rarely listed. */
  #keys: readonly string[] | undefined;
  /** Keys that came or went since the last list, in no order. */
  readonly #moved = new Set<string>();
  /** By field, from the first request for objects by it. */
  readonly #fields = new Map<string, FieldIndex>();
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #historyLimit: number;
  readonly #untold: ObjectChange[] = [];
  #isTelling = false;
  #history: ObjectChange[] = [];
  #oldest = 0;

  /** @param objects the map that holds the objects, with those from before a restart */
  constructor(historyLimit: number, objects: Map<string, ApiObject> = new Map()) {
    this.#objects = objects;
    this.#historyLimit = historyLimit;
  }

  get(key: StoredKey): ApiObject | undefined {
    return this.#objects.get(keyText(key));
  }

  /** All objects, or those of one namespace, in key order. With `after`, only those behind that key. */
  list(namespace?: string, after?: string): readonly ApiObject[] {
    if (this.#objects.size === 0) return noObjects; // admission asks for webhooks, policies and quotas at every write
    return keysWithin(this.#sortedKeys(), namespace, after).map((key) => this.#objects.get(key) as ApiObject);
  }

  /** The first `limit` objects of such a list, and how many follow them. */
  page(limit: number, namespace?: string, after?: string): { objects: readonly ApiObject[]; following: number } {
    const { start, end } = rangeOfKeys(this.#sortedKeys(), namespace, after);
    const last = Math.min(end, start + limit);
    const objects = this.#sortedKeys().slice(start, last);
    return { objects: objects.map((key) => this.#objects.get(key) as ApiObject), following: end - last };
  }

  /**
   * The objects whose `field` has a text, in key order, without going through the others.
   * @param textOf reads the field; the same for every call with the same name
   */
  withField(field: string, text: string, textOf: (object: ApiObject) => string): readonly ApiObject[] {
    const index = this.#fields.get(field) ?? this.#indexBy(field, textOf);
    return index.keysOf(text).map((key) => this.#objects.get(key) as ApiObject);
  }

  /** The list at `revision`. Throws `CompactedError` when its history is gone. */
  listAt(revision: number, namespace?: string, after?: string): readonly ApiObject[] {
    const past = new Map<string, ApiObject | undefined>();
    for (const { object, previous } of this.changesAfter(revision)) {
      const key = keyText(storedKeyOf(object));
      if (!past.has(key)) past.set(key, previous);
    }
    const gone = [...past.keys()].filter((key) => !this.#objects.has(key));
    const keys = gone.length === 0 ? this.#sortedKeys() : [...this.#sortedKeys(), ...gone].toSorted();
    return keysWithin(keys, namespace, after).flatMap(
      (key) => (past.has(key) ? past.get(key) : this.#objects.get(key)) ?? [],
    );
  }

  /** The changes after `revision`, oldest first. Throws `CompactedError` when its history is gone. */
  changesAfter(revision: number): readonly ObjectChange[] {
    if (revision < this.#oldest) throw new CompactedError(revision, this.#oldest);
    return this.#history.slice(lowerBound(this.#history, (change) => change.revision > revision));
  }

  /** Changes the objects. History and listeners get the change with `remember` and `tell`. */
  apply({ type, object }: ObjectChange): void {
    const key = keyText(storedKeyOf(object));
    if (type === 'DELETED') this.#remove(key);
    else this.#put(key, object);
  }

  /** Forgets what was worked out from the objects after applied changes were undone. */
  forgetOrder(): void {
    this.#forgetKeys();
    this.#fields.clear();
  }

  /** Adds an applied change to the history. */
  remember(change: ObjectChange): void {
    this.#history.push(change);
    if (this.#history.length >= this.#historyLimit * 2) this.#forgetUntil(this.#history.length - this.#historyLimit);
    this.#untold.push(change);
  }

  /** Calls the listeners for the remembered changes. A listener may write; its change is delivered after the current one. */
  tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let change = this.#untold.shift(); change !== undefined; change = this.#untold.shift()) {
        for (const listener of this.#listeners) listener(change);
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** Calls the listener for every later change. Returns a function that ends the subscription. */
  subscribe(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops the history up to and including `revision`. */
  compact(revision: number): void {
    this.#forgetUntil(lowerBound(this.#history, (change) => change.revision > revision));
    this.#oldest = Math.max(this.#oldest, revision);
  }

  #sortedKeys(): readonly string[] {
    if (this.#keys !== undefined && this.#moved.size === 0) return this.#keys;
    this.#keys = this.#keys === undefined ? [...this.#objects.keys()].toSorted() : this.#keysAfterMoves(this.#keys);
    this.#moved.clear();
    return this.#keys;
  }

  #keysAfterMoves(before: readonly string[]): readonly string[] {
    const came = [...this.#moved].filter((key) => this.#objects.has(key)).toSorted();
    const stayed = before.filter((key) => !this.#moved.has(key));
    return mergedKeys(stayed, came);
  }

  /** When more has moved than there is, the order is worth nothing any more. */
  #moveKey(key: string): void {
    if (this.#keys === undefined) return;
    this.#moved.add(key);
    if (this.#moved.size > this.#objects.size) this.#forgetKeys();
  }

  #forgetKeys(): void {
    this.#keys = undefined;
    this.#moved.clear();
  }

  #indexBy(field: string, textOf: (object: ApiObject) => string): FieldIndex {
    const index = new FieldIndex(textOf);
    for (const [key, object] of this.#objects) index.replace(key, undefined, object);
    this.#fields.set(field, index);
    return index;
  }

  #put(key: string, object: ApiObject): void {
    const before = this.#objects.get(key);
    this.#objects.set(key, object); // first, because a ledger may refuse it
    if (before === undefined) this.#moveKey(key);
    for (const index of this.#fields.values()) index.replace(key, before, object);
  }

  #remove(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    this.#moveKey(key);
    for (const index of this.#fields.values()) index.replace(key, before, undefined);
  }

  #forgetUntil(index: number): void {
    this.#oldest = this.#history[index - 1]?.revision ?? this.#oldest;
    this.#history = this.#history.slice(index);
  }
}

const noObjects: readonly ApiObject[] = [];

function keysWithin(keys: readonly string[], namespace?: string, after?: string): readonly string[] {
  const { start, end } = rangeOfKeys(keys, namespace, after);
  return keys.slice(start, end);
}

type KeyRange = { readonly start: number; readonly end: number };

function rangeOfKeys(keys: readonly string[], namespace = '', after = ''): KeyRange {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const start = lowerBound(keys, (key) => key > after && key >= prefix);
  const end = prefix === '' ? keys.length : lowerBound(keys, (key) => key >= prefix && !key.startsWith(prefix));
  return { start, end: Math.max(start, end) };
}
