import {
  conditionFalse,
  conditionTrue,
  conditionUnknown,
  ec2NodeClassConditions,
  isConditionFalse,
  isConditionTrue,
  toTimestamp,
  withCondition,
  withInitialConditions,
  type ConditionUpdate,
  type EC2NodeClass,
  type Instant,
  byTextOf,
  inOrder,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import type { ImageDecision } from '@nodewright/engine';
import type { FoundReservation, FoundSubnet } from '@nodewright/ports';
import { isResolved, type Finding, type NodeClassSnapshot } from './observe.ts';

export const conditionSet = ec2NodeClassConditions({ reservedCapacity: true });

type NodeClassStatus = NonNullable<EC2NodeClass['status']>;
type StatusChange = { readonly fields: Partial<NodeClassStatus>; readonly condition: ConditionUpdate };

/** The NodeClass with everything that was found in its status. Failed lookups leave their part as it was. */
export function statusFrom(seen: NodeClassSnapshot, decision: ImageDecision | undefined, now: Instant): EC2NodeClass {
  // In the order of Karpenter: `Ready` lists what changes at the same time in reverse.
  const changes = [
    decision === undefined ? imagesUnanswered(seen) : imagesChange(decision),
    reservationsChange(seen),
    placementGroupChange(seen),
    ...otherChanges(seen),
  ];
  const begun = withInitialConditions(conditionSet, seen.nodeClass, now);
  const looked = changes.reduce<EC2NodeClass>(
    (current, change) => (change === undefined ? current : applyStatusChange(current, change, now)),
    begun,
  );
  const condition = validationCondition(seen, looked);
  return condition === undefined ? looked : withCondition(conditionSet, looked, condition, now);
}

const applyStatusChange = (nodeClass: EC2NodeClass, { fields, condition }: StatusChange, now: Instant): EC2NodeClass =>
  withCondition(conditionSet, { ...nodeClass, status: { ...nodeClass.status, ...fields } }, condition, now);

/** Terms that cannot be used say nothing about the images they selected before. */
function imagesChange({ selected, advice, problem }: ImageDecision): StatusChange {
  if (problem === undefined) {
    return { fields: { amis: selected }, condition: { ...conditionTrue('AMIsReady'), message: advice.join('; ') } };
  }
  const fields = problem.reason === 'AMINotFound' ? cleared('amis') : {};
  return { fields, condition: conditionFalse('AMIsReady', problem.reason, problem.message) };
}

/** An earlier answer stands, also one that no image will do. */
const imagesUnanswered = ({ nodeClass, images }: NodeClassSnapshot): StatusChange | undefined =>
  isConditionFalse(nodeClass, 'AMIsReady')
    ? undefined
    : unanswered(nodeClass, 'AMIsReady', { finding: images, field: 'amiSelectorTerms' });

function otherChanges({
  nodeClass,
  subnets,
  securityGroups,
  instanceProfile,
}: NodeClassSnapshot): readonly (StatusChange | undefined)[] {
  const { spec } = nodeClass;
  return [
    subnets.kind === 'found'
      ? subnetsChange(subnets.value, nodeClass)
      : unanswered(nodeClass, 'SubnetsReady', { finding: subnets, field: 'subnetSelectorTerms' }),
    securityGroups.kind === 'found'
      ? securityGroupsChange(securityGroups.value, nodeClass)
      : unanswered(nodeClass, 'SecurityGroupsReady', { finding: securityGroups, field: 'securityGroupSelectorTerms' }),
    instanceProfile.kind === 'found'
      ? { fields: { instanceProfile: instanceProfile.value }, condition: conditionTrue('InstanceProfileReady') }
      : unanswered(nodeClass, 'InstanceProfileReady', {
          finding: instanceProfile,
          field: spec.role === undefined ? 'instanceProfile' : 'role',
        }),
  ];
}

type Unanswered = {
  readonly finding: Finding<unknown>;
  readonly field:
    | 'amiSelectorTerms'
    | 'role'
    | 'instanceProfile'
    | 'subnetSelectorTerms'
    | 'securityGroupSelectorTerms'
    | 'capacityReservationSelectorTerms'
    | 'placementGroupSelector';
};

/** A failed lookup leaves a condition that holds alone; one that never held says what it waits for. */
function unanswered(nodeClass: EC2NodeClass, type: string, { finding, field }: Unanswered): StatusChange | undefined {
  if (finding.kind !== 'failed' || isConditionTrue(nodeClass, type)) return undefined;
  const because = finding.error instanceof Error ? finding.error.message : String(finding.error);
  const message = `spec.${field} ${JSON.stringify(nodeClass.spec[field])}: ${because}`;
  return { fields: {}, condition: conditionUnknown(type, 'AwaitingReconciliation', message) };
}

/** Which terms found nothing, and what helps. */
const nothingHas = (
  what: string,
  nodeClass: EC2NodeClass,
  field: 'subnetSelectorTerms' | 'securityGroupSelectorTerms',
): string =>
  `no ${what} of this account and region matches spec.${field} ${JSON.stringify(nodeClass.spec[field])}; correct the terms, or tag a ${what} so`;

type FoundSubnets = Extract<NodeClassSnapshot['subnets'], { kind: 'found' }>['value'];

/** Most free addresses first, as launches choose. */
function subnetsChange(found: FoundSubnets, nodeClass: EC2NodeClass): StatusChange {
  if (found.length === 0) {
    const message = `SubnetSelector did not match any Subnets: ${nothingHas('subnet', nodeClass, 'subnetSelectorTerms')}`;
    const condition = conditionFalse('SubnetsReady', 'SubnetsNotFound', message);
    return { fields: cleared('subnets'), condition };
  }
  const sorted = found.toSorted(mostAddressesFirst);
  const subnets = sorted.map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId }));
  return { fields: { subnets }, condition: conditionTrue('SubnetsReady') };
}

