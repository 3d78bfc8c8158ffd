import { type ApiObject, type Key, keyOf, keyText } from './api-object.ts';
import { lowerBound } from './sorted-keys.ts';

/** One write, as watches see it. A deletion carries the object as it last was, at the deletion's revision. */
export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: ApiObject;
  readonly previous?: ApiObject;
};

/** Asked for a revision whose history is no longer kept. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  /** The oldest revision that a watch may still start from. */
  readonly oldest: number;

  constructor(asked: number, oldest: number) {
    super(`revision ${asked} is compacted; the oldest kept is ${oldest}`);
    this.oldest = oldest;
  }
}

/** The objects of one resource, in key order, with the recent past for watches and consistent lists. */
export class Collection {
  readonly #objects: Map<string, ApiObject>;
  /** Sorted when somebody lists; most collections are watched. */
  #keys: readonly string[] | undefined;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #historyLimit: number;
  readonly #untold: Change[] = [];
  #isTelling = false;
  #history: Change[] = [];
  #oldest = 0;

  /** @param objects where they are kept, with those of before a restart */
  constructor(historyLimit: number, objects: Map<string, ApiObject> = new Map()) {
    this.#objects = objects;
    this.#historyLimit = historyLimit;
  }

  get(key: Key): ApiObject | undefined {
    return this.#objects.get(keyText(key));
  }

  /** All objects, or those of one namespace, in key order; only those behind a key, when one is given. */
  list(namespace?: string, after?: string): readonly ApiObject[] {
    return keysWithin(this.#sortedKeys(), namespace, after).map((key) => this.#objects.get(key) as ApiObject);
  }

  /** The same as it was at `revision`. Throws `CompactedError` when the past is gone. */
  listAt(revision: number, namespace?: string, after?: string): readonly ApiObject[] {
    const past = new Map<string, ApiObject | undefined>();
    for (const { object, previous } of this.changesAfter(revision)) {
      const key = keyText(keyOf(object));
      if (!past.has(key)) past.set(key, previous);
    }
    const gone = [...past.keys()].filter((key) => !this.#objects.has(key));
    const keys = gone.length === 0 ? this.#sortedKeys() : [...this.#sortedKeys(), ...gone].toSorted();
    return keysWithin(keys, namespace, after).flatMap(
      (key) => (past.has(key) ? past.get(key) : this.#objects.get(key)) ?? [],
    );
  }

  /** What happened after `revision`, oldest first. Throws `CompactedError` when the past is gone. */
  changesAfter(revision: number): readonly Change[] {
    if (revision < this.#oldest) throw new CompactedError(revision, this.#oldest);
    return this.#history.slice(lowerBound(this.#history, (change) => change.revision > revision));
  }

  /** Makes a change to the objects. Nobody is told before `remember` and `tell`. */
  apply({ type, object }: Change): void {
    const key = keyText(keyOf(object));
    if (type === 'DELETED') this.#remove(key);
    else this.#put(key, object);
  }

  /** After applied changes were taken back: the order of the keys has to be worked out anew. */
  forgetOrder(): void {
    this.#keys = undefined;
  }

  /** Puts an applied change into the history. */
  remember(change: Change): void {
    this.#history.push(change);
    if (this.#history.length >= this.#historyLimit * 2) this.#forgetUntil(this.#history.length - this.#historyLimit);
    this.#untold.push(change);
  }

  /** Tells of what was remembered. A listener may write itself; its change is told after the one that it heard of. */
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

  /** Tells of every later change, as soon as it is kept. Returns the way to stop. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops the history up to and including `revision`. */
  compact(revision: number): void {
    this.#forgetUntil(lowerBound(this.#history, (change) => change.revision > revision));
    this.#oldest = Math.max(this.#oldest, revision);
  }

  #sortedKeys(): readonly string[] {
    return (this.#keys ??= [...this.#objects.keys()].toSorted());
  }

  #put(key: string, object: ApiObject): void {
    if (!this.#objects.has(key)) this.#keys = undefined;
    this.#objects.set(key, object);
  }

  #remove(key: string): void {
    if (this.#objects.delete(key)) this.#keys = undefined;
  }

  #forgetUntil(index: number): void {
    this.#oldest = this.#history[index - 1]?.revision ?? this.#oldest;
    this.#history = this.#history.slice(index);
  }
}

function keysWithin(keys: readonly string[], namespace = '', after = ''): readonly string[] {
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const start = lowerBound(keys, (key) => key > after && key >= prefix);
  const end = prefix === '' ? keys.length : lowerBound(keys, (key) => key >= prefix && !key.startsWith(prefix));
  return keys.slice(start, end);
}
