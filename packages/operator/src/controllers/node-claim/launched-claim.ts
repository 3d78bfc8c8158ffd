import {
  awsAnnotations,
  awsLabels,
  byTextOf,
  conditionTrue,
  karpenterLabels,
  kubernetesLabels,
  nodeClaimConditions,
  withCondition,
  type EC2NodeClass,
  type Instant,
  type NodeClaim,
} from '@nodewright/apis';
import { resourcesThrough, toResourceList, type InstanceType, type Offering, type Resources } from '@nodewright/engine';
import type { Requirements } from '@nodewright/requirements';
import type { LaunchOutcome } from '@nodewright/ports';
import { nodeNotFound } from './node-not-found.ts';

type LaunchedOutcome = Extract<LaunchOutcome, { kind: 'launched' }>;

/** The claim as it is stored once its instance exists and its node is waited for. Its own labels win over those of the instance. */
export function launchedClaim(
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  launched: LaunchedOutcome,
  now: Instant,
): NodeClaim {
  const { instance, instanceType, offering } = launched;
  const { capacity, allocatable } = resourcesThrough(instanceType, offering);
  const known: NodeClaim = {
    ...claim,
    metadata: {
      ...claim.metadata,
      labels: { ...labelsOfLaunch(launched), ...claim.metadata.labels },
      annotations: { ...claim.metadata.annotations, ...annotationsOf(nodeClass) },
    },
    status: {
      ...claim.status,
      providerID: instance.providerId,
      imageID: instance.imageId,
      capacity: toResourceList(dropZeroAmounts(capacity)),
      allocatable: toResourceList(dropZeroAmounts(allocatable)),
    },
  };
  const waiting = withCondition(nodeClaimConditions, known, nodeNotFound('Registered'), now);
  return withCondition(nodeClaimConditions, waiting, conditionTrue('Launched'), now);
}

function labelsOfLaunch({ instance, instanceType, offering }: LaunchedOutcome): Readonly<Record<string, string>> {
  return {
    ...withoutReservation(singleValues(instanceType)),
    ...singleValues(offering),
    [kubernetesLabels.instanceType]: instance.instanceType,
    [kubernetesLabels.zone]: instance.zone,
    ...(instance.zoneId === undefined ? {} : { [kubernetesLabels.zoneId]: instance.zoneId }),
    [karpenterLabels.capacityType]: instance.capacityType,
    [awsLabels.instanceTenancy]: instance.tenancy,
  };
}

/** Labels with exactly one possible value are certain. */
function singleValues({
  requirements,
}: Pick<InstanceType | Offering, 'requirements'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sortedRequirements(requirements).flatMap(([key, requirement]) => {
      const [value, ...others] = requirement.complement ? [] : [...requirement.values];
      return value === undefined || others.length > 0 ? [] : [[key, value] as const];
    }),
  );
}

/** A type may be reserved in one way and bought in another: only the offering says which it was. */
const withoutReservation = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !reservationLabelKeys.has(key)));

const reservationLabelKeys: ReadonlySet<string> = new Set([
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
]);

const sortedRequirements = (requirements: Requirements) => [...requirements].toSorted(byTextOf(([key]) => key));

const dropZeroAmounts = (amounts: Resources): Resources =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

/** What drift compares later: the NodeClass as it was when the instance was launched. */
function annotationsOf({ metadata, status }: EC2NodeClass): Readonly<Record<string, string>> {
  const { ec2NodeClassHash, ec2NodeClassHashVersion, instanceProfileName } = awsAnnotations;
  const kept = [ec2NodeClassHash, ec2NodeClassHashVersion].flatMap((name) => {
    const value = metadata.annotations?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const profile = status?.instanceProfile;
  return { ...Object.fromEntries(kept), ...(profile === undefined ? {} : { [instanceProfileName]: profile }) };
}
