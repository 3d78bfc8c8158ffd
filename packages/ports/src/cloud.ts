import type { EC2NodeClass, Instant, NodeClaim, NodePool, OutOfCapacity, StatusAmi } from '@nodewright/apis';
import type { CapacityType, FamilyReleases, FoundImage, ImageQuery, InstanceType, Offering } from '@nodewright/engine';
import type { CapacityPort, InstanceHealthPort, InterruptionPort, RepairPolicy } from './interruptions.ts';
import type { ManagedGroupPort, ScalingGroupPort } from './node-groups.ts';
import type { ParameterPort } from './parameters.ts';
import type { QuotaPort } from './quotas.ts';

/** Question and answer of image lookups are the input of the image decision, which is the engine's. */
export type { FamilyReleases, FoundImage, ImageQuery } from '@nodewright/engine';

/** `default`: shared hardware; `dedicated`: hardware of the account's own; `host`: a host that the account rents. */
export type Tenancy = 'default' | 'dedicated' | 'host';

/** A running or ending machine that belongs to this cluster. */
export type Instance = {
  readonly id: string;
  /** `aws:///us-east-1a/i-0123456789abcdef0`, as the node will carry it. */
  readonly providerId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId?: string;
  readonly capacityType: CapacityType;
  /** The capacity reservation that it holds a place in. */
  readonly reservationId?: string;
  /** Its partition of a placement group, `3`. */
  readonly partition?: string;
  /** Whether its hardware is shared with other accounts. */
  readonly tenancy: Tenancy;
  readonly imageId: string;
  readonly privateDnsName: string;
  readonly state: 'pending' | 'running' | 'shutting-down' | 'stopping' | 'stopped' | 'terminated';
  readonly launchedAt: Instant;
  readonly tags: Readonly<Record<string, string>>;
  readonly subnetId?: string;
  readonly securityGroupIds: readonly string[];
};

export type LaunchRequest = {
  readonly claim: NodeClaim;
  /**
   * Number of the attempt, from 1, stored on the claim before the call: with the claim's UID it makes the
   * `ClientToken`. It moves on only after an outcome that is certain, so a repeated call is the same call.
   */
  readonly attempt: number;
  readonly nodeClass: EC2NodeClass;
  /** All that the claim may be launched as; each has an offering the claim admits. */
  readonly instanceTypes: readonly InstanceType[];
  /** The images of `status.amis` that the image decision lets the claim use: the only source of an image id. */
  readonly images: readonly StatusAmi[];
};

/** Every way a launch can end that changes what the caller does next. Anything else is thrown as a `CloudError`. */
export type LaunchOutcome =
  | {
      readonly kind: 'launched';
      readonly instance: Instance;
      /** The type that was bought; its node has what the type has through this offering. */
      readonly instanceType: InstanceType;
      readonly offering: Offering;
    }
  | {
      readonly kind: 'insufficientCapacity';
      readonly message: string;
      /** What EC2 said in this launch that it is out of: a controller that dies of what follows must not ask again at once. */
      readonly outOf?: readonly OutOfCapacity[];
      readonly warning?: LaunchWarning;
    }
  | { readonly kind: 'nodeClassNotReady'; readonly message: string }
  /** Refused for a reason that waiting may cure (quota, permission, bad launch template): goes into the claim's Launched condition. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly message: string;
      /** The call was not served, but an earlier one of the same attempt may have been: the next has to be the same. */
      readonly mayRepeat?: true;
      readonly warning?: LaunchWarning;
    };

/** What a person has to put right before launches like this one succeed: an event tells it. */
export type LaunchWarning = { readonly reason: string; readonly message: string };

/** `unknown`: EC2 does not describe the instance. It may not yet, or not any more; `ended` is final. */
export type InstancePresence = 'present' | 'ended' | 'unknown';

/**
 * Instances of the cluster.
 *
 * Guarantees:
 * - A launch starts at most one instance for a claim and attempt, whoever calls it how often. It is of a type, offering
 *   and image of the request, and carries the tag of its claim. An outcome other than `launched` started nothing, except
 *   with `mayRepeat`.
 * - Lists are sorted by id, and complete or not there at all. An instance that is ending is still in them.
 * - An end and a tag may be asked for again. An end is `gone` once the instance has ended, and `unknown` for an id that
 *   EC2 does not describe. An id of another provider names no instance.
 * - `launch`, `list` and `tag` end when their signal is aborted, and then start no further call.
 *
 * Assumptions: reads lag behind writes. An id that is unknown may be there a minute later.
 *
 * Errors: a call that could not be completed throws a `CloudError`; what it was to change may have changed. A tag for an
 * instance that is not there is an error. What was aborted throws no `CloudError`.
 *
 * `describeInstanceContract` of the testkit has this as tests.
 */
