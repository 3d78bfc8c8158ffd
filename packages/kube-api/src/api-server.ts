import {
  type Clock,
  forgetfulLedger,
  type HttpRequest,
  type HttpResponse,
  type Ledger,
  type Random,
  type RequestHandler,
} from '@nodewright/runtime';
import { authenticate } from './auth/authenticate.ts';
import { authorize, isAllowed } from './auth/authorize.ts';
import type { Access } from './auth/access.ts';
import { actingUser } from './auth/impersonate.ts';
import { serveDiscovery } from './discovery/routes.ts';
import { parseMinor } from './discovery/version.ts';
import { installSystemObjects } from './resources/bootstrap.ts';
import { OpenApiDocuments } from './openapi/documents.ts';
import { DefinitionLifecycle } from './resources/definition-lifecycle.ts';
import type { Convert, CustomResource } from './resources/custom-resource.ts';
import { Registry } from './resources/registry.ts';
import { withServerHeaders } from './server/answer-headers.ts';
import { refusal } from './server/refusal.ts';
import { refuseUnkept, withoutStorageError } from './server/storage-refusal.ts';
import { parseRequest } from './server/request-info.ts';
import { clientName } from './server/request-options.ts';
import { serveResource } from './server/serve-resource.ts';
import type { PodLogs, TokenReader, User, World } from './server/world.ts';
import type { ApiObject } from './storage/api-object.ts';
import type { Change } from './storage/collection.ts';
import { expireEvents } from './storage/event-expiry.ts';
import { Store, type StoreSnapshot } from './storage/store.ts';

export type ApiServerOptions = {
  readonly clock: Clock;
  /** The time that clients wait in, `timeoutSeconds` of a watch; the cluster's when left out. */
  readonly patience?: Clock;
  readonly random: Random;
  /** Minor version, `1.28`. */
  readonly version: string;
  readonly customResources?: readonly CustomResource[];
  /** Bearer tokens, in the order in which they are asked. */
  readonly tokens?: readonly TokenReader[];
  readonly podLogs?: PodLogs;
  /** `host:port` for clients outside, which discovery repeats. */
  readonly serverAddress?: () => string;
  /** Told before a collection is read, for objects that are worked out when somebody looks. */
  readonly beforeRead?: (resource: { readonly group: string; readonly plural: string }) => void;
  readonly snapshot?: StoreSnapshot;
  /** Told of every object that is written. */
  readonly onWrite?: (write: ObjectWrite) => void;
  /** Where the objects are kept, with those of before a restart. */
  readonly ledger?: Ledger;
};

/** One object that was created, changed or removed. */
export type ObjectWrite = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `pods`, `nodeclaims.karpenter.sh`. */
  readonly collection: string;
  /** As it is now; of a removed one, as it was at last. */
  readonly object: ApiObject;
  /** The first word of the client's user agent; empty for what the server does by itself. */
  readonly client: string;
};

/** An embedded Kubernetes API server, reached through its handler only. */
export type ApiServer = {
  readonly handle: RequestHandler;
  /** `1.28`. */
  readonly version: string;
  /** Another minor version from now on, as after a control plane upgrade. */
  setVersion(version: string): void;
  /** Whether somebody may do something now. */
  isAllowed(user: User, access: Access): boolean;
  snapshot(): StoreSnapshot;
  /** Forgets the past, as etcd's compaction does: older versions get 410. */
  compact(): void;
};

/** Throws when `version` is not of the form 1.28, or a custom resource is no `CustomResourceDefinition`. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const server = new Server(options);
  return {
    handle: (request, signal) => server.handle(request, signal),
    get version() {
      return `1.${server.minor}`;
    },
    setVersion: (version) => server.setMinor(parseMinor(version)),
    isAllowed: (user, access) => isAllowed(user, access, server.world.store),
    snapshot: () => server.world.store.snapshot(),
    compact: () => server.world.store.compact(),
  };
}

class Server {
  readonly world: World;
  readonly #options: ApiServerOptions;
  readonly #audit: Random;
  minor: number;
  /** Whose request is served; requests are served one after another, whole. */
  #client = '';

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#audit = options.random.fork('audit');
    this.minor = parseMinor(options.version);
    this.world = worldOf(options, this.minor, (collection, { type, object }) =>
      options.onWrite?.({ type, collection, object, client: this.#client }),
    );
    const lifecycle = new DefinitionLifecycle(this.world);
    if (options.snapshot !== undefined) this.world.store.restore(options.snapshot);
    expireEvents(this.world.store, this.world.patience);
    installSystemObjects(this.world);
    for (const { crd } of options.customResources ?? []) lifecycle.install(crd as ApiObject);
  }

  setMinor(minor: number): void {
    this.minor = minor;
    this.world.registry.setMinor(minor);
  }

  async handle(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const auditId = this.#audit.uuid();
    try {
      return withServerHeaders(this.#serve(request, signal), auditId);
    } catch (error) {
      return withServerHeaders(refusal(withoutStorageError(error), request), auditId);
    }
  }

  #serve(request: HttpRequest, signal: AbortSignal): HttpResponse {
    const info = parseRequest(request.method, request.path);
    const user = actingUser(authenticate(request, this.world.tokens), request.headers, this.world.store);
    if (info.resource !== undefined) {
      refuseUnkept(this.world.storage);
      this.#options.beforeRead?.(info.resource);
      this.#client = clientName(request.headers['user-agent']);
      const call = { request, info, path: info.resource, user, signal };
      try {
        return this.world.store.transact(() => serveResource(this.world, call));
      } finally {
        this.#client = '';
      }
    }
    this.#authorizePath(user, info.method, info.path);
    const serverAddress = this.#options.serverAddress?.() ?? 'kubernetes.default.svc:443';
    const documents = new OpenApiDocuments(this.world.registry, this.minor);
    return serveDiscovery({ world: this.world, minor: this.minor, serverAddress, documents }, info, request.headers);
  }

  #authorizePath(user: User, method: string, path: string): void {
    authorize(user, { verb: method === 'GET' ? 'get' : method.toLowerCase(), path }, this.world.store);
  }
}

function worldOf(
  { clock, patience, random, customResources = [], podLogs, ledger = forgetfulLedger(), tokens = [] }: ApiServerOptions,
  minor: number,
  onChange: (collection: string, change: Change) => void,
): World {
  const store = new Store({ onChange, ledger });
  const conversions = new Map(
    customResources.flatMap(({ crd, conversion }) =>
      conversion === undefined ? [] : [[crd.metadata.name, conversion as Convert] as const],
    ),
  );
  return {
    store,
    storage: ledger,
    registry: new Registry(store, { minor, conversions }),
    clock,
    patience: patience ?? clock,
    uids: random.fork('uids'),
    names: random.fork('names'),
    tokens,
    ...(podLogs && { podLogs }),
  };
}
