import type { Route, RouteTable, RouteTableAssociation } from '@aws-sdk/client-ec2';
import { cidrText } from './cidr.ts';
import type { Ec2 } from './model.ts';
import { isHolding } from './nat-gateways.ts';
import { prefixListOf } from './prefix-lists.ts';
import { readRouting } from './read-routing.ts';
import type { KeptRoute, KeptRouteTable, RouteAssociation } from './routing.ts';
import { writeEc2Tags } from './tags.ts';
import { isIpv6Text } from './vpc-blocks.ts';
import { listEndpoints } from './vpc-endpoints.ts';
import { findVpc } from './vpcs.ts';

/** The member that names a destination on the wire. */
export const destinationMember = (
  destination: string,
): 'DestinationCidrBlock' | 'DestinationIpv6CidrBlock' | 'DestinationPrefixListId' => {
  if (destination.startsWith('pl-')) return 'DestinationPrefixListId';
  return isIpv6Text(destination) ? 'DestinationIpv6CidrBlock' : 'DestinationCidrBlock';
};

/** The blocks of a VPC: traffic to them stays inside. */
export function listLocalDestinations({ network }: Ec2, vpcId: string): readonly string[] {
  const vpc = findVpc(network, vpcId);
  return vpc === undefined ? [] : [cidrText(vpc.cidr), ...vpc.blocks.map(({ text }) => text)];
}

export const writeRouteTable = (ec2: Ec2, table: KeptRouteTable): RouteTable => ({
  RouteTableId: table.id,
  VpcId: table.vpcId,
  OwnerId: ec2.account.id,
  Associations: table.associations.map((association) => writeAssociation(table.id, association)),
  Routes: [
    ...listLocalDestinations(ec2, table.vpcId).map((destination): Route => ({
      [destinationMember(destination)]: destination,
      GatewayId: 'local',
      Origin: 'CreateRouteTable',
      State: 'active',
    })),
    ...table.routes.map((route) => writeRoute(ec2, table, route)),
    ...listEndpointRoutes(ec2, table),
  ],
  PropagatingVgws: [],
  Tags: writeEc2Tags(ec2.tags.of(table.id)),
});

/** The routes that endpoints add to a table. */
const listEndpointRoutes = ({ network, clock }: Ec2, { id: tableId }: KeptRouteTable): readonly Route[] =>
  listEndpoints(network, clock.now())
    .filter(({ routeTableIds }) => routeTableIds.includes(tableId))
    .map(({ id, serviceName }) => ({
      DestinationPrefixListId: prefixListOf(serviceName),
      GatewayId: id,
      Origin: 'CreateRoute',
      State: 'active',
    }));

const writeAssociation = (tableId: string, association: RouteAssociation): RouteTableAssociation => ({
  RouteTableAssociationId: association.id,
  RouteTableId: tableId,
  ...(association.subnetId !== undefined && { SubnetId: association.subnetId }),
  ...(association.gatewayId !== undefined && { GatewayId: association.gatewayId }),
  Main: association.isMain,
  AssociationState: { State: 'associated' },
});

const writeRoute = (ec2: Ec2, table: KeptRouteTable, { destination, target }: KeptRoute): Route => ({
  [destinationMember(destination)]: destination,
  [target.member]: target.id,
  Origin: 'CreateRoute',
  State: isReached(ec2, table, target) ? 'active' : 'blackhole',
});

/** Whether what a route leads to is there. Traffic to a target that is gone is lost. */
function isReached(
  { network, instances, clock }: Ec2,
  { vpcId }: KeptRouteTable,
  { member, id }: KeptRoute['target'],
): boolean {
  const { internetGateways, egressGateways, natGateways } = readRouting(network);
  switch (member) {
    case 'GatewayId':
      return internetGateways.some((gateway) => gateway.id === id && gateway.vpcId === vpcId);
    case 'EgressOnlyInternetGatewayId':
      return egressGateways.some((gateway) => gateway.id === id);
    case 'NatGatewayId':
      return natGateways.some((gateway) => gateway.id === id && isHolding(gateway, clock.now()));
    case 'InstanceId':
      return instances.get(id)?.state === 'running';
    case 'NetworkInterfaceId':
    case 'VpcPeeringConnectionId':
    case 'TransitGatewayId':
      return true;
  }
}
