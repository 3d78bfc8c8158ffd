import {
  AssociateAddress$,
  CreateVpcEndpoint$,
  DeleteVpcEndpoints$,
  DisassociateAddress$,
  ModifyVpcEndpoint$,
} from '@aws-sdk/client-ec2';
import type { OperationSchema } from '../codec/shape.ts';
import { type AwsOperation, defineOperation } from '../service.ts';
import { associateAddress, disassociateAddress } from './elastic-address-associations.ts';
import type { Ec2 } from './model.ts';
import { createVpcEndpoint, deleteVpcEndpoints, modifyVpcEndpoint } from './vpc-endpoint-operations.ts';

/** The calls that give addresses to instances, and endpoints to VPCs. */
export function listAddressCalls(ec2: Ec2): readonly AwsOperation[] {
  const change = <Input>(schema: OperationSchema, serve: (ec2: Ec2, input: Input) => object): AwsOperation =>
    defineOperation(schema, (input: Input) => serve(ec2, input));
  return [
    change(AssociateAddress$, associateAddress),
    change(DisassociateAddress$, disassociateAddress),
    change(CreateVpcEndpoint$, createVpcEndpoint),
    change(ModifyVpcEndpoint$, modifyVpcEndpoint),
    change(DeleteVpcEndpoints$, deleteVpcEndpoints),
  ];
}
