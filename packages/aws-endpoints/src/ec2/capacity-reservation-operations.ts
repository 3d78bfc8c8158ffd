import type {
  CancelCapacityReservationRequest,
  CancelCapacityReservationResult,
  CapacityReservation as WireReservation,
  CreateCapacityReservationRequest,
  CreateCapacityReservationResult,
  DescribeCapacityReservationsRequest,
  DescribeCapacityReservationsResult,
  ModifyCapacityReservationRequest,
  ModifyCapacityReservationResult,
} from '@aws-sdk/client-ec2';
import { typeNamed } from '../catalogue/catalogue.ts';
import { arnOf } from '../account.ts';
import { pageOf } from '../paging.ts';
import { endOf, type CapacityReservation } from './capacity-reservations.ts';
import {
  badNextToken,
  dryRunWouldSucceed,
  invalidCombination,
  invalidValue,
  malformedReservationId,
  missingParameter,
  reservationNotActive,
} from './errors.ts';
import { filtered, type Filterable } from './filters.ts';
import type { Ec2 } from './model.ts';
import { tagList, tagsFor } from './tags.ts';

export function createCapacityReservation(
  ec2: Ec2,
  request: CreateCapacityReservationRequest,
): CreateCapacityReservationResult {
  const { InstanceType: instanceType, InstancePlatform: platform, InstanceCount: count } = request;
  if (instanceType === undefined) throw missingParameter('InstanceType');
  if (platform === undefined) throw missingParameter('InstancePlatform');
  if (count === undefined) throw missingParameter('InstanceCount');
  if (count < 1) throw invalidValue(`Value (${count}) for parameter instanceCount is invalid. It must be at least 1.`);
  if (typeNamed(instanceType) === undefined)
    throw invalidValue(`The instance type '${instanceType}' is not supported.`);
  const place = placeOf(ec2, request);
  checkEnd(ec2, request);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once(request.ClientToken, request, () => {
    const reservation = ec2.reservations.create(
      {
        instanceType,
        platform,
        count,
        ...place,
        criteria: request.InstanceMatchCriteria ?? 'open',
        tenancy: request.Tenancy ?? 'default',
        ...endOf(request.EndDate),
        ...(request.ClientToken === undefined ? {} : { clientToken: request.ClientToken }),
      },
      tagsFor('capacity-reservation', request.TagSpecifications),
    );
    return { CapacityReservation: onTheWire(ec2, reservation) };
  });
}

function placeOf({ network }: Ec2, request: CreateCapacityReservationRequest): { zone: string; zoneId: string } {
  const { AvailabilityZone: name, AvailabilityZoneId: id } = request;
  if (name === undefined && id === undefined) throw missingParameter('AvailabilityZone');
  const subnet = network.subnets.find(({ zone, zoneId }) => (name === undefined ? zoneId === id : zone === name));
  if (subnet === undefined) throw invalidValue(`Invalid availability zone: [${name ?? id}]`);
  return { zone: subnet.zone, zoneId: subnet.zoneId };
}

type Ending = { readonly EndDate?: Date | undefined; readonly EndDateType?: 'limited' | 'unlimited' | undefined };

function checkEnd({ clock }: Ec2, { EndDate, EndDateType }: Ending): void {
  if (EndDateType === 'limited' && EndDate === undefined) throw missingParameter('EndDate');
  if (EndDateType === 'unlimited' && EndDate !== undefined)
    throw invalidCombination('The parameter EndDate cannot be used when EndDateType is unlimited');
  if (EndDate !== undefined && EndDate.getTime() <= clock.now())
    throw invalidValue(`Value (${EndDate.toISOString()}) for parameter endDate is invalid. It must be in the future.`);
}

