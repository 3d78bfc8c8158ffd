import type { Instant } from '@nodewright/apis';
import {
  type Clock,
  forgetfulLedger,
  type HttpRequest,
  type HttpResponse,
  type Ledger,
  mostTargetLength,
  type Random,
  type RequestHandler,
  type Serving,
} from '@nodewright/runtime';
import type { FindPodCredentials } from './admission/pod-credentials.ts';
import type { CallWebhook } from './admission/webhook-calls.ts';
import { authenticateRequest } from './auth/authenticate.ts';
import { requireAccess, isAccessAllowed } from './auth/authorize.ts';
import type { Access } from './auth/access.ts';
import { actingUser } from './auth/impersonate.ts';
import type { ServerCounts } from './discovery/metrics.ts';
import { serveDiscovery } from './discovery/routes.ts';
import { printRequestLabels } from './discovery/request-labels.ts';
import { buildLabels, parseMinor } from './discovery/version.ts';
import { installSystemObjects } from './bootstrap/system-objects.ts';
import { OpenApiDocuments } from './openapi/documents.ts';
import { DefinitionLifecycle } from './resources/definition-lifecycle.ts';
import type { Convert, CustomResource } from './resources/custom-resource.ts';
import { measuredResources } from './resources/measured-kinds.ts';
import { Registry } from './resources/registry.ts';
import { withServerHeaders } from './http/answer-headers.ts';
import { answerError } from './http/refusal.ts';
import { refuseUnsavedState, withoutStorageError } from './http/storage-refusal.ts';
import { parseRequest } from './http/request-info.ts';
import { targetLengthError } from './http/status-error.ts';
import { clientName } from './server/request-options.ts';
import type { ResourceUsage } from './resources/resource-usage.ts';
import { OpenWatches } from './server/open-watches.ts';
import { runWithWebhooks } from './server/answered-webhooks.ts';
import { serveResource } from './server/serve-resource.ts';
import { ServiceAccountTokens, type TokenIssuer } from './auth/tokens/service-account-tokens.ts';
import type { BearerTokenReader, User } from './auth/user.ts';
import type { KubeletPages } from './server/kubelet-pages.ts';
import type { PodLogs, ServerContext } from './server/world.ts';
import type { ApiObject, StoredKey } from './storage/api-object.ts';
import type { ObjectChange } from './storage/collection.ts';
import type { PodPrograms } from './streams/pod-programs.ts';
import { expireEvents } from './storage/event-expiry.ts';
import { ApiObjectStore, type StoreSnapshot } from './storage/store.ts';
import { AggregatedRoles } from './upkeep/aggregated-roles.ts';
import { ApiServiceObjects } from './upkeep/api-services.ts';
import { FlowControlObjects } from './upkeep/flow-control.ts';
import { NamespaceObjects } from './upkeep/namespace-objects.ts';
import { keepPolicyStatus } from './upkeep/policy-status.ts';
import { QuotaStatus } from './upkeep/quota-status.ts';

export type ApiServerOptions = {
  readonly clock: Clock;
  /** The time that clients wait in, `timeoutSeconds` of a watch; the cluster's when left out. */
  readonly callersClock?: Clock;
  readonly random: Random;
  /** Minor version, `1.28`. */
  readonly version: string;
  readonly customResources?: readonly CustomResource[];
  /** Readers of bearer tokens, in the order in which the server calls them. */
  readonly tokens?: readonly BearerTokenReader[];
  /** Whose tokens service accounts get; `https://kubernetes.default.svc.cluster.local` when left out. */
  readonly tokenIssuer?: TokenIssuer;
  /** The private key that signs them, PEM; a new one when left out. */
  readonly tokenKey?: string;
  readonly podLogs?: PodLogs;
  /** What the platform gives to the pods of a service account, for its own services [nothing]. */
  readonly findPodCredentials?: FindPodCredentials;
  /** What runs in the pods, for commands and forwarded ports. */
  readonly podPrograms?: PodPrograms;
  /** What kubelets answer to those who ask them through the server. */
  readonly kubelets?: KubeletPages;
  /** Measures nodes and pods. With it the server serves `metrics.k8s.io`. */
  readonly usage?: ResourceUsage;
  /** The network on which webhooks are reached; without it they fail. */
  readonly callWebhook?: CallWebhook;
  /** PEM of the authority that signed the server's certificate. Pods find it in the ConfigMap `kube-root-ca.crt`. */
  readonly certificateAuthority?: string;
  /** The `host:port` in discovery answers, for clients outside. */
  readonly serverAddress?: () => string;
  /** Called before a collection is read, for objects that are computed on demand. */
  readonly beforeRead?: (resource: NamedResource) => void;
  readonly snapshot?: StoreSnapshot;
  /** Called for every written object. */
  readonly onWrite?: (write: ObjectWrite) => void;
  /** Whether the server keeps statuses as controllers beside it would: those of quotas and admission policies [yes]. */
  readonly keepsStatuses?: boolean;
  /** Persistent storage of the objects. It may contain objects from before a restart. */
  readonly ledger?: Ledger;
};

