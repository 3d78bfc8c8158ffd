import type { KubernetesObject, ObjectList, ResourceType } from '@nodewright/apis';
import type { RetryClass } from './retry-class.ts';

/** Namespace is left out for cluster-scoped kinds. */
export type ObjectKey = { readonly name: string; readonly namespace?: string };

export type ListOptions = {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
};

export type WatchOptions = {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion: string;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
};

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: KubernetesStatus };

/** The body of every failed answer. */
export type KubernetesStatus = {
  readonly kind: 'Status';
  readonly status?: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
};

export type Subresource = 'status' | 'scale' | 'finalize' | 'ephemeralcontainers' | 'resize';

export type WriteOptions = {
  readonly subresource?: Subresource;
  readonly dryRun?: boolean;
  /** `Strict`: fields that the server does not know are refused; else it leaves them out. */
  readonly fieldValidation?: 'Strict';
  readonly fieldManager?: string;
};

export type DeleteOptions = {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
};

/** `merge` is RFC 7386; put `metadata.resourceVersion` in the patch for an optimistic lock. */
export type Patch =
  | { readonly type: 'merge'; readonly patch: unknown }
  | { readonly type: 'strategic'; readonly patch: unknown }
  | { readonly type: 'json'; readonly patch: readonly unknown[] };

/**
 * The verbs of the Kubernetes API, typed by `ResourceType`.
 *
 * Guarantees:
 * - A `get` of an object that is not there is `undefined`. A kind that the server does not have is an error.
 * - Every object has its `apiVersion`, `kind`, `uid` and `resourceVersion`; items of lists too.
 * - A list is sorted by namespace and name. All its pages are of one moment, that of its `resourceVersion`.
 * - A refused write changes nothing. A write, or a deletion with preconditions, of an object that was changed since it
 *   was read is refused as `Conflict`.
 * - A watch tells of every change after its `resourceVersion`, once and in order. It resumes at the version of its last
 *   event. A version that the server has forgotten is refused with 410, as an answer or as an event.
 * - A watch ends with the reason of its signal, and when its reader leaves.
 *
 * Assumptions: objects that come out are shared with other readers. A caller does not change them.
 *
 * Errors: a refusal is an `ApiError` whose `reason` is the API's own (`NotFound`, `AlreadyExists`, `Conflict`,
 * `Invalid`, `TooManyRequests`, `Expired`, ...). Every other error leaves open whether the server did the work.
 *
 * `describeClientContract` of the testkit has all of this as tests.
 */
export interface KubernetesClient {
  get<T extends KubernetesObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined>;
  list<T extends KubernetesObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  create<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the object; its `metadata.resourceVersion`, when set, is the optimistic lock. */
  update<T extends KubernetesObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubernetesObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** `policy/v1` eviction. A refusal by a PodDisruptionBudget is an `ApiError` with code 429. */
  evict(pod: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Binds a pod to a node, as a scheduler does. */
  bind(pod: ObjectKey, nodeName: string): Promise<void>;
  watch<T extends KubernetesObject>(type: ResourceType<T>, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Whether the server has the kind. It says so of kinds, too, that the caller may not read. */
  serves(type: ResourceType): Promise<boolean>;
  /** `GET /version`. */
  version(): Promise<{ readonly major: string; readonly minor: string; readonly gitVersion: string }>;
}

/** A refusal by the API server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: KubernetesStatus;

  constructor(status: KubernetesStatus, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? 'the API server refused the request', options);
    this.status = status;
  }

  get reason(): string {
    return this.status.reason ?? 'Unknown';
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  /** Whoever lost a race reads again and tries again; everything else may take a while. */
  get retry(): RetryClass {
    return this.code === 409 ? 'soon' : 'backOff';
  }
}
