import type { Instance as Ec2Instance, InstanceStateName } from '@aws-sdk/client-ec2';
import { instant } from '@nodewright/apis';
import type { CapacityType } from '@nodewright/engine';
import type { Instance } from '@nodewright/ports';
import { tagsFromList } from '../tags.ts';

export const providerIdOf = (zone: string, id: string): string => `aws:///${zone}/${id}`;

/** `i-...` of `aws:///us-east-1a/i-...`; `undefined` when it is none. */
export const parseInstanceId = (providerId: string): string | undefined =>
  /^[^:]+:\/\/\/[^/]+\/(i-[^/]+)$/.exec(providerId)?.[1];

const instanceStates: Readonly<Record<InstanceStateName, Instance['state']>> = {
  pending: 'pending',
  running: 'running',
  'shutting-down': 'shutting-down',
  stopping: 'stopping',
  stopped: 'stopped',
  terminated: 'terminated',
};

type Gates = { readonly reservedCapacity: boolean };

/** What EC2 describes, in the words of the port. */
export function toInstance(described: Ec2Instance, gates: Gates = { reservedCapacity: true }): Instance {
  const { InstanceId: id = '', Placement, State, LaunchTime, Tags, SubnetId } = described;
  const zone = Placement?.AvailabilityZone ?? '';
  return {
    id,
    providerId: providerIdOf(zone, id),
    instanceType: described.InstanceType ?? '',
    zone,
    ...(Placement?.AvailabilityZoneId === undefined ? {} : { zoneId: Placement.AvailabilityZoneId }),
    capacityType: capacityTypeOfInstance(described, gates),
    ...(described.CapacityReservationId === undefined ? {} : { reservationId: described.CapacityReservationId }),
    ...(Placement?.PartitionNumber === undefined ? {} : { partition: String(Placement.PartitionNumber) }),
    tenancy: Placement?.Tenancy ?? 'default',
    imageId: described.ImageId ?? '',
    privateDnsName: described.PrivateDnsName ?? '',
    state: instanceStates[State?.Name ?? 'pending'],
    launchedAt: instant(LaunchTime?.getTime() ?? 0),
    tags: tagsFromList(Tags),
    ...(SubnetId === undefined ? {} : { subnetId: SubnetId }),
    securityGroupIds: securityGroupIdsOf(described),
  };
}

/** The security groups of the instance, or of its primary network interface where the answer has none for the instance. */
function securityGroupIdsOf({ SecurityGroups = [], NetworkInterfaces = [] }: Ec2Instance): readonly string[] {
  const primary = NetworkInterfaces.find(({ Attachment }) => (Attachment?.DeviceIndex ?? 0) === 0);
  const groups = SecurityGroups.length > 0 ? SecurityGroups : (primary?.Groups ?? []);
  return groups.flatMap(({ GroupId }) => GroupId ?? []).toSorted();
}

/** An instance that an open reservation took by itself counts as on-demand: the launch did not ask for the reservation. */
function capacityTypeOfInstance(described: Ec2Instance, { reservedCapacity }: Gates): CapacityType {
  if (described.SpotInstanceRequestId !== undefined || described.InstanceLifecycle === 'spot') return 'spot';
  const { CapacityReservationPreference: preference } = described.CapacityReservationSpecification ?? {};
  const isReserved =
    reservedCapacity && described.CapacityReservationId !== undefined && preference === 'capacity-reservations-only';
  return isReserved ? 'reserved' : 'on-demand';
}
