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
import { takePage } from '../paging.ts';
import { readEndDate, type CapacityReservation } from './capacity-reservations.ts';
import {
  ec2BadToken,
  dryRunWouldSucceed,
  invalidCombination,
  invalidValue,
  malformedReservationId,
  missingParameter,
  reservationNotActive,
} from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { requireNoLending, settleLending, writeLending } from './interruptible-reservations.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { writeEc2Tags, readTagSpecifications } from './tags.ts';

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
  const place = readReservationPlace(ec2, request);
  checkEnd(ec2, request);
  checkTagSpecifications(request.TagSpecifications, ['capacity-reservation']);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once({ operation: 'CreateCapacityReservation', token: request.ClientToken, request }, () => {
    const reservation = ec2.reservations.create(
      {
        instanceType,
        platform,
        count,
        ...place,
        criteria: request.InstanceMatchCriteria ?? 'open',
        tenancy: request.Tenancy ?? 'default',
        ...readEndDate(request.EndDate),
        ...(request.ClientToken === undefined ? {} : { clientToken: request.ClientToken }),
      },
      readTagSpecifications('capacity-reservation', request.TagSpecifications),
    );
    return { CapacityReservation: writeReservation(ec2, reservation) };
  });
}

function readReservationPlace(
  { network }: Ec2,
  request: CreateCapacityReservationRequest,
): { zone: string; zoneId: string } {
  const { AvailabilityZone: name, AvailabilityZoneId: id } = request;
  if (name === undefined && id === undefined) throw missingParameter('AvailabilityZone');
  const zone = network.zones.find((each) => (name === undefined ? each.id === id : each.name === name));
  if (zone === undefined) throw invalidValue(`Invalid availability zone: [${name ?? id}]`);
  return { zone: zone.name, zoneId: zone.id };
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
  for (const { id } of ec2.reservations.all()) settleLending(ec2, id);
  const asked = ids.length === 0 ? ec2.reservations.all() : ids.map((id) => ec2.reservations.get(id));
  const found = applyFilters(asked, request.Filters, filterableReservation(ec2));
  const page = { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return { CapacityReservations: items.map((each) => writeReservation(ec2, each)), ...(next && { NextToken: next }) };
}

const reservationRecordPaths = parseRecordPaths(`
  end-date EndDate
  outpost-arn OutpostArn
  placement-group-arn PlacementGroupArn
  start-date StartDate
`);

const filterableReservation = (ec2: Ec2): Filterable<CapacityReservation> => ({
  records: { write: (reservation) => writeReservation(ec2, reservation), paths: reservationRecordPaths },
  attributes: {
    'instance-type': ({ instanceType }) => instanceType,
    'owner-id': () => ec2.account.id,
    'instance-platform': ({ platform }) => platform,
    'availability-zone': ({ zone }) => zone,
    'availability-zone-id': ({ zoneId }) => zoneId,
    tenancy: ({ tenancy }) => tenancy,
    state: (reservation) => ec2.reservations.stateOf(reservation),
    'end-date-type': ({ endsAt }) => (endsAt === undefined ? 'unlimited' : 'limited'),
    'instance-match-criteria': ({ criteria }) => criteria,
  },
  tags: ({ id }) => ec2.tags.of(id),
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
  ec2.reservations.replace({ ...unlimited, ...kept, ...readEndDate(request.EndDate), count, criteria });
  return { Return: true };
}

/** Cancels a reservation, or leaves a cancelled one as it is. Its instances keep running as on-demand instances. */
export function cancelCapacityReservation(
  ec2: Ec2,
  request: CancelCapacityReservationRequest,
): CancelCapacityReservationResult {
  const { CapacityReservationId: id = '', DryRun } = request;
  settleLending(ec2, id);
  requireNoLending(ec2.reservations.get(id));
  const isCancelled = ec2.reservations.stateOf(ec2.reservations.get(id)) === 'cancelled';
  const reservation = isCancelled ? ec2.reservations.get(id) : activeReservation(ec2, id);
  if (DryRun === true) throw dryRunWouldSucceed();
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

function writeReservation(ec2: Ec2, reservation: CapacityReservation): WireReservation {
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
    ...writeLending(ec2, reservation),
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}