/** The creation, change or removal of an object. */
export type ObjectWrite = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `pods`, `nodeclaims.karpenter.sh`. */
  readonly collection: string;
  /** The object after the write; the last state of a removed object. */
  readonly object: ApiObject;
  /** The first word of the client's user agent; empty for writes by the server itself. */
  readonly client: string;
};

type NamedResource = { readonly group: string; readonly plural: string };

export type Operate = <T>(client: string, resource: NamedResource, work: (world: ServerContext) => T) => T | Promise<T>;

/**
 * An embedded Kubernetes API server. Clients reach it over the wire through `handle`, or in the same process through
 * `createDirectClient`.
 */
export type ApiServer = {
  readonly handle: RequestHandler;
  /**
   * Runs an operation of a client in the same process, as one transaction. Returns a promise only while webhooks answer.
   * @param client what `ObjectWrite.client` tells
   */
  readonly operate: Operate;
  /** `1.28`. */
  readonly version: string;
  /** Changes the minor version, as a control plane upgrade does. */
  setVersion(version: string): void;
  /** Whether a user may do something now. */
  isAllowed(user: User, access: Access): boolean;
  /** The claims of a token that the server signed, whoever it is for; `undefined` for any other text. */
  readTokenClaims(token: string): Readonly<Record<string, unknown>> | undefined;
  /** An object as it is stored. */
  findObject(collection: string, place: StoredKey): ApiObject | undefined;
  snapshot(): StoreSnapshot;
  /** Drops the history, as etcd's compaction does. Older versions get 410. */
  compact(): void;
};

