import type { DescribeVpcPeeringConnectionsRequest, DescribeVpcPeeringConnectionsResult } from '@aws-sdk/client-ec2';
import { createNotFoundError } from './change-routing.ts';
import type { Ec2 } from './model.ts';

/** No VPC is peered with another one. */
export function describeVpcPeeringConnections(
  _ec2: Ec2,
  { VpcPeeringConnectionIds: [first] = [] }: DescribeVpcPeeringConnectionsRequest,
): DescribeVpcPeeringConnectionsResult {
  if (first !== undefined)
    throw createNotFoundError('InvalidVpcPeeringConnectionID.NotFound', 'vpcPeeringConnection ID', first);
  return { VpcPeeringConnections: [] };
}
