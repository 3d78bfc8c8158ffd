import {
  hours,
  awsAnnotations,
  awsLabels,
  type EC2NodeClass,
  fromTimestamp,
  instant,
  type Instant,
  karpenterAnnotations,
  karpenterLabels,
  kubernetesLabels,
  type KubernetesObject,
  type NodeClaim,
  type NodePool,
  type NodeSelectorRequirement,
  oncePerPair,
  readOwn,
} from '@nodewright/apis';
import { requirementsIntersect, isCompatible, parseRequirements, requirementsOfLabels } from '@nodewright/requirements';
import type { CapacityType, InstanceType } from '../instance-types/instance-type.ts';
import { typesByName } from '../instance-types/types-by-name.ts';
import { hasImageDrifted } from './image-drift.ts';

/** Why a node is no longer what its NodePool and NodeClass ask for: reason and message of `Drifted`. */
export const driftReasons = [
  'NodePoolDrifted',
  'RequirementsDrifted',
  'InstanceTypeNotFound',
  'NodeClassDrift',
  'AMIDrift',
  'SecurityGroupDrift',
  'SubnetDrift',
  'CapacityReservationDrift',
  'PlacementGroupDrift',
] as const;

export type DriftReason = (typeof driftReasons)[number];

export type DriftSnapshot = {
  readonly claim: NodeClaim;
  readonly nodePool: NodePool;
  /** The class that the pool refers to now; without it only the pool's side can be judged. */
  readonly nodeClass: EC2NodeClass | undefined;
  readonly instanceTypes: readonly InstanceType[];
  /** The running instance; without it subnet, security groups and reservation are not judged. */
  readonly instance:
    | {
        readonly subnetId?: string;
        readonly securityGroupIds: readonly string[];
        readonly capacityType: CapacityType;
        /** The capacity reservation that it is in now. */
        readonly reservationId?: string;
      }
    | undefined;
  /** Kinds of types whose images are all too young (`ImageDecision.withheld`). */
  readonly withheld?: readonly (readonly NodeSelectorRequirement[])[];
  /** The image is left out: a rollout decides when it counts. */
  readonly isApartFromImage?: boolean;
  readonly now: Instant;
};

/**
 * The first reason why a launched claim has drifted, in the order of Karpenter: what the pool says,
 * then what its NodeClass says. What cannot be judged (a lookup that found nothing, an unknown
 * type) is never a reason.
 * @see https://karpenter.sh/docs/concepts/disruption/#drift
 */
export function driftReason(seen: DriftSnapshot): DriftReason | undefined {
  if (differsFromHash(seen.nodePool, seen.claim, poolHash)) return 'NodePoolDrifted';
  if (haveRequirementsDrifted(seen)) return 'RequirementsDrifted';
  if (isInstanceTypeGone(seen)) return 'InstanceTypeNotFound';
  return seen.nodeClass === undefined ? undefined : classReason({ ...seen, nodeClass: seen.nodeClass });
}

function classReason(seen: DriftSnapshot & { readonly nodeClass: EC2NodeClass }): DriftReason | undefined {
  const { nodeClass, claim, instance } = seen;
  if (differsFromHash(nodeClass, claim, classHash)) return 'NodeClassDrift';
  if (seen.isApartFromImage !== true && hasImageDrifted(seen) === true) return 'AMIDrift';
  if (instance === undefined) return undefined;
  if (haveSecurityGroupsDrifted(nodeClass, instance)) return 'SecurityGroupDrift';
  if (hasSubnetDrifted(nodeClass, instance)) return 'SubnetDrift';
  if (hasReservationDrifted(nodeClass, instance)) return 'CapacityReservationDrift';
  return hasPlacementDrifted(seen) ? 'PlacementGroupDrift' : undefined;
}

type HashAnnotations = { readonly hash: string; readonly version: string };

const poolHash: HashAnnotations = {
  hash: karpenterAnnotations.nodePoolHash,
  version: karpenterAnnotations.nodePoolHashVersion,
};
const classHash: HashAnnotations = {
  hash: awsAnnotations.ec2NodeClassHash,
  version: awsAnnotations.ec2NodeClassHashVersion,
};

