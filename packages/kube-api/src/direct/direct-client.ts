import { apiVersionOf, type KubernetesObject, type ObjectList, pods, type ResourceType } from '@nodewright/apis';
import {
  type CallGate,
  collectionPath,
  createPath,
  type DeleteOptions,
  type KubernetesClient,
  type ListOptions,
  type ObjectKey,
  objectPath,
  type Patch,
  type Ticket,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@nodewright/runtime';
import type { ApiServer } from '../api-server.ts';
import type { User } from '../auth/user.ts';
import { parseMinor, versionInfo } from '../discovery/version.ts';
import { asApiObject } from '../resources/rules.ts';
import { acceptObject } from '../server/accepted-object.ts';
import { answerReview, isReview } from '../server/reviews/review.ts';
import { writeBinding } from '../server/subresources/binding.ts';
import { evictStored } from '../server/subresources/eviction.ts';
import { patchScale, updateScale } from '../server/subresources/scale.ts';
import { createReceived } from '../server/verbs/create.ts';
import { deleteObject } from '../server/verbs/delete.ts';
import { listObjects } from '../server/verbs/list.ts';
import { patchStored, refuseStrategicOnCustom } from '../server/verbs/patch.ts';
import { selectionOf } from '../server/verbs/selection.ts';
import { updateReceived } from '../server/verbs/update.ts';
import { openWatch } from '../server/verbs/watch.ts';
import type { ObjectCall, ServerContext } from '../server/world.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { type CallTarget, directCall } from './direct-call.ts';
import { type DirectLink, type DirectRequest, openLink } from './direct-link.ts';
import { DirectWatch } from './direct-watch.ts';
import { deletionOptionsOf, listOptionsOf, listTypeOf, watchOptionsOf, writeOptionsOf } from './options.ts';
import { plainObject, plainValue } from './plain-value.ts';
import { asApiError } from './refusal.ts';

/** What a client in the same process needs of the server. */
export type DirectServer = Pick<ApiServer, 'operate' | 'version'>;

export type DirectClientOptions = {
  readonly gate: CallGate;
  /** The first word of a user agent: who writes. */
  readonly name: string;
  /** Who the client is to admission and reviews. No rights are checked. */
  readonly user: User;
  /** What lies between the client and the server [nothing]. */
  readonly link?: DirectLink;
};

/**
 * A client of an API server in the same process, on its objects: no text, no managed fields, no access rules, no tables.
 *
 * Guarantees: what comes out are the server's own frozen objects; an object that did not change is the same object. All
 * else is as over the wire, because both run the same operations. Every method is one call at the gate.
 */
export const createDirectClient = (server: DirectServer, options: DirectClientOptions): KubernetesClient =>
  new DirectClient(server, options);

/** A call before the server has looked up its resource. */
type Call<T> = CallTarget & {
  readonly request: DirectRequest;
  readonly type: ResourceType;
  readonly signal?: AbortSignal | undefined;
  readonly run: (world: ServerContext, call: ObjectCall) => T;
};

class DirectClient implements KubernetesClient {
  readonly #server: DirectServer;
  readonly #gate: CallGate;
  readonly #name: string;
  readonly #user: User;
  readonly #link: DirectLink;

  constructor(server: DirectServer, { gate, name, user, link = openLink }: DirectClientOptions) {
    this.#server = server;
    this.#gate = gate;
    this.#name = name;
    this.#user = user;
    this.#link = link;
  }

  async get<T extends KubernetesObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    return this.#call({
      request: reading(objectPath(type, key)),
      type,
      verb: 'get',
      path: pathOf(type, key),
      run: ({ store }, { resource, path }) => {
        const stored = store.collection(resource.collection).get(path);
        return stored && asTyped<T>(resource.fromStored(stored));
      },
    });
  }

  async list<T extends KubernetesObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.#call({
      request: reading(collectionPath(type, options.namespace)),
      type,
      verb: 'list',
      path: pathOf(type, { name: '', ...options }),
      run: (world, call) => {
        const { objects, metadata } = listObjects(world, call, listOptionsOf(options), selectionOf(call, options));
        return { ...listTypeOf(call.resource), metadata, items: objects as unknown as readonly T[] };
      },
    });
  }

  async create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace } = object.metadata;
    const address = createPath(type, namespace);
    const received = plainObject(withType(type, object));
    return this.#call({
      request: writing('POST', address, received),
      type,
      verb: 'create',
      path: pathOf(type, { name: '', ...(namespace !== undefined && { namespace }) }),
      run: (world, call) => {
        if (isReview(call)) return answerReview(world, call, received) as unknown as T;
        const write = writeOptionsOf(options);
        return asTyped<T>(createReceived(world, call, acceptObject(call, received, write), write));
      },
    });
  }

  async update<T extends KubernetesObject>(type: ResourceType<T>, object: T, options: WriteOptions = {}): Promise<T> {
    const address = objectPath(type, object.metadata, options.subresource);
    const received = plainObject(withType(type, object));
    return this.#call({
      request: writing('PUT', address, received),
      type,
      verb: 'update',
      path: pathOf(type, object.metadata, options.subresource),
      run: (world, call) => {
        const write = writeOptionsOf(options);
        if (options.subresource === 'scale') return asTyped<T>(updateScale(world, call, received, write));
        return asTyped<T>(updateReceived(world, call, acceptObject(call, received, write), write).object);
      },
    });
  }

  async patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    { type: patchType, patch }: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const address = objectPath(type, key, options.subresource);
    const change = plainValue(patch);
    return this.#call({
      request: writing('PATCH', address, change),
      type,
      verb: 'patch',
      path: pathOf(type, key, options.subresource),
      run: (world, call) => {
        refuseStrategicOnCustom(call.resource, patchType);
        const write = options.subresource === 'scale' ? patchScale : patchStored;
        return asTyped<T>(write(world, call, { type: patchType, change: () => change }, writeOptionsOf(options)));
      },
    });
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.#call({
      request: writing('DELETE', objectPath(type, key), options),
      type,
      verb: 'delete',
      path: pathOf(type, key),
      run: (world, call) => void deleteObject(world, call, deletionOptionsOf(options)),
    });
  }

  async evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.#call({
      request: writing('POST', objectPath(pods, pod, 'eviction'), options),
      type: pods,
      verb: 'create',
      path: pathOf(pods, pod, 'eviction'),
      run: (world, call) => evictStored(world, call, {}, deletionOptionsOf(options)),
    });
  }

  async bind(pod: ObjectKey, nodeName: string): Promise<void> {
    return this.#call({
      request: writing('POST', objectPath(pods, pod, 'binding'), nodeName),
      type: pods,
      verb: 'create',
      path: pathOf(pods, pod, 'binding'),
      run: (world, call) => writeBinding(world, call, { target: { name: nodeName } }, writeOptionsOf({})),
    });
  }

  watch<T extends KubernetesObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    const open = (signal: AbortSignal) =>
      this.#call({
        request: { ...reading(collectionPath(type, options.namespace)), isWatch: true },
        type,
        verb: 'watch',
        path: pathOf(type, { name: '', ...options }),
        signal,
        run: (world, call) => {
          const handOver = (work: () => void): void => this.#gate.handOver(work);
          const reader = { selection: selectionOf(call, options), signal, handOver };
          const messages = openWatch(world, call, watchOptionsOf(options), reader);
          return { messages: this.#link.stream(messages), resource: call.resource };
        },
      });
    return { [Symbol.asyncIterator]: () => new DirectWatch<T>(open, options.signal) };
  }

  async serves(type: ResourceType): Promise<boolean> {
    const { group, version } = type;
    return this.#gated(reading(group === '' ? `/api/${version}` : `/apis/${group}/${version}`), () =>
      this.#server.operate(this.#name, type, ({ registry }) => registry.find(type) !== undefined),
    );
  }

  async version(): Promise<{ readonly major: string; readonly minor: string; readonly gitVersion: string }> {
    return this.#gated(reading('/version'), () => {
      const { major = '', minor = '', gitVersion = '' } = versionInfo(parseMinor(this.#server.version));
      return { major, minor, gitVersion };
    });
  }

  #call<T>({ request, type, signal, run, ...target }: Call<T>): Promise<T> {
    const work = (): T | Promise<T> =>
      this.#server.operate(this.#name, type, (world) => run(world, directCall(world, type, target, this.#user)));
    return this.#gated(request, work, signal);
  }

  #gated<T>(request: DirectRequest, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const serve = async (ticket: Ticket): Promise<T> => {
      await this.#gate.park(ticket, signal);
      try {
        const served = work();
        return served instanceof Promise ? await served : served;
      } catch (error) {
        throw asApiError(error);
      }
    };
    const { method, path } = request;
    return this.#gate.call((ticket) => this.#link.send(request, () => serve(ticket)), `${method} ${path}`);
  }
}

const reading = (path: string): DirectRequest => ({ method: 'GET', path, isWatch: false });

const writing = (method: string, path: string, body: unknown): DirectRequest => ({
  method,
  path,
  isWatch: false,
  body,
});

const pathOf = (
  { namespaced }: ResourceType,
  { name, namespace = '' }: ObjectKey,
  subresource = '',
): CallTarget['path'] => ({ name, namespace: namespaced ? namespace : '', subresource });

const withType = (type: ResourceType, object: KubernetesObject): KubernetesObject =>
  object.apiVersion !== undefined && object.kind !== undefined
    ? object
    : { apiVersion: apiVersionOf(type), kind: type.kind, ...object };

/** A caller's type stands for a resource, and objects of the resource are of that type. */
const asTyped = <T>(object: ApiObject): T => asApiObject(object) as unknown as T;
