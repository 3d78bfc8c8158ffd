import type { KubernetesObject } from '@nodewright/apis';
import { isEqualDiffValue } from './merge-diff.ts';
import { SortedObjects } from './sorted-objects.ts';

/** Which values an object is found under: `{ node: (pod) => [pod.spec.nodeName] }`. */
export type Indexes<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

export type CacheChange<T> = { readonly before: T | undefined; readonly after: T | undefined };

/**
 * The objects of one kind as last seen, from a watch or from the answer to an own write.
 *
 * The newer resource version wins, so a decision right after a write sees that write although
 * the watch has not shown it yet. Resource versions are compared as numbers, which Kubernetes
 * promises for its own storage (KEP-5504).
 */
export class ObjectCache<T extends KubernetesObject> {
  readonly #indexes: readonly (readonly [string, (object: T) => readonly string[]])[];
  readonly #objects = new SortedObjects<T>();
  readonly #found = new Map<string, Map<string, SortedObjects<T>>>();
  readonly #handlers: ((change: CacheChange<T>) => void)[] = [];
  readonly #gone = new Set<string>();
  /** Goes on where it stopped: a new iterator would walk over the places of all that was forgotten before. */
  readonly #longestGoneFirst = this.#gone.values();

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = Object.entries(indexes);
  }

  get(name: string, namespace?: string): T | undefined {
    return this.#objects.get(cacheKey(name, namespace));
  }

  /** Sorted by namespace and name. The same list until something changes. */
  list(): readonly T[] {
    return this.#objects.list();
  }

  /** The objects that `index` files under `value`, sorted by namespace and name. The same list until one of them changes. */
  by(index: string, value: string): readonly T[] {
    return this.#found.get(index)?.get(value)?.list() ?? noObjects;
  }

  /** Called after every change, in the order of subscription. */
  onChange(handler: (change: CacheChange<T>) => void): void {
    this.#handlers.push(handler);
  }

  seen(object: T): void {
    const key = cacheKeyOf(object);
    const before = this.#objects.get(key);
    if (this.#gone.has(object.metadata.uid ?? '') || (before !== undefined && !isNewerObject(object, before))) return;
    const after = before === undefined ? object : withKnownSpec(object, before);
    this.#objects.set(key, after);
    this.#file(key, before, after);
    this.#tell({ before, after });
  }

  gone(object: T): void {
    const key = cacheKeyOf(object);
    const before = this.#objects.get(key);
    this.#remember(object.metadata.uid ?? '');
    if (before === undefined || before.metadata.uid !== object.metadata.uid) return;
    this.#objects.delete(key);
    this.#file(key, before, undefined);
    this.#tell({ before, after: undefined });
  }

  /** Where it was and stays, it is only replaced: the order there is still known. */
  #file(key: string, before: T | undefined, after: T | undefined): void {
    for (const [index, valuesOf] of this.#indexes) {
      const now = after === undefined ? noValues : valuesOf(after);
      for (const value of before === undefined ? noValues : valuesOf(before))
        if (!now.includes(value)) this.#take(key, { index, value });
      if (after !== undefined) for (const value of now) this.#put(key, { index, value }, after);
    }
  }

  #put(key: string, { index, value }: IndexPlace, object: T): void {
    const values = this.#found.get(index) ?? new Map<string, SortedObjects<T>>();
    const found = values.get(value) ?? new SortedObjects<T>();
    found.set(key, object);
    this.#found.set(index, values.set(value, found));
  }

  #take(key: string, { index, value }: IndexPlace): void {
    const values = this.#found.get(index);
    const found = values?.get(value);
    found?.delete(key);
    if (found?.size === 0) values?.delete(value);
  }

  /** The answer to a write may arrive after the watch has reported the deletion: the object stays deleted. */
  #remember(uid: string): void {
    this.#gone.add(uid);
    if (this.#gone.size <= mostRememberedDeletions) return;
    const { value: oldest } = this.#longestGoneFirst.next();
    if (oldest !== undefined) this.#gone.delete(oldest);
  }

  #tell(change: CacheChange<T>): void {
    for (const handler of this.#handlers) handler(change);
  }
}

type IndexPlace = { readonly index: string; readonly value: string };

const noObjects: readonly never[] = [];
const noValues: readonly string[] = [];

const mostRememberedDeletions = 10_000;

export const cacheKey = (name: string, namespace?: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

export const cacheKeyOf = (object: KubernetesObject): string =>
  cacheKey(object.metadata.name, object.metadata.namespace);

function isNewerObject(object: KubernetesObject, than: KubernetesObject): boolean {
  if (object.metadata.uid !== than.metadata.uid) return true;
  return isLater(object.metadata.resourceVersion ?? '0', than.metadata.resourceVersion ?? '0');
}

/** A spec that says the same stays the same object, so what was worked out from it still holds. */
function withKnownSpec<T extends KubernetesObject>(object: T, before: T): T {
  const { generation } = object.metadata;
  if (generation === undefined || generation !== before.metadata.generation) return object;
  if (!('spec' in object) || !('spec' in before) || !isEqualDiffValue(object.spec, before.spec)) return object;
  return { ...object, spec: before.spec };
}

/** Compares decimal numbers of any length. */
const isLater = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);