/**
 * Creates a server. Throws when `version` does not have the form 1.28 or when a custom resource is not a
 * `CustomResourceDefinition`.
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const server = new Server(options);
  return {
    handle: (request, signal, serving) => server.handle(request, signal, serving),
    operate: (client, resource, work) => server.operate(client, resource, work),
    get version() {
      return `1.${server.minor}`;
    },
    setVersion: (version) => server.setMinor(parseMinor(version)),
    isAllowed: (user, access) => isAccessAllowed(user, access, server.world.store),
    readTokenClaims: (token) => server.world.accounts.readClaims(token),
    findObject: (collection, place) => server.world.store.collection(collection).get(place),
    snapshot: () => server.world.store.snapshot(),
    compact: () => server.world.store.compact(),
  };
}

type ConnectedCaller = { readonly signal: AbortSignal; readonly serving: Serving | undefined };

class Server {
  readonly world: ServerContext;
  readonly #options: ApiServerOptions;
  readonly #audit: Random;
  readonly #quotas: QuotaStatus;
  readonly #services: ApiServiceObjects;
  readonly #registry: Registry;
  readonly #startedAt: Instant;
  minor: number;
  /** The client of the current request. Requests run one after another. */
  #client = '';

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#audit = options.random.fork('audit');
    this.minor = parseMinor(options.version);
    this.#startedAt = options.clock.now();
    const { world, registry } = worldOf(options, this.minor, (...change) => this.#follow(...change));
    this.world = world;
    this.#registry = registry;
    this.#quotas = new QuotaStatus(this.world.store);
    if (options.keepsStatuses !== false) keepPolicyStatus(this.world.store, registry);
    const lifecycle = new DefinitionLifecycle(this.world);
    const companions = new NamespaceObjects(this.world, options.certificateAuthority);
    if (options.snapshot !== undefined) this.world.store.restore(options.snapshot);
    expireEvents(this.world.store, this.world.callersClock);
    installSystemObjects(this.world, this.minor);
    new AggregatedRoles(this.world.store).aggregate();
    companions.completeAll();
    for (const { crd } of options.customResources ?? []) lifecycle.install(crd as ApiObject);
    new FlowControlObjects(this.world).install();
    this.#services = new ApiServiceObjects(this.world, registry);
    this.#services.complete();
  }

  #follow(collection: string, change: ObjectChange): void {
    if (this.#options.keepsStatuses !== false) this.#quotas.follow(collection, change);
    const { type, object } = change;
    this.#options.onWrite?.({ type, collection, object, client: this.#client });
  }

  setMinor(minor: number): void {
    this.minor = minor;
    this.#registry.setMinor(minor);
    this.#services.complete();
  }

  async handle(request: HttpRequest, signal: AbortSignal, serving?: Serving): Promise<HttpResponse> {
    const auditId = this.#audit.uuid();
    try {
      const response = this.#serve(request, { signal, serving });
      return withServerHeaders(
        this.#counted(request, response instanceof Promise ? await response : response),
        auditId,
      );
    } catch (error) {
      return withServerHeaders(this.#counted(request, answerError(withoutStorageError(error), request)), auditId);
    }
  }

  /** The number of answers by the labels of their metric. */
  readonly #answers = new Map<string, number>();

  #counted({ method, path, headers }: HttpRequest, response: HttpResponse): HttpResponse {
    const info = parseRequest(method, path.length > mostTargetLength ? '/' : path);
    const known = info.resource === undefined || this.#registry.find(info.resource) ? info : parseRequest(method, '/');
    const key = printRequestLabels({ info: known, contentType: headers['content-type'], status: response.status });
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
    return response;
  }

  #serve(request: HttpRequest, { signal, serving }: ConnectedCaller): HttpResponse | Promise<HttpResponse> {
    if (request.path.length > mostTargetLength) throw targetLengthError();
    const info = parseRequest(request.method, request.path);
    const user = actingUser(authenticateRequest(request, this.world), request.headers, this.world.store);
    if (info.resource !== undefined) {
      const call = {
        request,
        info,
        path: info.resource,
        user,
        signal,
        ...(serving?.handOver && { handOver: serving.handOver }),
      };
      const client = clientName(request.headers['user-agent']);
      return this.operate(client, info.resource, (world) => serveResource(world, call));
    }
    this.#authorizePath(user, info.method, info.path);
    const serverAddress = this.#options.serverAddress?.() ?? 'kubernetes.default.svc:443';
    const { registry, storage, accounts, clock } = this.world;
    const documents = new OpenApiDocuments(registry, this.minor);
    const times = { startedAt: this.#startedAt, now: clock.now() };
    return serveDiscovery(
      {
        registry,
        storage,
        accounts,
        minor: this.minor,
        ...times,
        serverAddress,
        documents,
        counts: () => this.#counts(),
      },
      info,
      request.headers,
    );
  }

  #counts(): ServerCounts {
    const { store } = this.world;
    const services = store
      .collection('apiservices.apiregistration.k8s.io')
      .list()
      .map(({ metadata }) => metadata.name);
    return { requests: this.#answers, objects: store.objectCounts(), services, build: buildLabels(this.minor) };
  }

  operate<T>(client: string, resource: NamedResource, work: (world: ServerContext) => T): T | Promise<T> {
    refuseUnsavedState(this.world.storage);
    this.#options.beforeRead?.(resource);
    const operation = (world: ServerContext): T => {
      this.#client = client;
      return work(world);
    };
    return this.#thenForgetClient(() => runWithWebhooks(this.world, operation, this.#options.callWebhook));
  }

  /** Writes of the server itself have no client. */
  #thenForgetClient<T>(serve: () => T | Promise<T>): T | Promise<T> {
    const forget = (): void => {
      this.#client = '';
    };
    try {
      const served = serve();
      return served instanceof Promise ? served.finally(forget) : served;
    } finally {
      forget();
    }
  }

  #authorizePath(user: User, method: string, path: string): void {
    requireAccess(user, { verb: method === 'GET' ? 'get' : method.toLowerCase(), path }, this.world.store);
  }
}

const clusterIssuer: TokenIssuer = {
  issuer: 'https://kubernetes.default.svc.cluster.local',
  audience: 'https://kubernetes.default.svc.cluster.local',
};

function worldOf(
  {
    clock,
    callersClock,
    random,
    customResources = [],
    podLogs,
    podPrograms: programs = {},
    kubelets,
    findPodCredentials,
    usage,
    ledger = forgetfulLedger(),
    tokens = [],
    tokenIssuer: issuer = clusterIssuer,
    tokenKey: key,
  }: ApiServerOptions,
  minor: number,
  onChange: (collection: string, change: ObjectChange) => void,
): { readonly world: ServerContext; readonly registry: Registry } {
  const store = new ApiObjectStore({ onChange, ledger });
  const custom = new Map(
    customResources.map(({ crd, conversion, judge }) => [
      crd.metadata.name,
      { ...(conversion && { convert: conversion as Convert }), ...(judge && { judge }) },
    ]),
  );
  const registry = new Registry(store, { minor, custom, ...(usage && { others: measuredResources }) });
  const world: ServerContext = {
    store,
    storage: ledger,
    registry,
    clock,
    callersClock: callersClock ?? clock,
    watches: new OpenWatches(),
    uids: random.fork('uids'),
    names: random.fork('names'),
    tokens,
    accounts: new ServiceAccountTokens({ store, clock, random: random.fork('tokens'), issuer, ...(key && { key }) }),
    programs,
    ...(kubelets && { kubelets }),
    ...(findPodCredentials && { findPodCredentials }),
    ...(usage && { usage }),
    ...(podLogs && { podLogs }),
  };
  return { world, registry };
}