function securityGroupsChange(
  found: readonly { readonly id: string; readonly name: string }[],
  nodeClass: EC2NodeClass,
): StatusChange {
  if (found.length === 0) {
    const message = `SecurityGroupSelector did not match any SecurityGroups: ${nothingHas('security group', nodeClass, 'securityGroupSelectorTerms')}`;
    return {
      fields: cleared('securityGroups'),
      condition: conditionFalse('SecurityGroupsReady', 'SecurityGroupsNotFound', message),
    };
  }
  const securityGroups = found.toSorted(byTextOf(({ id }) => id));
  return { fields: { securityGroups }, condition: conditionTrue('SecurityGroupsReady') };
}

/** By id. None is an answer too: what is reserved comes and goes. */
function reservationsChange({ nodeClass, capacityReservations }: NodeClassSnapshot): StatusChange | undefined {
  if (capacityReservations.kind !== 'found')
    return unanswered(nodeClass, 'CapacityReservationsReady', {
      finding: capacityReservations,
      field: 'capacityReservationSelectorTerms',
    });
  const reservations = capacityReservations.value.map(writtenReservation);
  const fields = reservations.length === 0 ? cleared('capacityReservations') : { capacityReservations: reservations };
  return { fields, condition: conditionTrue('CapacityReservationsReady') };
}

const writtenReservation = ({ id, zone, endsAt, ...found }: FoundReservation) => ({
  id,
  availabilityZone: zone,
  instanceType: found.instanceType,
  instanceMatchCriteria: found.matchCriteria,
  ownerID: found.ownerId,
  reservationType: found.type,
  state: found.state,
  ...(endsAt === undefined ? {} : { endTime: toTimestamp(endsAt) }),
  ...(found.interruptible ? { interruptible: true } : {}),
});

function placementGroupChange({ nodeClass, placementGroup }: NodeClassSnapshot): StatusChange | undefined {
  const selector = nodeClass.spec.placementGroupSelector;
  if (selector === undefined) return { fields: {}, condition: conditionTrue('PlacementGroupReady') };
  if (placementGroup.kind !== 'found')
    return unanswered(nodeClass, 'PlacementGroupReady', { finding: placementGroup, field: 'placementGroupSelector' });
  if (placementGroup.value !== undefined) return { fields: {}, condition: conditionTrue('PlacementGroupReady') };
  const message = `Placement group "${selector.name ?? selector.id ?? ''}" not found: no available placement group of this account and region matches spec.placementGroupSelector ${JSON.stringify(selector)}; create it, or correct the selector`;
  return { fields: {}, condition: conditionFalse('PlacementGroupReady', 'PlacementGroupNotFound', message) };
}

/**
 * What the validation found; while a dependency is missing it is not asked.
 * @param looked the NodeClass with what this turn's lookups found
 */
function validationCondition(
  { nodeClass, validation }: NodeClassSnapshot,
  looked: EC2NodeClass,
): ConditionUpdate | undefined {
  const isRefused = dependencies.some((type) => isConditionFalse(looked, type));
  if (isRefused || !isResolved(nodeClass)) return awaitingDependencies(isRefused);
  if (validation.kind !== 'found') return undefined;
  switch (validation.value.kind) {
    case 'valid':
      return conditionTrue('ValidationSucceeded');
    case 'invalid':
      return conditionFalse('ValidationSucceeded', validation.value.reason, validation.value.message);
    case 'retry':
      return undefined;
  }
}

const dependencies = ['AMIsReady', 'InstanceProfileReady', 'SecurityGroupsReady', 'SubnetsReady'];

function awaitingDependencies(isRefused: boolean): ConditionUpdate {
  const message = 'Awaiting AMI, Instance Profile, Security Group, and Subnet resolution';
  return isRefused
    ? conditionFalse('ValidationSucceeded', 'DependenciesNotReady', message)
    : conditionUnknown('ValidationSucceeded', 'DependenciesNotReady', message);
}

/** A list that is not there any more, as a merge patch writes it. */
const cleared = (field: 'amis' | 'subnets' | 'securityGroups' | 'capacityReservations'): Partial<NodeClassStatus> => ({
  [field]: undefined,
});

const mostAddressesFirst = inOrder<FoundSubnet>(
  inReverse(byNumberOf(({ freeAddresses }) => freeAddresses)),
  byTextOf(({ id }) => id),
);
