import type {
  DescribeInstancesRequest,
  DescribeInstancesResult,
  DescribeInstanceStatusRequest,
  DescribeInstanceStatusResult,
  RebootInstancesRequest,
  TerminateInstancesRequest,
  TerminateInstancesResult,
} from '@aws-sdk/client-ec2';
import { pageOf } from '../paging.ts';
import {
  badNextToken,
  dryRunWouldSucceed,
  invalidCombination,
  malformedInstanceId,
  noSuchInstances,
} from './errors.ts';
import { filtered, type Filterable } from './filters.ts';
import { instanceOnTheWire, stateOnTheWire } from './instance-on-the-wire.ts';
import type { Instance } from './instance.ts';
import type { Ec2 } from './model.ts';

export function describeInstances(ec2: Ec2, request: DescribeInstancesRequest): DescribeInstancesResult {
  const { InstanceIds: ids, MaxResults, NextToken } = request;
  if (ids !== undefined && ids.length > 0 && MaxResults !== undefined) {
    throw invalidCombination('The parameter instancesSet cannot be used with the parameter maxResults');
  }
  const asked = ids === undefined || ids.length === 0 ? ec2.instances.allDescribed() : knownInstances(ec2, ids);
  const found = filtered(asked, request.Filters, filterableFor(ec2));
  const { items, next } = pageOf(found, { size: MaxResults, token: NextToken, refuse: badNextToken });
  return { Reservations: reservationsOf(ec2, items), ...(next && { NextToken: next }) };
}

/** Each once, in the order asked for. @throws AwsError naming all that are unknown */
function knownInstances(ec2: Ec2, ids: readonly string[]): readonly Instance[] {
  const malformed = ids.find((id) => !/^i-[0-9a-f]{8,17}$/.test(id));
  if (malformed !== undefined) throw malformedInstanceId(malformed);
  const missing = ids.filter((id) => ec2.instances.described(id) === undefined);
  if (missing.length > 0) throw noSuchInstances(missing);
  return [...new Set(ids)].flatMap((id) => ec2.instances.described(id) ?? []);
}

const filterableFor = ({ tags, network }: Ec2): Filterable<Instance> => ({
  attributes: {
    'instance-id': ({ id }) => id,
    'instance-state-name': ({ state }) => state,
    'instance-state-code': ({ state }) => String(stateOnTheWire(state).Code),
    'instance-type': ({ settings }) => settings.instanceType,
    'instance-lifecycle': ({ spotRequestId }) => (spotRequestId === undefined ? undefined : 'spot'),
    'image-id': ({ settings }) => settings.imageId,
    'subnet-id': ({ settings }) => settings.subnetId,
    'vpc-id': () => network.vpcId,
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
  tags: ({ id }) => tags.of(id),
});

/** Instances that were launched together are told together. */
function reservationsOf(ec2: Ec2, instances: readonly Instance[]) {
  const reservations = new Map<string, Instance[]>();
  for (const instance of instances) {
    reservations.set(instance.reservationId, [...(reservations.get(instance.reservationId) ?? []), instance]);
  }
  return [...reservations].map(([ReservationId, members]) => ({
    ReservationId,
    OwnerId: ec2.account.id,
    Instances: members.map((instance) => instanceOnTheWire(ec2, instance)),
  }));
}

/** Running instances are well; the others are only told with `IncludeAllInstances`. */
export function describeInstanceStatus(ec2: Ec2, request: DescribeInstanceStatusRequest): DescribeInstanceStatusResult {
  const asked =
    request.InstanceIds === undefined ? ec2.instances.allDescribed() : knownInstances(ec2, request.InstanceIds);
  const found = filtered(asked, request.Filters, filterableFor(ec2)).filter(
    ({ state }) => request.IncludeAllInstances === true || state === 'running',
  );
  const page = { size: request.MaxResults, token: request.NextToken, refuse: badNextToken };
  const { items, next } = pageOf(found, page);
  const InstanceStatuses = items.map(({ id, zone, state }) => {
    const Status = state === 'running' ? ('ok' as const) : ('not-applicable' as const);
    const summary = { Status, Details: [] };
    return {
      InstanceId: id,
      AvailabilityZone: zone,
      InstanceState: stateOnTheWire(state),
      InstanceStatus: summary,
      SystemStatus: summary,
      Events: [],
    };
  });
  return { InstanceStatuses, ...(next && { NextToken: next }) };
}

/** Machines that are not running are left alone. */
export function rebootInstances(ec2: Ec2, request: RebootInstancesRequest): object {
  const instances = knownInstances(ec2, request.InstanceIds ?? []);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  for (const { id } of instances) ec2.instances.reboot(id);
  return {};
}

export function terminateInstances(ec2: Ec2, request: TerminateInstancesRequest): TerminateInstancesResult {
  const instances = knownInstances(ec2, request.InstanceIds ?? []);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return {
    TerminatingInstances: instances.map(({ id, state: before }) => {
      ec2.instances.terminate(id);
      const now = ec2.instances.get(id)?.state ?? 'terminated';
      return { InstanceId: id, PreviousState: stateOnTheWire(before), CurrentState: stateOnTheWire(now) };
    }),
  };
}
