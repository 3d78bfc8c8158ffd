import { type KubernetesObject, type ObjectList, type ResourceType, apiVersionOf, pods } from '@nodewright/apis';
import type { CallGate, Clock } from '../clock.ts';
import { type BucketOptions, tokenBucket } from '../queues/rate-limit.ts';
import type { HttpHeaders, HttpResponse, Transport } from '../http.ts';
import {
  ApiError,
  type DeleteOptions,
  type KubernetesClient,
  type ListOptions,
  type ObjectKey,
  type Patch,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '../kubernetes-client.ts';
import { decodeAnswer, refuseFailure, streamedDocuments } from './answer.ts';
import { collectionPath, createPath, deleteBody, listQuery, objectPath, watchQuery, writeQuery } from './paths.ts';

export type KubernetesClientOptions = {
  readonly transport: Transport;
  readonly gate: CallGate;
  /** `nodewright/0.1.0 (linux/amd64)`: who the audit log names. */
  readonly userAgent: string;
  /** Added to every request, such as an authorization. */
  readonly headers?: HttpHeaders;
  /** The most requests in a time; further requests wait on the clock [no limit]. */
  readonly limit?: BucketOptions & { readonly clock: Clock };
};

/** A client of the wire protocol in JSON. Every method is one call at the gate; a watch is read outside of its call. */
export const kubernetesClient = (options: KubernetesClientOptions): KubernetesClient => new RestClient(options);

type RestExchange = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
};

const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
};

class RestClient implements KubernetesClient {
  readonly #transport: Transport;
  readonly #gate: CallGate;
  readonly #headers: HttpHeaders;
  /** Waits for this client's turn to ask; undefined when it may always ask. */
  readonly #turn: ((signal?: AbortSignal) => Promise<void>) | undefined;

  constructor({ transport, gate, userAgent, headers, limit }: KubernetesClientOptions) {
    this.#transport = transport;
    this.#gate = gate;
    this.#headers = { accept: 'application/json', 'user-agent': userAgent, ...headers };
    this.#turn = limit && turnsOf(limit);
  }

  async get<T extends KubernetesObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.#answer<T>({ method: 'GET', path: objectPath(type, key) });
    } catch (error) {
      if (isAbsent(error, key)) return undefined;
      throw error;
    }
  }

  async list<T extends KubernetesObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const path = collectionPath(type, options.namespace) + listQuery(options);
    const list = await this.#answer<ObjectList<T>>({ method: 'GET', path });
    return { ...list, items: (list.items ?? []).map((item) => withKind(type, item)) };
  }

  async create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const path = createPath(type, object.metadata.namespace) + writeQuery(options);
    return this.#answer({ method: 'POST', path, body: withKind(type, object) });
  }

  async update<T extends KubernetesObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const path = objectPath(type, object.metadata, options.subresource) + writeQuery(options);
    return this.#answer({ method: 'PUT', path, body: withKind(type, object) });
  }

  async patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    { type: patchType, patch }: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = objectPath(type, key, options.subresource) + writeQuery(options);
    return this.#answer({ method: 'PATCH', path, body: patch, contentType: patchContentTypes[patchType] });
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    await this.#answer({ method: 'DELETE', path: objectPath(type, key), body: deleteBody(options) });
  }

  async evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: pod.name, namespace: pod.namespace },
      deleteOptions: deleteBody(options),
    };
    await this.#answer({ method: 'POST', path: objectPath(pods, pod, 'eviction'), body });
  }

  async bind(pod: ObjectKey, nodeName: string): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: pod.name, namespace: pod.namespace },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    };
    await this.#answer({ method: 'POST', path: objectPath(pods, pod, 'binding'), body });
  }

  async *watch<T extends KubernetesObject>(
    type: ResourceType<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const connection = new AbortController();
    const leave = (): void => connection.abort(options.signal?.reason);
    if (options.signal?.aborted === true) leave();
    options.signal?.addEventListener('abort', leave, { once: true });
    try {
      const path = collectionPath(type, options.namespace) + watchQuery(options);
      const exchange = { method: 'GET', path, signal: connection.signal };
      const response = await this.#call(exchange, async (begun) => {
        await refuseFailure(begun);
        return begun;
      });
      yield* streamedDocuments<WatchEvent<T>>(response);
    } finally {
      options.signal?.removeEventListener('abort', leave);
      connection.abort(new Error('the watch is no longer read'));
    }
  }

  async serves({ group, version, plural }: ResourceType): Promise<boolean> {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    try {
      const { resources } = await this.#answer<ResourceNames>({ method: 'GET', path });
      return resources.some(({ name }) => name === plural);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  version(): Promise<{ readonly major: string; readonly minor: string; readonly gitVersion: string }> {
    return this.#answer({ method: 'GET', path: '/version' });
  }

  #answer<T>(exchange: RestExchange): Promise<T> {
    return this.#call(exchange, decodeAnswer<T>);
  }

  async #call<T>(exchange: RestExchange, read: (response: HttpResponse) => Promise<T>): Promise<T> {
    const { method, path, body, contentType = 'application/json', signal } = exchange;
    const request =
      body === undefined
        ? { method, path, headers: this.#headers, body: emptyBody }
        : {
            method,
            path,
            headers: { ...this.#headers, 'content-type': contentType },
            body: Buffer.from(JSON.stringify(body)),
          };
    if (this.#turn !== undefined) await this.#turn(signal); // before the call: inside of it nothing may wait for the clock
    return this.#gate.call(
      async (ticket) => read(await this.#transport.send(request, { ticket, ...(signal && { signal }) })),
      `${method} ${path}`,
    );
  }
}

const emptyBody = new Uint8Array();

/** The part of an APIResourceList that is read here. */
type ResourceNames = { readonly resources: readonly { readonly name: string }[] };

function turnsOf({
  clock,
  ...limit
}: BucketOptions & { readonly clock: Clock }): (signal?: AbortSignal) => Promise<void> {
  const bucket = tokenBucket(clock, limit);
  return async (signal) => {
    const waitMs = bucket.delayMs('');
    if (waitMs > 0) await clock.sleep(waitMs, signal);
  };
}

/** Items of a list come without what the list itself says about them. */
const withKind = <T extends KubernetesObject>(type: ResourceType<T>, object: T): T =>
  object.apiVersion !== undefined && object.kind !== undefined
    ? object
    : { apiVersion: apiVersionOf(type), kind: type.kind, ...object };

/** A kind that the server does not serve is also `NotFound`, but then no object is named. */
const isAbsent = (error: unknown, { name }: ObjectKey): boolean =>
  error instanceof ApiError && error.code === 404 && error.status.details?.name === name;
