import type { Instant } from '@nodewright/apis';
import type { Clock, Random, Storage } from '@nodewright/runtime';
import type { FindPodCredentials } from '../admission/pod-credentials.ts';
import type { WebhookAnswers } from '../admission/webhook-calls.ts';
import type { ServiceAccountTokens } from '../auth/tokens/service-account-tokens.ts';
import type { BearerTokenReader, User } from '../auth/user.ts';
import type { ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ExactNumbers } from '../schema/exact-numbers.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';
import type { PodPrograms } from '../streams/pod-programs.ts';
import type { ResourceUsage } from '../resources/resource-usage.ts';
import type { KubeletPages } from './kubelet-pages.ts';
import type { OpenWatches } from './open-watches.ts';
import type { HandOver } from './channel.ts';
import type { RequestInfo, ResourcePath } from '../http/request-info.ts';

/** Reads the log of a container of a pod; undefined when there is none. */
export type PodLogs = (pod: ApiObject, options: PodLogOptions) => AsyncIterable<Uint8Array> | undefined;

export type PodLogOptions = {
  readonly container: string;
  /** The log of the run before the last restart. */
  readonly previous: boolean;
  /** Continue with new lines until the signal aborts. */
  readonly follow: boolean;
  /** The number of last lines to return. */
  readonly tailLines?: number;
  /** Only lines written at or after this time, by the cluster's clock. */
  readonly since?: Instant;
  /** Begin each line with its time. */
  readonly timestamps: boolean;
  /** Aborts when the client disconnects, and when the container has ended. */
  readonly signal: AbortSignal;
};

/** The state that all verbs work on. */
export type ServerContext = {
  readonly store: ApiObjectStore;
  /** Whether changes can be saved. */
  readonly storage: Pick<Storage, 'problem'>;
  readonly registry: ServedResources;
  /** The cluster's time, for timestamps and grace periods. */
  readonly clock: Clock;
  /** The clients' time, for `timeoutSeconds` of a watch. */
  readonly callersClock: Clock;
  readonly watches: OpenWatches;
  readonly uids: Random;
  readonly names: Random;
  readonly tokens: readonly BearerTokenReader[];
  /** The tokens of service accounts. */
  readonly accounts: ServiceAccountTokens;
  readonly podLogs?: PodLogs;
  readonly programs: PodPrograms;
  /** Without them no path of a node is proxied. */
  readonly kubelets?: KubeletPages;
  /** Measures nodes and pods; without it there are no metrics. */
  readonly usage?: ResourceUsage;
  /** What the platform adds to new pods; nothing when left out. */
  readonly findPodCredentials?: FindPodCredentials;
  /** What webhooks answered to the current request. */
  readonly webhooks?: WebhookAnswers;
};

/** The object of an operation, or its collection when the name is empty. */
export type ObjectPath = Pick<ResourcePath, 'namespace' | 'name' | 'subresource' | 'proxied'>;

/** One operation on objects, over the wire or by a client in the same process. */
export type ObjectCall = {
  readonly path: ObjectPath;
  readonly resource: Resource;
  readonly user: User;
  /** Texts for `Warning` headers. Verbs append to the list. */
  readonly warnings: string[];
  /** Whether the caller writes the number at a path (`.spec.replicas`) as a float such as `2.0`. */
  readonly isFloat: (path: string) => boolean;
  /** The numbers of the request that doubles do not hold. */
  readonly numbers?: ExactNumbers | undefined;
};

/** One request for a resource, after routing and authorization. */
export type ResourceCall = ObjectCall & {
  readonly info: RequestInfo;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
  /** How a watch tells a caller in the same process of a change [at once]. */
  readonly handOver?: HandOver;
};
