import type { Instant } from '@nodewright/apis';
import type { FoundImage } from '@nodewright/engine';

/** How many nodes a managed group replaces at once, and in which order; what is absent is left as it is. */
export type GroupUpdateConfig = {
  readonly strategy?: 'DEFAULT' | 'MINIMAL';
  readonly maxUnavailable?: number;
  readonly maxUnavailablePercentage?: number;
};

/** What is wrong with a group or an update, in the service's words. */
export type GroupIssue = {
  readonly code: string;
  readonly message: string;
  readonly resourceIds: readonly string[];
};

/** A managed node group, as its service describes it. */
export type ManagedGroup = {
  readonly name: string;
  /** `ACTIVE`, `UPDATING`, `DEGRADED`, ... After a failed update it says `ACTIVE` again: ask the update, not the group. */
  readonly status: string;
  /** Kubernetes minor of its nodes, `1.29`. */
  readonly kubernetesVersion: string;
  /** `1.29.0-20240202`; the image id where the template names the image. */
  readonly release: string;
  /** Which of the family's images the group takes; absent where its template names the image. */
  readonly imageKind?: { readonly family: string; readonly arch: FoundImage['arch']; readonly variant: string };
  /** The user's own template, when the group was made with one. */
  readonly template?: { readonly id: string; readonly version: string };
  readonly updateConfig: GroupUpdateConfig;
  readonly issues: readonly GroupIssue[];
  readonly scalingGroup?: string;
};

/** An update of a managed group: the only thing that tells how it ended. */
export type SeenUpdate = {
  readonly id: string;
  readonly kind: string;
  readonly status: 'InProgress' | 'Failed' | 'Cancelled' | 'Successful';
  readonly createdAt: Instant;
  /** `ReleaseVersion` → `1.29.0-20240202`. */
  readonly params: Readonly<Record<string, string>>;
  readonly errors: readonly GroupIssue[];
};

export type UpdateTarget =
  | { readonly kind: 'release'; readonly kubernetesVersion: string; readonly release: string }
  | { readonly kind: 'template'; readonly id: string; readonly version: string };

export type UpdateRequest = {
  readonly group: string;
  readonly target: UpdateTarget;
  readonly force: boolean;
  /** The same call with the same token is the same update. */
  readonly token: string;
};

export type StartOutcome =
  | { readonly kind: 'started'; readonly updateId: string }
  /** Another update, or a change of the group, is under way. */
  | { readonly kind: 'busy'; readonly message: string }
  /** The service will not do it as long as the request and the group are what they are. */
  | { readonly kind: 'refused'; readonly message: string };

/** The release of a family's image. */
export type ReleaseQuestion = {
  readonly image: Pick<FoundImage, 'name' | 'version' | 'recommended'>;
  readonly kind: NonNullable<ManagedGroup['imageKind']>;
  readonly kubernetesVersion: string;
};

/**
 * Node groups whose updates a service performs. An update, once started, can be neither paused nor cancelled.
 *
 * Guarantees: a group or an update that is not there is `undefined`. A token starts one update; while it runs, a start
 * with another token is `busy`. A group that is not there, or a target that does not suit it, is `refused`.
 *
 * Errors: a `CloudError` when the service cannot be asked. An update may have been started; the same token tells.
 *
 * `describeManagedGroupContract` of the testkit has this as tests.
 */
export interface ManagedGroupPort {
  /** Names, sorted. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  describe(group: string, signal: AbortSignal): Promise<ManagedGroup | undefined>;
  startUpdate(request: UpdateRequest, signal: AbortSignal): Promise<StartOutcome>;
  configure(
    request: { readonly group: string; readonly config: GroupUpdateConfig; readonly token: string },
    signal: AbortSignal,
  ): Promise<StartOutcome>;
  describeUpdate(group: string, updateId: string, signal: AbortSignal): Promise<SeenUpdate | undefined>;
  /** The update that runs now, started by this controller or not. */
  updateUnderWay(group: string, signal: AbortSignal): Promise<SeenUpdate | undefined>;
  /** `undefined` where the service knows no release of that image. */
  releaseOf(question: ReleaseQuestion, signal: AbortSignal): Promise<string | undefined>;
}

/** An instance of an Auto Scaling group. */
export type ScalingInstance = {
  readonly id: string;
  readonly zone: string;
  /** `Pending:Wait`, `InService`, `Terminating`. */
  readonly lifecycle: string;
  readonly imageId: string;
  readonly launchedAt: Instant;
  /** The name that EC2 gives it, and with it to its node; absent until it is known. */
  readonly privateDnsName?: string;
};

