import type {
  DescribeInternetGatewaysRequest,
  DescribeInternetGatewaysResult,
  DescribeNatGatewaysRequest,
  DescribeNatGatewaysResult,
  DescribeRouteTablesRequest,
  DescribeRouteTablesResult,
  DescribeVpcEndpointsRequest,
  DescribeVpcEndpointsResult,
  InternetGateway,
  NatGateway,
  Route,
  RouteTable,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { type PageRequest, takePage } from '../paging.ts';
import { cidrText } from './cidr.ts';
import { derivedId } from './derived-ids.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';

/** The gateways and routes of the cluster's VPC follow from its subnets: public ones go through an internet gateway, others through NAT. */
const gatewayOf = ({ network }: Ec2): string => derivedId('igw', network.vpcId);
const natOf = ({ network }: Ec2): string => derivedId('nat', network.vpcId);

const notFound = (code: string, words: string): AwsError => new AwsError(`${code}.NotFound`, words);

const pageOf = (request: {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}): PageRequest => ({ size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });

const routeTablePaths = parseRecordPaths(`
  association.gateway-id Associations.GatewayId
  association.main Associations.Main
  association.route-table-association-id Associations.RouteTableAssociationId
  association.route-table-id Associations.RouteTableId
  association.subnet-id Associations.SubnetId
  owner-id OwnerId
  route-table-id RouteTableId
  route.destination-cidr-block Routes.DestinationCidrBlock
  route.destination-ipv6-cidr-block Routes.DestinationIpv6CidrBlock
  route.destination-prefix-list-id Routes.DestinationPrefixListId
  route.egress-only-internet-gateway-id Routes.EgressOnlyInternetGatewayId
  route.gateway-id Routes.GatewayId
  route.instance-id Routes.InstanceId
  route.nat-gateway-id Routes.NatGatewayId
  route.origin Routes.Origin
  route.state Routes.State
  route.transit-gateway-id Routes.TransitGatewayId
  route.vpc-peering-connection-id Routes.VpcPeeringConnectionId
  vpc-id VpcId
`);

export function describeRouteTables(ec2: Ec2, request: DescribeRouteTablesRequest): DescribeRouteTablesResult {
  const tables = listRouteTables(ec2);
  const { RouteTableIds: ids = [] } = request;
  const missing = ids.find((id) => !tables.some(({ RouteTableId }) => RouteTableId === id));
  if (missing !== undefined) throw notFound('InvalidRouteTableID', `The routeTable ID '${missing}' does not exist`);
  const asked = tables.filter(({ RouteTableId = '' }) => ids.length === 0 || ids.includes(RouteTableId));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (table) => table, paths: routeTablePaths },
    attributes: {},
    tags: ({ RouteTableId = '' }) => ec2.tags.of(RouteTableId),
  });
  const { items, next } = takePage(found, pageOf(request));
  return { RouteTables: [...items], ...(next && { NextToken: next }) };
}

/** Lists the main table, which no subnet uses, the one of the public subnets and one for each private subnet. */
function listRouteTables(ec2: Ec2): readonly RouteTable[] {
  const subnets = ec2.network.subnets.filter(({ vpcId }) => vpcId === undefined);
  const publicIds = subnets.filter((subnet) => subnet.public).map(({ id }) => id);
  const outside = { DestinationCidrBlock: '0.0.0.0/0', Origin: 'CreateRoute', State: 'active' } as const;
  return [
    writeRouteTable(ec2, 'main', [], []),
    writeRouteTable(ec2, 'public', publicIds, [{ ...outside, GatewayId: gatewayOf(ec2) }]),
    ...subnets
      .filter((subnet) => !subnet.public)
      .map(({ id }) => writeRouteTable(ec2, id, [id], [{ ...outside, NatGatewayId: natOf(ec2) }])),
  ];
}

function writeRouteTable(ec2: Ec2, part: string, subnetIds: readonly string[], routes: readonly Route[]): RouteTable {
  const { network, account, tags } = ec2;
  const id = derivedId('rtb', network.vpcId, part);
  const associate = (place: string) => ({
    RouteTableAssociationId: derivedId('rtbassoc', id, place),
    RouteTableId: id,
    AssociationState: { State: 'associated' as const },
  });
  return {
    RouteTableId: id,
    VpcId: network.vpcId,
    OwnerId: account.id,
    Associations:
      part === 'main'
        ? [{ ...associate('main'), Main: true }]
        : subnetIds.map((SubnetId) => ({ ...associate(SubnetId), SubnetId, Main: false })),
    Routes: [
      { DestinationCidrBlock: cidrText(network.cidr), GatewayId: 'local', Origin: 'CreateRouteTable', State: 'active' },
      ...routes,
    ],
    PropagatingVgws: [],
    Tags: writeEc2Tags(tags.of(id)),
  };
}

const internetGatewayPaths = parseRecordPaths(`
  attachment.state Attachments.State
  attachment.vpc-id Attachments.VpcId
  internet-gateway-id InternetGatewayId
  owner-id OwnerId
`);

export function describeInternetGateways(
  ec2: Ec2,
  request: DescribeInternetGatewaysRequest,
): DescribeInternetGatewaysResult {
  const id = gatewayOf(ec2);
  const missing = request.InternetGatewayIds?.find((each) => each !== id);
  if (missing !== undefined)
    throw notFound('InvalidInternetGatewayID', `The internetGateway ID '${missing}' does not exist`);
  const gateway: InternetGateway = {
    InternetGatewayId: id,
    OwnerId: ec2.account.id,
    Attachments: [{ State: 'available' as 'attached', VpcId: ec2.network.vpcId }],
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
  const found = applyFilters([gateway], request.Filters, {
    records: { write: (each) => each, paths: internetGatewayPaths },
    attributes: {},
    tags: () => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, pageOf(request));
  return { InternetGateways: [...items], ...(next && { NextToken: next }) };
}

const natGatewayPaths = parseRecordPaths(`
  nat-gateway-id NatGatewayId
  state State
  subnet-id SubnetId
  vpc-id VpcId
`);

export function describeNatGateways(ec2: Ec2, request: DescribeNatGatewaysRequest): DescribeNatGatewaysResult {
  const id = natOf(ec2);
  const missing = request.NatGatewayIds?.find((each) => each !== id);
  if (missing !== undefined) throw new AwsError('NatGatewayNotFound', `NatGateway ${missing} was not found`);
  const subnet = ec2.network.subnets.find((each) => each.public && each.vpcId === undefined);
  if (subnet === undefined) return { NatGateways: [] };
  const gateway: NatGateway = {
    NatGatewayId: id,
    ConnectivityType: 'public',
    State: 'available',
    SubnetId: subnet.id,
    VpcId: ec2.network.vpcId,
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
  const found = applyFilters([gateway], request.Filter, {
    records: { write: (each) => each, paths: natGatewayPaths },
    attributes: {},
    tags: () => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, pageOf(request));
  return { NatGateways: [...items], ...(next && { NextToken: next }) };
}

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
  if (missing !== undefined) throw notFound('InvalidVpcEndpointId', `The Vpc Endpoint Id '${missing}' does not exist`);
  const none: readonly object[] = [];
  takePage(none, pageOf(request));
  applyFilters(none, request.Filters, {
    records: { write: (each) => each, paths: endpointPaths },
    attributes: {},
    tags: () => ({}),
  });
  return { VpcEndpoints: [] };
}
