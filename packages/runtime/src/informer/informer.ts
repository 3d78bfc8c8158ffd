import type { KubernetesObject } from '@nodewright/apis';
import { objectKeyText } from './object-key.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import { type IndexBy, IndexedStore, type ObjectStore } from './store.ts';

/** `before` is missing for an object that is new, `after` for one that is gone. */
export type ChangeHandler<T> = (before: T | undefined, after: T | undefined) => void;

/**
 * A local copy of one kind that follows the API server, and tells about every change. Handlers
 * are called in the order in which they were added, once the store has the change; they only
 * note what to do (put a key into a queue) and return.
 */
export interface Informer<T extends KubernetesObject, I extends string = never> {
  readonly store: ObjectStore<T, I>;
  hasSynced(): boolean;
  /** Resolves after the first complete list has been told to the handlers; rejects when it is stopped before. */
  synced(): Promise<void>;
  /** What is in the store already is told at once, as new. Returns how to leave. */
  onChange(handler: ChangeHandler<T>): () => void;
  /** Ends the watch; resolves when nothing of it moves any more. */
  stop(): Promise<void>;
}

export type InformerOptions<
  T extends KubernetesObject,
  P extends KubernetesObject = T,
  I extends string = never,
> = ReflectorOptions<T> & {
  /** Keeps only the fields that decisions read. `metadata` has to keep name, namespace and resourceVersion. */
  readonly project?: (object: T) => P;
  /** Whether a change says nothing that a handler would want to know; the store takes it either way. */
  readonly isSame?: (before: P, after: P) => boolean;
  readonly indexes?: Readonly<Record<I, IndexBy<P>>>;
};

/** Starts at once. */
export const startInformer = <T extends KubernetesObject, P extends KubernetesObject = T, I extends string = never>(
  options: InformerOptions<T, P, I>,
): Informer<P, I> => new RunningInformer(options);

class RunningInformer<T extends KubernetesObject, P extends KubernetesObject, I extends string> implements Informer<
  P,
  I
> {
  readonly store: IndexedStore<P, I>;
  readonly #project: (object: T) => P;
  readonly #isSame: (before: P, after: P) => boolean;
  readonly #handlers = new Set<ChangeHandler<P>>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #synced: Promise<void>;
  #hasSynced = false;
  #tellSynced: () => void = () => undefined;
  #tellStopped: (reason: Error) => void = () => undefined;

  constructor({ project, isSame, indexes, ...options }: InformerOptions<T, P, I>) {
    this.store = new IndexedStore(indexes ?? ({} as Readonly<Record<I, IndexBy<P>>>));
    this.#project = project ?? ((object) => object as unknown as P);
    this.#isSame = isSame ?? (() => false);
    this.#synced = new Promise((resolve, reject) => {
      this.#tellSynced = resolve;
      this.#tellStopped = reject;
    });
    this.#synced.catch(() => undefined); // a caller need not wait for it
    const reflector = new Reflector(options, {
      replace: (objects) => this.#replace(objects),
      put: (object) => this.#put(object),
      remove: (object) => this.#remove(objectKeyText(object)),
    });
    this.#running = reflector.run(this.#stopping.signal);
  }

  hasSynced(): boolean {
    return this.#hasSynced;
  }

  synced(): Promise<void> {
    return this.#synced;
  }

  onChange(handler: ChangeHandler<P>): () => void {
    this.#handlers.add(handler);
    for (const object of this.store.list()) handler(undefined, object);
    return () => this.#handlers.delete(handler);
  }

  stop(): Promise<void> {
    const reason = new Error('the informer is stopping');
    this.#stopping.abort(reason);
    this.#tellStopped(reason);
    return this.#running;
  }

  #replace(objects: readonly T[]): void {
    const present = new Set(objects.map(objectKeyText));
    for (const key of this.store.keys()) if (!present.has(key)) this.#remove(key);
    for (const object of objects) this.#put(object);
    this.#hasSynced = true;
    this.#tellSynced();
  }

  #put(object: T): void {
    const after = this.#project(object);
    const before = this.store.put(after);
    if (before === undefined || !this.#isUnchanged(before, after)) this.#tell(before, after);
  }

  #remove(key: string): void {
    const before = this.store.remove(key);
    if (before !== undefined) this.#tell(before, undefined);
  }

  /** An object that was deleted and made again between two lists is a change, whatever it looks like. */
  #isUnchanged(before: P, after: P): boolean {
    if (before.metadata.uid !== after.metadata.uid) return false;
    const { resourceVersion } = after.metadata;
    return (
      (resourceVersion !== undefined && before.metadata.resourceVersion === resourceVersion) ||
      this.#isSame(before, after)
    );
  }

  #tell(before: P | undefined, after: P | undefined): void {
    for (const handler of this.#handlers) handler(before, after);
  }
}
