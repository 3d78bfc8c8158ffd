import {
  CancelCapacityReservation$,
  CreateCapacityReservation$,
  CreateInterruptibleCapacityReservationAllocation$,
  DescribeCapacityReservations$,
  ModifyCapacityReservation$,
  UpdateInterruptibleCapacityReservationAllocation$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import {
  cancelCapacityReservation,
  createCapacityReservation,
  describeCapacityReservations,
  modifyCapacityReservation,
} from './capacity-reservation-operations.ts';
import { createInterruptibleAllocation, updateInterruptibleAllocation } from './interruptible-reservations.ts';
import type { Ec2 } from './model.ts';
import { operationKinds } from './operation-kinds.ts';

export function listReservationOperations(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    read(DescribeCapacityReservations$, describeCapacityReservations),
    write(CancelCapacityReservation$, cancelCapacityReservation),
    write(CreateCapacityReservation$, createCapacityReservation),
    write(CreateInterruptibleCapacityReservationAllocation$, createInterruptibleAllocation),
    write(ModifyCapacityReservation$, modifyCapacityReservation),
    write(UpdateInterruptibleCapacityReservationAllocation$, updateInterruptibleAllocation),
  ];
}