export type ScalingTemplate = {
  readonly id: string;
  /** The number of the version that the group launches from now. */
  readonly version: string;
  /** Whether the group names it by that number, not as the latest or the default one. */
  readonly isPinned: boolean;
  readonly imageId: string;
  /** Absent where the group names its types, or what they must have. */
  readonly instanceType?: string;
  /** Absent where nothing but a block that is paid for will do. */
  readonly market?: Market;
  /** Unknown for an image that is gone by now. */
  readonly imageCreatedAt?: Instant;
  readonly arch: FoundImage['arch'];
  readonly variant: string;
  /** By image id: the newest version that differs from the one in use by its image alone. */
  readonly versions: Readonly<Record<string, string>>;
};

/** A lifecycle hook: instances wait on their way in or out until the hook is completed. */
export type ScalingHook = {
  readonly name: string;
  readonly transition: 'launching' | 'terminating';
  /** How long an instance waits for an answer. */
  readonly heartbeatSeconds: number;
};

/** How capacity is bought. */
export type Market = 'onDemand' | 'spot';

/** A limit of the account on running instances, in vCPUs. */
export type InstanceQuota = {
  readonly name: string;
  readonly code: string;
  /** vCPUs of the largest of the requested types. */
  readonly vcpusPerInstance: number;
  /** What the account may run, and what of it runs already; or why that is not known. */
  readonly room:
    | { readonly kind: 'known'; readonly limit: number; readonly used: number }
    | { readonly kind: 'unknown'; readonly why: string };
};

export type ScalingGroup = {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly desired: number;
  readonly zones: readonly string[];
  readonly subnets: readonly { readonly id: string; readonly zone: string; readonly freeAddresses: number }[];
  /** Absent for a group that launches from something else than a template. */
  readonly template?: ScalingTemplate;
  /** The instance types that a mixed instances policy of the group names. */
  readonly instanceTypes: readonly string[];
  /** Instance types of the policy with a launch template of their own: a new image in `template` does not reach them. */
  readonly typesWithOwnTemplate: readonly string[];
  /** Of a hundred more instances, how many are bought which way; nothing where they run in a block that is paid for. */
  readonly bought: Readonly<Partial<Record<Market, number>>>;
  /** Suspended processes. */
  readonly suspended: readonly string[];
  readonly instances: readonly ScalingInstance[];
  /** Those of its warm pool, `Warmed:Stopped`: no nodes, and not counted in its size. */
  readonly warm: readonly ScalingInstance[];
  /** Whether an instance refresh is under way: it would end instances with their pods. Emulators may not tell. */
  readonly isRefreshing: boolean | 'unknown';
  readonly hooks: readonly ScalingHook[];
  /** Why a launch failed lately, while the group has fewer instances than it should, or none in a zone. */
  readonly launchFailure?: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Whether it carries the tag of the cluster. */
  readonly isOfCluster: boolean;
};

/**
 * Auto Scaling groups. Every call may be made again.
 *
 * Guarantees: a group that is not there is `undefined`. A token makes one version of a template, and the group launches
 * from it once it is pointed at it. What a change sets is what the group says afterwards; its instances follow later. An
 * instance that is gone, or that waits for no hook, may be ended, discarded and answered for.
 *
 * Errors: a change of a group that is not there, and of one without a launch template, is a `CloudError`.
 *
 * `describeScalingGroupContract` of the testkit has this as tests.
 */
export interface ScalingGroupPort {
  /** Names of the groups that belong to the cluster and to no service, sorted. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  describe(group: string, signal: AbortSignal): Promise<ScalingGroup | undefined>;
  /** The limit that more instances of these types count against; `undefined` where the types are unknown. */
  quota(
    question: { readonly types: readonly string[]; readonly market: Market },
    signal: AbortSignal,
  ): Promise<InstanceQuota | undefined>;
  /** @returns the number of the version: a copy of `sourceVersion` with another image */
  createTemplateVersion(
    request: {
      readonly templateId: string;
      readonly sourceVersion: string;
      readonly imageId: string;
      readonly token: string;
    },
    signal: AbortSignal,
  ): Promise<string>;
  /** Where the group has its template, version by number. */
  pointAt(group: string, version: string, signal: AbortSignal): Promise<void>;
  resize(group: string, size: { readonly max: number; readonly desired: number }, signal: AbortSignal): Promise<void>;
  suspend(group: string, processes: readonly string[], signal: AbortSignal): Promise<void>;
  resume(group: string, processes: readonly string[], signal: AbortSignal): Promise<void>;
  /** Lets an instance go on that waits for a hook, or starts its time anew. One that does not wait is fine. */
  answerHook(
    request: {
      readonly group: string;
      readonly hook: string;
      readonly instanceId: string;
      readonly answer: 'continue' | 'heartbeat';
    },
    signal: AbortSignal,
  ): Promise<void>;
  /** An instance that is gone or on its way is fine. */
  terminate(instanceId: string, options: { readonly decrement: boolean }, signal: AbortSignal): Promise<void>;
  /** Ends an instance of a warm pool, which launches another one for it. One that is gone is fine. */
  discard(instanceId: string, signal: AbortSignal): Promise<void>;
}