export function describeCapacityReservations(
  ec2: Ec2,
  request: DescribeCapacityReservationsRequest,
): DescribeCapacityReservationsResult {
  const ids = request.CapacityReservationIds ?? [];
  if (ids.length > 0 && request.MaxResults !== undefined)
    throw invalidCombination('The parameter CapacityReservationIds cannot be used with the parameter MaxResults');
  const malformed = ids.find((id) => !/^cr-[0-9a-z]+$/.test(id));
  if (malformed !== undefined) throw malformedReservationId(malformed);
  const asked = ids.length === 0 ? ec2.reservations.all() : ids.map((id) => ec2.reservations.get(id));
  const found = filtered(asked, request.Filters, filterableFor(ec2));
  const page = { size: request.MaxResults, token: request.NextToken, refuse: badNextToken };
  const { items, next } = pageOf(found, page);
  return { CapacityReservations: items.map((each) => onTheWire(ec2, each)), ...(next && { NextToken: next }) };
}

const filterableFor = ({ account, reservations, tags }: Ec2): Filterable<CapacityReservation> => ({
  attributes: {
    'instance-type': ({ instanceType }) => instanceType,
    'owner-id': () => account.id,
    'instance-platform': ({ platform }) => platform,
    'availability-zone': ({ zone }) => zone,
    'availability-zone-id': ({ zoneId }) => zoneId,
    tenancy: ({ tenancy }) => tenancy,
    state: (reservation) => reservations.stateOf(reservation),
    'end-date-type': ({ endsAt }) => (endsAt === undefined ? 'unlimited' : 'limited'),
    'instance-match-criteria': ({ criteria }) => criteria,
  },
  tags: ({ id }) => tags.of(id),
});

/** Fewer places than are taken cannot be kept. */
export function modifyCapacityReservation(
  ec2: Ec2,
  request: ModifyCapacityReservationRequest,
): ModifyCapacityReservationResult {
  const reservation = activeReservation(ec2, request.CapacityReservationId);
  const { InstanceCount: count = reservation.count, InstanceMatchCriteria: criteria = reservation.criteria } = request;
  const used = ec2.instances.usingReservation(reservation.id);
  if (count < Math.max(1, used))
    throw invalidValue(`Value (${count}) for parameter instanceCount is invalid: ${used} instances are running in it.`);
  checkEnd(ec2, request);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const { endsAt, ...unlimited } = reservation;
  const kept = request.EndDateType === 'unlimited' || endsAt === undefined ? {} : { endsAt };
  ec2.reservations.replace({ ...unlimited, ...kept, ...endOf(request.EndDate), count, criteria });
  return { Return: true };
}

/** Instances that run in it go on as on-demand. */
export function cancelCapacityReservation(
  ec2: Ec2,
  request: CancelCapacityReservationRequest,
): CancelCapacityReservationResult {
  const reservation = activeReservation(ec2, request.CapacityReservationId);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.reservations.replace({ ...reservation, cancelled: true });
  return { Return: true };
}

function activeReservation({ reservations }: Ec2, id: string | undefined): CapacityReservation {
  if (id === undefined) throw missingParameter('CapacityReservationId');
  const reservation = reservations.get(id);
  const state = reservations.stateOf(reservation);
  if (state !== 'active') throw reservationNotActive(id, state);
  return reservation;
}

function onTheWire(ec2: Ec2, reservation: CapacityReservation): WireReservation {
  const { id, instanceType, zone, zoneId, count, criteria, platform, tenancy, createdAt, endsAt } = reservation;
  const state = ec2.reservations.stateOf(reservation);
  return {
    CapacityReservationId: id,
    CapacityReservationArn: arnOf(ec2.account, 'ec2', `capacity-reservation/${id}`),
    OwnerId: ec2.account.id,
    InstanceType: instanceType,
    InstancePlatform: platform as 'Linux/UNIX',
    AvailabilityZone: zone,
    AvailabilityZoneId: zoneId,
    Tenancy: tenancy as 'default',
    TotalInstanceCount: state === 'active' ? count : 0,
    AvailableInstanceCount: state === 'active' ? count - ec2.instances.usingReservation(id) : 0,
    EbsOptimized: false,
    EphemeralStorage: false,
    State: state,
    StartDate: new Date(createdAt),
    CreateDate: new Date(createdAt),
    ...(endsAt === undefined ? { EndDateType: 'unlimited' } : { EndDate: new Date(endsAt), EndDateType: 'limited' }),
    InstanceMatchCriteria: criteria,
    ReservationType: 'default',
    Tags: tagList(ec2.tags.of(id)),
  };
}
