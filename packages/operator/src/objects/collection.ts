import type { KubernetesObject, ResourceType } from '@nodewright/apis';
import { ApiError, listAll } from '@nodewright/runtime';
import type { DeleteOptions, KubernetesClient, ListOptions, ObjectKey, Subresource } from '@nodewright/runtime';
import { mergeDiff } from './merge-diff.ts';
import { ObjectCache, type Indexes } from './object-cache.ts';

/** One kind: reads come from the cache, writes go to the API server and back into the cache. */
export class CachedCollection<T extends KubernetesObject> {
  readonly type: ResourceType<T>;
  readonly cache: ObjectCache<T>;
  readonly #client: KubernetesClient;

  constructor(type: ResourceType<T>, client: KubernetesClient, indexes: Indexes<T> = {}) {
    this.type = type;
    this.cache = new ObjectCache<T>(indexes);
    this.#client = client;
  }

  get(name: string, namespace?: string): T | undefined {
    return this.cache.get(name, namespace);
  }

  list(): readonly T[] {
    return this.cache.list();
  }

  by(index: string, value: string): readonly T[] {
    return this.cache.by(index, value);
  }

  /** All objects as the API server has them now: what ends something for good does not rest on a watch that may lag. */
  async readAll(selection: Pick<ListOptions, 'fieldSelector'> = {}): Promise<readonly T[]> {
    const { items } = await listAll(this.#client, this.type, selection);
    for (const item of items) this.cache.seen(item);
    return items;
  }

  /** One object as the API server has it now. */
  async read(key: ObjectKey): Promise<T | undefined> {
    const object = await this.#client.get(this.type, key);
    if (object !== undefined) this.cache.seen(object);
    return object;
  }

  async create(object: T): Promise<T> {
    const created = await this.#client.create(this.type, object);
    this.cache.seen(created);
    return created;
  }

  /**
   * As `create`, for an object with a name that may be there already because the answer to its creation was lost.
   * @param isIt whether the object of that name is the one that was to be created
   * @throws ApiError `AlreadyExists` when it is another
   */
  async createOnce(object: T, isIt: (stored: T) => boolean): Promise<T> {
    try {
      return await this.create(object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
      const stored = await this.#client.get(this.type, objectKeyOf(object));
      if (stored === undefined || !isIt(stored)) throw error;
      this.cache.seen(stored);
      return stored;
    }
  }

  /**
   * Writes what differs between `before` and `after` under an optimistic lock: first metadata and
   * spec, then status, each only when it changed.
   * @returns the object as stored; `undefined` when it is gone by now
   * @throws ApiError `Conflict` when another writer changed it since `before` was read
   */
  async save(before: T, after: T): Promise<T | undefined> {
    const body = await this.#patch(before, mergeDiff(withoutStatus(before), withoutStatus(after)));
    if (body === undefined) return undefined;
    const status = mergeDiff(statusOfObject(before), statusOfObject(after));
    return this.#patch(body, status === undefined ? undefined : { status }, 'status');
  }

  /** Asks for deletion; an object that is not there, or is another by now, is fine. */
  async delete(object: T, options: DeleteOptions = {}): Promise<'asked' | 'gone'> {
    const { uid } = object.metadata;
    try {
      await this.#client.delete(this.type, objectKeyOf(object), {
        ...options,
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
      return 'asked';
    } catch (error) {
      if (isNotFoundOrReplaced(error)) return 'gone';
      throw error;
    }
  }

  async #patch(current: T, change: unknown, subresource?: Subresource): Promise<T | undefined> {
    if (change === undefined) return current;
    const lock = { metadata: { resourceVersion: current.metadata.resourceVersion } };
    const patch = mergeInto(change, lock);
    try {
      const options = subresource === undefined ? {} : { subresource };
      const saved = await this.#client.patch(this.type, objectKeyOf(current), { type: 'merge', patch }, options);
      if (isFinalized(saved)) this.cache.gone(saved);
      else this.cache.seen(saved);
      return saved;
    } catch (error) {
      if (isNotFoundAnswer(error)) return undefined;
      throw error;
    }
  }
}

export const isNotFoundAnswer = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** The caller lacks a right. A server that checks rights first answers this also for kinds that it does not have. */
export const isForbiddenAnswer = (error: unknown): boolean => error instanceof ApiError && error.code === 403;

/** Another client has written the object since it was read. */
export const isConflictAnswer = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Conflict';

/** Not there, or another object of the same name (a failed UID precondition). */
export const isNotFoundOrReplaced = (error: unknown): boolean =>
  isNotFoundAnswer(error) || (error instanceof ApiError && error.code === 409);

export const objectKeyOf = ({ metadata: { name, namespace } }: KubernetesObject): ObjectKey =>
  namespace === undefined ? { name } : { name, namespace };

const isFinalized = ({ metadata }: KubernetesObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;

const statusOfObject = (object: KubernetesObject): unknown => (object as { readonly status?: unknown }).status ?? {};

const withoutStatus = (object: KubernetesObject): unknown => ({ ...object, status: undefined });

const mergeInto = (change: unknown, lock: { readonly metadata: object }): unknown => {
  const { metadata, ...rest } = change as { readonly metadata?: object };
  return { ...rest, metadata: { ...metadata, ...lock.metadata } };
};
