import type { Instance as Ec2Instance, InstanceStateName } from '@aws-sdk/client-ec2';
import { instant } from '@nodewright/apis';
import type { CapacityType } from '@nodewright/engine';
import type { Instance } from '@nodewright/ports';
import { tagsFromList } from '../tags.ts';

export const providerIdOf = (zone: string, id: string): string => `aws:///${zone}/${id}`;

/** `i-...` of `aws:///us-east-1a/i-...`; `undefined` when it is none. */
export const instanceIdOf = (providerId: string): string | undefined =>
  /^[^:]+:\/\/\/[^/]+\/(i-[^/]+)$/.exec(providerId)?.[1];

const states: Readonly<Record<InstanceStateName, Instance['state']>> = {
  pending: 'pending',
  running: 'running',
  'shutting-down': 'shutting-down',
  stopping: 'stopping',
  stopped: 'stopped',
  terminated: 'terminated',
};

type Gates = { readonly reservedCapacity: boolean };

/** What EC2 describes, in the words of the port. */
export function instanceFrom(described: Ec2Instance, gates: Gates = { reservedCapacity: true }): Instance {
  const { InstanceId: id = '', Placement, State, LaunchTime, Tags, SubnetId } = described;
  const zone = Placement?.AvailabilityZone ?? '';
  return {
    id,
    providerId: providerIdOf(zone, id),
    instanceType: described.InstanceType ?? '',
    zone,
    capacityType: capacityTypeOf(described, gates),
    ...(described.CapacityReservationId === undefined ? {} : { reservationId: described.CapacityReservationId }),
    ...(Placement?.PartitionNumber === undefined ? {} : { partition: String(Placement.PartitionNumber) }),
    tenancy: Placement?.Tenancy ?? 'default',
    imageId: described.ImageId ?? '',
    privateDnsName: described.PrivateDnsName ?? '',
    state: states[State?.Name ?? 'pending'],
    launchedAt: instant(LaunchTime?.getTime() ?? 0),
    tags: tagsFromList(Tags),
    ...(SubnetId === undefined ? {} : { subnetId: SubnetId }),
    securityGroupIds: groupsOf(described),
  };
}

/** Those of the instance; where an endpoint tells none, those of its primary network interface. */
function groupsOf({ SecurityGroups = [], NetworkInterfaces = [] }: Ec2Instance): readonly string[] {
  const primary = NetworkInterfaces.find(({ Attachment }) => (Attachment?.DeviceIndex ?? 0) === 0);
  const groups = SecurityGroups.length > 0 ? SecurityGroups : (primary?.Groups ?? []);
  return groups.flatMap(({ GroupId }) => GroupId ?? []).toSorted();
}

/** An instance that an open reservation took by itself counts as on-demand: nobody asked for the reservation. */
function capacityTypeOf(described: Ec2Instance, { reservedCapacity }: Gates): CapacityType {
  if (described.SpotInstanceRequestId !== undefined || described.InstanceLifecycle === 'spot') return 'spot';
  const { CapacityReservationPreference: preference } = described.CapacityReservationSpecification ?? {};
  const isReserved =
    reservedCapacity && described.CapacityReservationId !== undefined && preference === 'capacity-reservations-only';
  return isReserved ? 'reserved' : 'on-demand';
}