/** Hashes are compared only when all are there and of one version. */
function differsFromHash(owner: KubernetesObject, claim: NodeClaim, { hash, version }: HashAnnotations): boolean {
  const [ofOwner, ofClaim] = [owner.metadata.annotations ?? {}, claim.metadata.annotations ?? {}];
  const values = [readOwn(ofOwner, hash), readOwn(ofOwner, version), readOwn(ofClaim, hash), readOwn(ofClaim, version)];
  return (
    values.every(Boolean) &&
    readOwn(ofOwner, version) === readOwn(ofClaim, version) &&
    readOwn(ofOwner, hash) !== readOwn(ofClaim, hash)
  );
}

/** Whether the pool would no longer launch a node with these labels. A label that is absent can only be asked to be. */
const haveRequirementsDrifted = ({ claim, nodePool }: DriftSnapshot): boolean => !isWanted(claim, nodePool);

const isWanted = oncePerPair((claim: NodeClaim, nodePool: NodePool): boolean =>
  isCompatible(
    requirementsOfLabels(claim.metadata.labels),
    parseRequirements(nodePool.spec.template.spec.requirements),
  ),
);

const settlingMs = hours(1);

/** From when on it counts that the claim's type is not on offer any more. */
export function isTypeJudgedFrom({ metadata: { creationTimestamp } }: NodeClaim): Instant | undefined {
  return creationTimestamp === undefined ? undefined : instant(fromTimestamp(creationTimestamp) + settlingMs + 1);
}

/** Whether the claim's type, or the way it was bought, is not on offer any more, available or not. Young claims are left alone. */
function isInstanceTypeGone({ claim, instanceTypes, now }: DriftSnapshot): boolean {
  const { labels = {} } = claim.metadata;
  const from = isTypeJudgedFrom(claim);
  if (from === undefined || now < from) return false;
  const type = typesByName(instanceTypes).get(labels[kubernetesLabels.instanceType] ?? '');
  return type === undefined || !isOnOffer(claim, type);
}

const isOnOffer = oncePerPair(({ metadata }: NodeClaim, { offerings }: InstanceType): boolean => {
  const bought = isBoughtAs(metadata.labels ?? {});
  return offerings.some((offering) => requirementsIntersect(bought, offering.requirements));
});

/** A reserved node whose reservation has ended goes on as on-demand. */
function isBoughtAs(labels: Readonly<Record<string, string>>) {
  const own = Object.entries(labels).filter(([key]) => !key.startsWith('karpenter.k8s.aws/capacity-reservation-'));
  const reserved = labels[karpenterLabels.capacityType] === 'reserved';
  const exact = own.filter(([key]) => !reserved || key !== karpenterLabels.capacityType);
  const widened: NodeSelectorRequirement[] = reserved
    ? [{ key: karpenterLabels.capacityType, operator: 'In', values: ['reserved', 'on-demand'] }]
    : [];
  return new Map([...requirementsOfLabels(Object.fromEntries(exact)), ...parseRequirements(widened)]);
}

type RunningInstance = NonNullable<DriftSnapshot['instance']>;

/** An empty status means that nothing was resolved, not that nothing is wanted. */
function haveSecurityGroupsDrifted(nodeClass: EC2NodeClass, instance: RunningInstance): boolean {
  const wanted = new Set((nodeClass.status?.securityGroups ?? []).map(({ id }) => id));
  const has = new Set(instance.securityGroupIds);
  return wanted.size > 0 && (wanted.size !== has.size || [...wanted].some((id) => !has.has(id)));
}

function hasSubnetDrifted(nodeClass: EC2NodeClass, instance: RunningInstance): boolean {
  const subnets = nodeClass.status?.subnets ?? [];
  return subnets.length > 0 && instance.subnetId !== undefined && !subnets.some(({ id }) => id === instance.subnetId);
}

/** Only an instance that still is in its reservation: one whose reservation has ended goes on as on-demand. */
const hasReservationDrifted = ({ status }: EC2NodeClass, { capacityType, reservationId }: RunningInstance): boolean =>
  capacityType === 'reserved' && !(status?.capacityReservations ?? []).some(({ id }) => id === reservationId);

/** Instance types say which placement group a new node would be in; a selector that finds none says nothing. */
function hasPlacementDrifted({ nodeClass, claim, instanceTypes }: DriftSnapshot): boolean {
  const { labels = {} } = claim.metadata;
  const type = typesByName(instanceTypes).get(labels[kubernetesLabels.instanceType] ?? '');
  if (type === undefined) return false;
  const [wanted] = type.requirements.get(awsLabels.placementGroupId)?.values ?? [];
  if (wanted === undefined && nodeClass?.spec.placementGroupSelector !== undefined) return false;
  return labels[awsLabels.placementGroupId] !== wanted;
}
