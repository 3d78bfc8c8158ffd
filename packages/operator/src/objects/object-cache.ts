import type { KubernetesObject } from '@nodewright/apis';

/** Which values an object is found under: `{ node: (pod) => [pod.spec.nodeName] }`. */
export type Indexes<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

export type Change<T> = { readonly before: T | undefined; readonly after: T | undefined };

/**
 * The objects of one kind as last heard of, from a watch or from the answer to an own write.
 *
 * The newer resource version wins, so a decision right after a write sees that write although
 * the watch has not told it yet. Resource versions are compared as numbers, which Kubernetes
 * promises for its own storage (KEP-5504).
 */
export class ObjectCache<T extends KubernetesObject> {
  readonly #indexes: Indexes<T>;
  readonly #objects = new Map<string, T>();
  readonly #found = new Map<string, Map<string, Set<string>>>();
  readonly #handlers: ((change: Change<T>) => void)[] = [];
  readonly #gone = new Set<string>();

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = indexes;
  }

  get(name: string, namespace?: string): T | undefined {
    return this.#objects.get(cacheKey(name, namespace));
  }

  /** Sorted by namespace and name. */
  list(): readonly T[] {
    return this.#pick([...this.#objects.keys()]);
  }

  /** The objects that `index` files under `value`, sorted by namespace and name. */
  by(index: string, value: string): readonly T[] {
    return this.#pick([...(this.#found.get(index)?.get(value) ?? [])]);
  }

  /** Called after every change, in the order of subscription. */
  onChange(handler: (change: Change<T>) => void): void {
    this.#handlers.push(handler);
  }

  seen(object: T): void {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    if (this.#gone.has(object.metadata.uid ?? '') || (before !== undefined && !isNewer(object, before))) return;
    if (before !== undefined) this.#unfile(key, before);
    this.#objects.set(key, object);
    this.#file(key, object);
    this.#tell({ before, after: object });
  }

  gone(object: T): void {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    this.#remember(object.metadata.uid ?? '');
    if (before === undefined || before.metadata.uid !== object.metadata.uid) return;
    this.#unfile(key, before);
    this.#objects.delete(key);
    this.#tell({ before, after: undefined });
  }

  #pick(keys: readonly string[]): readonly T[] {
    const sorted = keys.length > 1 ? keys.toSorted() : keys;
    return sorted.flatMap((key) => this.#objects.get(key) ?? []);
  }

  #file(key: string, object: T): void {
    for (const [index, value] of this.#places(object)) {
      const values = this.#found.get(index) ?? new Map<string, Set<string>>();
      values.set(value, (values.get(value) ?? new Set<string>()).add(key));
      this.#found.set(index, values);
    }
  }

  #unfile(key: string, object: T): void {
    for (const [index, value] of this.#places(object)) {
      const keys = this.#found.get(index)?.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#found.get(index)?.delete(value);
    }
  }

  #places(object: T): readonly (readonly [string, string])[] {
    return Object.entries(this.#indexes).flatMap(([index, valuesOf]) =>
      valuesOf(object).map((value) => [index, value] as const),
    );
  }

  /** An answer to a write may arrive after the watch has told of the end: what is gone stays gone. */
  #remember(uid: string): void {
    this.#gone.add(uid);
    const [oldest] = this.#gone;
    if (this.#gone.size > remembered && oldest !== undefined) this.#gone.delete(oldest);
  }

  #tell(change: Change<T>): void {
    for (const handler of this.#handlers) handler(change);
  }
}

const remembered = 10_000;

export const cacheKey = (name: string, namespace?: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

export const keyOf = (object: KubernetesObject): string => cacheKey(object.metadata.name, object.metadata.namespace);

function isNewer(object: KubernetesObject, than: KubernetesObject): boolean {
  if (object.metadata.uid !== than.metadata.uid) return true;
  return BigInt(object.metadata.resourceVersion ?? '0') > BigInt(than.metadata.resourceVersion ?? '0');
}
