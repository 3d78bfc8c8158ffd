import type { DescribeVpcEndpointsRequest, DescribeVpcEndpointsResult } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

const endpointPaths = parseRecordPaths(`
  ip-address-type IpAddressType
  service-name ServiceName
  service-region ServiceRegion
  vpc-endpoint-id VpcEndpointId
  vpc-endpoint-state State
  vpc-endpoint-type VpcEndpointType
  vpc-id VpcId
`);

/** The VPC has no endpoints. */
export function describeVpcEndpoints(_ec2: Ec2, request: DescribeVpcEndpointsRequest): DescribeVpcEndpointsResult {
  const [missing] = request.VpcEndpointIds ?? [];
  if (missing !== undefined)
    throw new AwsError('InvalidVpcEndpointId.NotFound', `The Vpc Endpoint Id '${missing}' does not exist`);
  const none: readonly object[] = [];
  takePage(none, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  applyFilters(none, request.Filters, {
    records: { write: (each) => each, paths: endpointPaths },
    attributes: {},
    tags: () => ({}),
  });
  return { VpcEndpoints: [] };
}
