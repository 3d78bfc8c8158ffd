import type {
  DisruptionPause,
  ImageRule,
  Instant,
  NodeRollout,
  NodeRolloutPolicy,
  RolloutRequestKind,
  VariantImage,
  VcpuRoom,
} from '@nodewright/apis';
import type { ImageObstacle } from '../images/launch-rule.ts';
import type { DrainKeeper } from './drain-keeper.ts';
import type { GovernanceRemark } from './governance.ts';
import type { AnnouncedWave } from './neighbours.ts';
import type { OwnerCounters } from './owner-counters.ts';
import type { UpstreamReading } from './promotion.ts';
import type { SourcePin } from './source-pin.ts';

/** A NodePool or NodeGroup that a policy governs. */
export type GovernedObject = {
  /** `NodePool/NAME` or `NodeGroup/NAME`. */
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whose images its nodes get: `EC2NodeClass/NAME` or `NodeGroup/NAME`. */
  readonly source: string;
  /** Managed node groups are updated as a whole, plain Auto Scaling groups node by node. */
  readonly moves: 'byNode' | 'whole';
  /** A hash of the specs of the object and its class. */
  readonly specHash: string;
  /** Replacements cannot be launched, or no update can begin, until then, for a reason that is not the image's. */
  readonly backOff?: { readonly until: Instant; readonly because: string };
  /** Addresses that its subnets have left; objects of one source share them. Absent where there are many, or not known. */
  readonly freeAddresses?: number;
  /** A managed node group: its update under way, which cannot be stopped. */
  readonly update?: { readonly rollout: string };
};

/** What is known of the launch of a claim that has no node yet. */
export type LaunchFailure = {
  /** The code of EC2. */
  readonly code: string;
  /** Whether EC2 refused the image itself; else capacity, quota, addresses, permissions or a throttle. */
  readonly isOfImage: boolean;
};

/** A node of a governed object, from the creation of its claim to its end. */
export type RolloutNode = {
  readonly name: string;
  /** Name of its Node, once it has joined. */
  readonly nodeName?: string;
  /** Id of its object. */
  readonly object: string;
  readonly variant: string;
  /** The image that it runs, or is to run. */
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly zone: string;
  /** The rollout for whose target it was made. */
  readonly rollout?: string;
  /** The node that it replaces. */
  readonly replaces?: string;
  readonly createdAt: Instant;
  /** When `expireAfter` takes it. */
  readonly expiresAt?: Instant;
  readonly initializedAt?: Instant;
  readonly launchFailure?: LaunchFailure;
  readonly ready: boolean;
  /** Since when it is Ready, or not. */
  readonly readySince: Instant;
  readonly leaseRenewedAt?: Instant;
  /** Conditions of the node that mean trouble: problems that are True, and ContainerRuntimeReady where it is False. */
  readonly troubles: readonly string[];
  /** Pods that are no daemon's. */
  readonly pods: number;
  /** Those of them that are Ready [all]. */
  readonly readyPods?: number;
  /** Pods whose containers have never started here, while pods of the same owners start on other nodes; since when. */
  readonly stuckStarts?: { readonly pods: number; readonly since: Instant };
  /** Its deletion has begun. */
  readonly leaving: boolean;
  /** What keeps it from being drained. */
  readonly blockedBy?: DrainKeeper;
  /** Its pods had no other place when it was let go: until then it is not let go again. */
  readonly backOff?: { readonly until: Instant; readonly because: string };
  /** Why it has drifted apart from its image. */
  readonly otherDrift?: { readonly reason: string; readonly since: Instant };
  /** How many new nodes its replacement takes [1]. */
  readonly claims?: number;
  /** What it takes of a limit of the account, by the code of the limit; absent where there is room enough, or not known. */
  readonly vcpus?: { readonly quota: string; readonly count: number };
};

/** Nodes with ready endpoints of one Service. */
export type ServiceEndpoints = {
  readonly service: string;
  readonly nodes: readonly string[];
  /** Pods behind it that are elsewhere, or nowhere yet, and not ready [0]. */
  readonly starting?: number;
};

/** The last answers of a check of the user. */
export type CheckReading = {
  readonly check: string;
  /** The node that a Job ran on; a check of the whole wave has none. */
  readonly node?: string;
  readonly state: 'passes' | 'fails' | 'cannotBeAsked';
  /** How many answers in a row were this one. */
  readonly inARow: number;
  readonly detail: string;
  /** When it was asked last. */
  readonly at?: Instant;
};

/** What a person asks for with an annotation of the rollout. */
export type RolloutRequest = {
  readonly rollout: string;
  readonly kind: RolloutRequestKind;
  readonly value: string;
  readonly by: string;
  readonly at: Instant;
};

/** Everything that the plan of one policy is made from. */
export type RolloutSnapshot = {
  readonly now: Instant;
  readonly policy: NodeRolloutPolicy;
  /** The rollouts of the policy. */
  readonly rollouts: readonly NodeRollout[];
  readonly objects: readonly GovernedObject[];
  readonly nodes: readonly RolloutNode[];
  /** What may be launched without the policy, of every source. */
  readonly wanted: readonly VariantImage[];
  /** Since when they are wanted, where several sources may find a release one after the other. */
  readonly wantedSince?: Instant;
  /** Images that cannot be launched any more. `withdrawn`: its family went back to an older release. */
  readonly obstacles: ReadonlyMap<string, ImageObstacle | { readonly kind: 'withdrawn' }>;
  /** The control plane's minor. */
  readonly kubernetesVersion: string;
  /** Limits of the account that may keep nodes from being replaced. */
  readonly quotas?: readonly VcpuRoom[];
  readonly rules: readonly ImageRule[];
  readonly pauses: readonly DisruptionPause[];
  readonly services: readonly ServiceEndpoints[];
  readonly counters: readonly OwnerCounters[];
  readonly checks: readonly CheckReading[];
  readonly upstream: readonly UpstreamReading[];
  /** What this cluster has published of itself. */
  readonly announced?: AnnouncedWave;
  readonly requests: readonly RolloutRequest[];
  /** Releases that specs pin, with the day on which they came out. */
  readonly pins?: readonly SourcePin[];
  /** Whether every node was held against the present specs [true]. Until then drift is neither expected nor unexpected. */
  readonly isDriftKnown?: boolean;
  /** What people should know of what the policy governs. */
  readonly remarks?: readonly GovernanceRemark[];
};