export interface InstancePort {
  /**
   * Starts one instance. Carries a `ClientToken` derived from the claim (UID and launch attempt) and
   * the tag `karpenter.sh/nodeclaim`, so that the same call after a restart returns the same instance.
   */
  launch(request: LaunchRequest, signal: AbortSignal): Promise<LaunchOutcome>;
  /** `undefined` when EC2 has forgotten it or it is terminated. */
  get(providerId: string, signal: AbortSignal): Promise<Instance | undefined>;
  /** The instance as `get` or `list` last read it, of any age; EC2 is asked if neither has read it. */
  lastSeen(providerId: string, signal: AbortSignal): Promise<Instance | undefined>;
  /** Asks EC2 by id. Reads lag: a single `unknown` proves nothing. */
  checkPresence(providerId: string, signal: AbortSignal): Promise<InstancePresence>;
  /** All instances tagged as this cluster's that are not terminated. */
  list(signal: AbortSignal): Promise<readonly Instance[]>;
  /** Idempotent. `gone` once the instance is terminated; `unknown` when EC2 was asked to end an instance that it does not describe. */
  terminate(providerId: string, signal: AbortSignal): Promise<'terminating' | 'gone' | 'unknown'>;
  /**
   * Adds tags that are known only after registration: `Name` and `karpenter.sh/nodeclaim`. The tag of the cluster comes with
   * them, `eks:eks-cluster-name`.
   */
  tag(providerId: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
}

/** An instance type as it is sold, whatever a NodeClass would make of it. */
export type SoldInstanceType = {
  readonly name: string;
  readonly vcpus: number;
  readonly offerings: readonly Pick<Offering, 'zone' | 'capacityType' | 'priceMicroUsdPerHour' | 'available'>[];
};

/**
 * Instance types of the region.
 *
 * Guarantees: the list is sorted by name, and the same object as long as nothing changed that it depends on. What was
 * found to be unavailable stays in it, marked. Callers share the list and do not change it. Types asked for by name come
 * sorted, each once, without those that are not sold.
 *
 * Errors: a `CloudError` for a NodeClass without subnets (`SubnetsNotResolved`), and when EC2 cannot be asked and nothing
 * is known from before.
 *
 * `describeMarketContract` of the testkit has this as tests, with those of `CapacityPort`.
 */
export interface InstanceTypePort {
  /** Every type the NodeClass could ever give, with unavailable offerings marked; sorted by name. */
  list(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly InstanceType[]>;
  /** The types with these names, in every zone that they are sold in. No NodeClass is needed. */
  named(names: readonly string[], signal: AbortSignal): Promise<readonly SoldInstanceType[]>;
}

export type FoundSubnet = {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly freeAddresses: number;
};

/** A capacity reservation that has not ended. */
export type FoundReservation = {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly ownerId: string;
  readonly matchCriteria: 'open' | 'targeted';
  readonly type: 'default' | 'capacity-block';
  /** Its owner may take it back. */
  readonly interruptible: boolean;
  /** `expiring`: too close to its end for anything to be launched from it. */
  readonly state: 'active' | 'expiring';
  readonly endsAt?: Instant;
};

/** A placement group in state `available`. */
export type FoundPlacementGroup = {
  readonly id: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  /** Of the strategy `partition`. */
  readonly partitionCount?: number;
};

export type FoundImages = {
  readonly images: readonly FoundImage[];
  /** For each alias whose pinned release was not found: the releases of its family. */
  readonly releases?: readonly FamilyReleases[];
  /** When the lookup was made. A cached answer keeps its original time. */
  readonly foundAt: Instant;
};

/**
 * Reads capacity reservations that nodes run in, also those that no NodeClass selects now. `describeAccountContract` of
 * the testkit has the contract as tests.
 */
export interface ReservationPort {
  /** The reservations with these ids that have not ended, sorted by id. Empty while the gate `ReservedCapacity` is off. */
  named(ids: readonly string[], signal: AbortSignal): Promise<readonly FoundReservation[]>;
}

/**
 * How old the answer to a lookup may be. `close`: nodes come or go, or something is wrong. `atRest`: nothing has happened for
 * a while, and the answer is asked for because it may have changed by itself.
 */
export type LookupPace = 'close' | 'atRest';

/**
 * What the NodeClass controller looks up.
 *
 * Guarantees:
 * - Every list is complete or the call throws; an empty list means that nothing matched. Subnets come with most free
 *   addresses first and then by id, security groups by id.
 * - An answer may be kept for some minutes, and longer at rest; that about images says since when. The pace is `close`
 *   unless given.
 * - A profile is made once for a NodeClass and keeps its name. A clean-up may be asked for again, and before anything was
 *   made.
 *
 * Errors: a `CloudError` with `afterSpecChange` when the spec itself is refused. What was aborted throws no `CloudError`.
 *
 * `describeNodeClassContract` of the testkit has this as tests.
 */
export interface NodeClassPort {
  subnets(nodeClass: EC2NodeClass, signal: AbortSignal, pace?: LookupPace): Promise<readonly FoundSubnet[]>;
  securityGroups(
    nodeClass: EC2NodeClass,
    signal: AbortSignal,
    pace?: LookupPace,
  ): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** None while the gate `ReservedCapacity` is off. */
  capacityReservations(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundReservation[]>;
  /** `undefined` without a selector, or when nothing matches it. */
  placementGroup(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<FoundPlacementGroup | undefined>;
  /** Every image that the terms could mean, also those too young or deprecated. */
  images(query: ImageQuery, signal: AbortSignal, pace?: LookupPace): Promise<FoundImages>;
  /** The profile that launches will use: created and kept for `spec.role`, or `spec.instanceProfile` as it is. */
  ensureInstanceProfile(nodeClass: EC2NodeClass, signal: AbortSignal, pace?: LookupPace): Promise<string>;
  /** Profiles and launch templates that were made for the NodeClass. Idempotent. */
  cleanUp(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<void>;
  /** Dry runs of what a launch would do. */
  validate(
    nodeClass: EC2NodeClass,
    nodePools: readonly NodePool[],
    signal: AbortSignal,
    pace?: LookupPace,
  ): Promise<
    | { readonly kind: 'valid' }
    | { readonly kind: 'invalid'; readonly reason: string; readonly message: string }
    | { readonly kind: 'retry' }
  >;
}

export interface ControlPlanePort {
  /** `1.29`: the control plane's minor version. */
  kubernetesVersion(signal: AbortSignal, pace?: LookupPace): Promise<string>;
}

/**
 * When a cloud in the same process gives other answers. A cloud on the network does not tell, and is polled.
 *
 * Guarantees: a question that only asks has the same answer as long as `version` is the same and `steadyUntil` has not come.
 */
export interface AnswerChanges {
  /** Another number after every change. */
  version(): number;
  /**
   * Until when answers stay as they are unless a change is announced: `undefined` for ever, now when that is unknown.
   * @param of only those of `InstanceTypePort` and `InstancePort` [all]
   */
  steadyUntil(of?: 'market'): Instant | undefined;
  /** Calls `handler` at every change that is not told beforehand. */
  onChange(handler: () => void): void;
}

/** All that the operator asks of a cloud. */
export type Cloud = {
  readonly instances: InstancePort;
  readonly instanceTypes: InstanceTypePort;
  readonly nodeClasses: NodeClassPort;
  readonly capacityReservations: ReservationPort;
  readonly capacity: CapacityPort;
  readonly instanceHealth: InstanceHealthPort;
  /** The policies of the gate `NodeRepair`. */
  readonly repairPolicies: readonly RepairPolicy[];
  /** Absent where no queue is configured. */
  readonly interruptions?: InterruptionPort;
  readonly controlPlane: ControlPlanePort;
  readonly managedGroups: ManagedGroupPort;
  readonly scalingGroups: ScalingGroupPort;
  readonly quotas: QuotaPort;
  /** What clusters tell each other. */
  readonly parameters: ParameterPort;
  readonly changes?: AnswerChanges;
};

/**
 * A cloud call that could not be completed. It says nothing about whether a change took place: a caller reads before it
 * decides, or makes the same call again.
 */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  /** The provider's own code, `RequestLimitExceeded`. */
  readonly code: string;
  /** What a caller should do about it. */
  readonly retry: 'soon' | 'backOff' | 'afterSpecChange';

  constructor(message: string, options: { code: string; retry: CloudError['retry']; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.retry = options.retry;
  }
}
