import type {
  CapacityReservation as WireReservation,
  CreateInterruptibleCapacityReservationAllocationRequest,
  CreateInterruptibleCapacityReservationAllocationResult,
  UpdateInterruptibleCapacityReservationAllocationRequest,
  UpdateInterruptibleCapacityReservationAllocationResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import type { CapacityReservation, Lending } from './capacity-reservations.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter, reservationNotActive } from './errors.ts';
import type { Ec2 } from './model.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';

const interruptionType = 'adhoc' as const;

/**
 * Gives free capacity of a reservation to a new, interruptible one, from which its owner may take it back.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/interruptible-capacity-reservations.html
 */
export function createInterruptibleAllocation(
  ec2: Ec2,
  request: CreateInterruptibleCapacityReservationAllocationRequest,
): CreateInterruptibleCapacityReservationAllocationResult {
  const { CapacityReservationId: id, InstanceCount: count } = request;
  if (id === undefined) throw missingParameter('CapacityReservationId');
  if (count === undefined) throw missingParameter('InstanceCount');
  const source = activeLender(ec2, id);
  if (source.lending !== undefined) throw lendsAlready(id);
  const free = source.count - ec2.instances.usingReservation(id);
  if (count < 1 || count > free)
    throw invalidValue(`Value (${count}) for parameter instanceCount is invalid: ${free} instances are available.`);
  checkTagSpecifications(request.TagSpecifications, ['capacity-reservation']);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const { id: _id, createdAt: _createdAt, clientToken: _clientToken, endsAt: _endsAt, ...like } = source;
  const made = ec2.reservations.create(
    { ...like, count, criteria: 'targeted', lentBy: id },
    readTagSpecifications('capacity-reservation', request.TagSpecifications),
  );
  const lending = { to: made.id, target: count, returning: 0 };
  ec2.reservations.replace({ ...source, count: source.count - count, lending });
  return {
    SourceCapacityReservationId: id,
    TargetInstanceCount: count,
    Status: 'active',
    InterruptionType: interruptionType,
  };
}

/**
 * Gives more, or takes some or all of it back. What instances use comes back when they have ended, after their notice.
 * @throws AwsError where only some of the instances would have to end, which the sandbox does not choose from
 */
export function updateInterruptibleAllocation(
  ec2: Ec2,
  request: UpdateInterruptibleCapacityReservationAllocationRequest,
): UpdateInterruptibleCapacityReservationAllocationResult {
  const { CapacityReservationId: id, TargetInstanceCount: target } = request;
  if (id === undefined) throw missingParameter('CapacityReservationId');
  if (target === undefined) throw missingParameter('TargetInstanceCount');
  const source = activeLender(ec2, id);
  const { lending } = source;
  if (lending === undefined) throw lendsNothing(id);
  checkLendingTarget(ec2, { source, lending, target });
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const borrower = ec2.reservations.get(lending.to);
  const given = Math.max(0, target - borrower.count);
  const returning = lending.returning + Math.max(0, borrower.count - target);
  ec2.reservations.replace({ ...borrower, count: target });
  ec2.reservations.replace({ ...source, count: source.count - given, lending: { ...lending, target, returning } });
  if (ec2.instances.usingReservation(borrower.id) > target)
    ec2.faults.add({ kind: 'reservation-interruption', capacityReservationId: borrower.id });
  settleLending(ec2, id);
  return {
    InterruptibleCapacityReservationId: borrower.id,
    SourceCapacityReservationId: id,
    TargetInstanceCount: target,
    Status: 'updating',
    InterruptionType: interruptionType,
  };
}

type LendingChange = { readonly source: CapacityReservation; readonly lending: Lending; readonly target: number };

function checkLendingTarget({ instances, reservations }: Ec2, { source, lending, target }: LendingChange): void {
  const most = reservations.get(lending.to).count + source.count - instances.usingReservation(source.id);
  if (target < 0 || target > most)
    throw invalidValue(
      `Value (${target}) for parameter targetInstanceCount is invalid: at most ${most} are available.`,
    );
  const used = instances.usingReservation(lending.to);
  if (target > 0 && target < used)
    throw new AwsError('Unsupported', `The sandbox takes back all of the ${used} instances in use, or none of them.`);
}

/** Gives a source what came back. Without anything left, the interruptible reservation is over. */
export function settleLending({ reservations, instances }: Ec2, id: string): void {
  const { lending, ...source } = reservations.get(id);
  if (lending === undefined || instances.usingReservation(lending.to) > lending.target) return;
  const count = source.count + lending.returning;
  if (lending.returning > 0 && lending.target > 0)
    reservations.replace({ ...source, count, lending: { ...lending, returning: 0 } });
  if (lending.target > 0) return;
  reservations.replace({ ...source, count });
  reservations.replace({ ...reservations.get(lending.to), cancelled: true });
}

/** @throws AwsError where an interruptible reservation has a part of it */
export function requireNoLending({ lending, id }: CapacityReservation): void {
  if (lending !== undefined) throw lendsAlready(id);
}

/** What descriptions of a reservation say of a lending, on either side. */
export function writeLending(
  { reservations }: Ec2,
  { lending, lentBy }: CapacityReservation,
): Partial<WireReservation> {
  if (lentBy !== undefined) {
    const InterruptionInfo = { SourceCapacityReservationId: lentBy, InterruptionType: interruptionType };
    return { Interruptible: true, InterruptionInfo };
  }
  if (lending === undefined) return { Interruptible: false };
  return {
    Interruptible: false,
    InterruptibleCapacityAllocation: {
      InstanceCount: reservations.get(lending.to).count + lending.returning,
      TargetInstanceCount: lending.target,
      Status: lending.returning > 0 ? 'updating' : 'active',
      InterruptibleCapacityReservationId: lending.to,
      InterruptionType: interruptionType,
    },
  };
}

function activeLender(ec2: Ec2, id: string): CapacityReservation {
  settleLending(ec2, id);
  const source = ec2.reservations.get(id);
  const state = ec2.reservations.stateOf(source);
  if (state !== 'active') throw reservationNotActive(id, state);
  if (source.lentBy !== undefined)
    throw new AwsError('InvalidCapacityReservationState', `The capacity reservation '${id}' is interruptible`);
  return source;
}

const lendsAlready = (id: string): AwsError =>
  new AwsError(
    'InvalidCapacityReservationState',
    `The capacity reservation '${id}' has an active interruptible capacity allocation`,
  );

const lendsNothing = (id: string): AwsError =>
  new AwsError(
    'InvalidCapacityReservationState',
    `The capacity reservation '${id}' doesn't have an active interruptible capacity allocation`,
  );
