import type {
  DescribeInstancesRequest,
  DescribeInstancesResult,
  InstanceStateChange,
  RebootInstancesRequest,
  TerminateInstancesRequest,
  TerminateInstancesResult,
} from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import {
  dryRunWouldSucceed,
  ec2BadToken,
  invalidCombination,
  malformedInstanceId,
  missingParameter,
  noSuchInstances,
  terminationProtected,
} from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { instanceRecordPaths } from './instance-filters.ts';
import { writeInstance, stateOnTheWire } from './instance-on-the-wire.ts';
import type { Ec2Instance } from './instance.ts';
import type { Ec2 } from './model.ts';
import { vpcIdOfSubnet } from './vpcs.ts';

export function describeInstances(ec2: Ec2, request: DescribeInstancesRequest): DescribeInstancesResult {
  const { InstanceIds: ids, MaxResults, NextToken } = request;
  if (ids !== undefined && ids.length > 0 && MaxResults !== undefined) {
    throw invalidCombination('The parameter instancesSet cannot be used with the parameter maxResults');
  }
  const asked = ids === undefined || ids.length === 0 ? ec2.instances.allDescribed() : knownInstances(ec2, ids);
  const found = applyFilters(asked, request.Filters, filterableInstance(ec2));
  const { items, next } = takePage(found, { size: MaxResults, token: NextToken, refuse: ec2BadToken });
  return { Reservations: groupByReservation(ec2, items), ...(next && { NextToken: next }) };
}

/** Finds instances, each once, in the order asked for. @throws AwsError naming all that are unknown */
export function knownInstances(ec2: Ec2, ids: readonly string[]): readonly Ec2Instance[] {
  const malformed = ids.find((id) => !/^i-[0-9a-f]{8,17}$/.test(id));
  if (malformed !== undefined) throw malformedInstanceId(malformed);
  const missing = ids.filter((id) => ec2.instances.described(id) === undefined);
  if (missing.length > 0) throw noSuchInstances(missing);
  return [...new Set(ids)].flatMap((id) => ec2.instances.described(id) ?? []);
}

export const filterableInstance = (ec2: Ec2): Filterable<Ec2Instance> => ({
  records: { write: (instance) => writeInstance(ec2, instance), paths: instanceRecordPaths },
  attributes: {
    'instance-id': ({ id }) => id,
    'instance-state-name': ({ state }) => state,
    'instance-state-code': ({ state }) => String(stateOnTheWire(state).Code),
    'instance-type': ({ settings }) => settings.instanceType,
    'instance-lifecycle': ({ spotRequestId }) => (spotRequestId === undefined ? undefined : 'spot'),
    'image-id': ({ settings }) => settings.imageId,
    'subnet-id': ({ settings }) => settings.subnetId,
    'vpc-id': ({ state, settings }) =>
      state === 'terminated' ? undefined : vpcIdOfSubnet(ec2.network, settings.subnetId),
    'owner-id': () => ec2.account.id,
    'requester-id': () => undefined,
    'metadata-options.http-protocol-ipv4': () => 'enabled',
    'network-interface.attachment.instance-id': ({ id }) => id,
    'network-interface.attachment.instance-owner-id': () => ec2.account.id,
    'network-interface.availability-zone': ({ zone }) => zone,
    'availability-zone': ({ zone }) => zone,
    'availability-zone-id': ({ zoneId }) => zoneId,
    'instance.group-id': ({ settings }) => settings.securityGroupIds,
    'private-ip-address': ({ privateIp }) => privateIp,
    'private-dns-name': ({ privateDnsName }) => privateDnsName,
    'reservation-id': ({ reservationId }) => reservationId,
    'client-token': ({ clientToken }) => clientToken,
    'spot-instance-request-id': ({ spotRequestId }) => spotRequestId,
    tenancy: ({ settings }) => settings.tenancy,
  },
  tags: ({ id }) => ec2.tags.of(id),
});

/** Lists instances that were launched together in one reservation. */
function groupByReservation(ec2: Ec2, instances: readonly Ec2Instance[]) {
  const reservations = new Map<string, Ec2Instance[]>();
  for (const instance of instances) {
    reservations.set(instance.reservationId, [...(reservations.get(instance.reservationId) ?? []), instance]);
  }
  return [...reservations].map(([ReservationId, members]) => ({
    ReservationId,
    OwnerId: ec2.account.id,
    Groups: [],
    Instances: members.map((instance) => writeInstance(ec2, instance)),
  }));
}

/** Reboots running instances. Other instances stay as they are. */
export function rebootInstances(ec2: Ec2, request: RebootInstancesRequest): object {
  const instances = requireInstances(ec2, request.InstanceIds);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  for (const { id } of instances) ec2.instances.reboot(id);
  return {};
}

/**
 * Ends instances. An unknown id refuses the whole call. A protected instance keeps itself and the others of its zone: those of
 * other zones end, and the call is refused.
 */
export function terminateInstances(ec2: Ec2, request: TerminateInstancesRequest): TerminateInstancesResult {
  const instances = requireInstances(ec2, request.InstanceIds);
  const kept = instances.filter(({ isProtected, state }) => isProtected === true && !isEndingOrEnded(state));
  const keptZones = new Set(kept.map(({ zone }) => zone));
  const [refused] = kept;
  if (request.DryRun === true) throw refused === undefined ? dryRunWouldSucceed() : terminationProtected(refused.id);
  const ending = instances.filter(({ zone }) => !keptZones.has(zone));
  const TerminatingInstances = ending.map((instance) => terminateEc2Instance(ec2, instance));
  if (refused !== undefined) throw terminationProtected(refused.id);
  return { TerminatingInstances };
}

function terminateEc2Instance(ec2: Ec2, { id, state: before }: Ec2Instance): InstanceStateChange {
  ec2.instances.terminate(id);
  const now = ec2.instances.get(id)?.state ?? 'terminated';
  return { InstanceId: id, PreviousState: stateOnTheWire(before), CurrentState: stateOnTheWire(now) };
}

const isEndingOrEnded = (state: Ec2Instance['state']): boolean => state === 'shutting-down' || state === 'terminated';

/** Finds at least one instance. @throws AwsError without ids, or naming all that are unknown */
export function requireInstances(ec2: Ec2, ids: readonly string[] = []): readonly Ec2Instance[] {
  if (ids.length === 0) throw missingParameter('InstanceId');
  return knownInstances(ec2, ids);
}
