import {
  AssignPrivateIpAddresses$,
  AttachNetworkInterface$,
  CreateNetworkInterface$,
  DeleteNetworkInterface$,
  DescribeNetworkInterfaceAttribute$,
  DescribeNetworkInterfaces$,
  DetachNetworkInterface$,
  ModifyNetworkInterfaceAttribute$,
  UnassignPrivateIpAddresses$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import { describeNetworkInterfaces } from './describe-network-interfaces.ts';
import { attachNetworkInterface, detachNetworkInterface } from './interface-attachments.ts';
import {
  assignPrivateIpAddresses,
  describeNetworkInterfaceAttribute,
  modifyNetworkInterfaceAttribute,
  unassignPrivateIpAddresses,
} from './interface-attributes.ts';
import type { Ec2 } from './model.ts';
import { createNetworkInterface, deleteNetworkInterface } from './network-interface-operations.ts';
import { operationKinds } from './operation-kinds.ts';

/** The calls about network interfaces. */
export function listInterfaceCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(AssignPrivateIpAddresses$, assignPrivateIpAddresses),
    write(AttachNetworkInterface$, attachNetworkInterface),
    write(CreateNetworkInterface$, createNetworkInterface),
    write(DeleteNetworkInterface$, deleteNetworkInterface),
    read(DescribeNetworkInterfaceAttribute$, describeNetworkInterfaceAttribute),
    read(DescribeNetworkInterfaces$, describeNetworkInterfaces),
    write(DetachNetworkInterface$, detachNetworkInterface),
    write(ModifyNetworkInterfaceAttribute$, modifyNetworkInterfaceAttribute),
    write(UnassignPrivateIpAddresses$, unassignPrivateIpAddresses),
  ];
}
