import { type Instant, instant } from '@nodewright/apis';
import { formatAddress } from './cidr.ts';
import { derivedId } from './derived-ids.ts';
import type { Network } from './network.ts';

/** The member of a wire route that names its target. */
export type RouteTargetMember =
  | 'GatewayId'
  | 'NatGatewayId'
  | 'InstanceId'
  | 'NetworkInterfaceId'
  | 'EgressOnlyInternetGatewayId'
  | 'VpcPeeringConnectionId'
  | 'TransitGatewayId';

/** A route that was created. The routes to the blocks of the VPC itself are not kept. */
export type KeptRoute = {
  /** A block of IPv4 or IPv6 addresses, or the id of a prefix list. */
  readonly destination: string;
  readonly target: { readonly member: RouteTargetMember; readonly id: string };
};

export type RouteAssociation = {
  readonly id: string;
  readonly isMain: boolean;
  readonly subnetId?: string;
  readonly gatewayId?: string;
};

export type KeptRouteTable = {
  readonly id: string;
  readonly vpcId: string;
  readonly associations: readonly RouteAssociation[];
  readonly routes: readonly KeptRoute[];
};

/** An internet gateway, also of the kind for IPv6 that leads outwards only. */
export type KeptInternetGateway = { readonly id: string; readonly vpcId?: string };

export type KeptNatGateway = {
  readonly id: string;
  readonly subnetId: string;
  readonly vpcId: string;
  readonly privateIp: string;
  /** Absent for a private one. */
  readonly allocationId?: string;
  readonly createdAt: Instant;
  /** Why it fails after its creation. */
  readonly failure?: { readonly code: string; readonly message: string };
  readonly deletedAt?: Instant;
};

export type ElasticAddress = { readonly id: string; readonly publicIp: string };

/** How the traffic of VPCs leaves them. */
export type Routing = {
  readonly tables: readonly KeptRouteTable[];
  readonly internetGateways: readonly KeptInternetGateway[];
  readonly egressGateways: readonly KeptInternetGateway[];
  readonly natGateways: readonly KeptNatGateway[];
  readonly addresses: readonly ElasticAddress[];
};

/** The gateways and tables of the account. As long as none of them changed, they are those that came with the cluster. */
export const readRouting = (network: Network): Routing => network.routing ?? routingOfCluster(network);

/**
 * The routing that eksctl lays out. Public subnets share one table with the internet gateway, and each private subnet has
 * a table with the NAT gateway. No subnet uses the main table. Every other VPC has its main table.
 */
function routingOfCluster(network: Network): Routing {
  const { vpcId } = network;
  const laid = network.subnets.filter((subnet) => subnet.vpcId === undefined);
  const shared = laid.filter((subnet) => subnet.public);
  const [first] = shared;
  const gateway = { id: derivedId('igw', vpcId), vpcId };
  const nat = derivedId('nat', vpcId);
  const address = { id: derivedId('eipalloc', vpcId), publicIp: '52.72.0.10' };
  const outside = (member: RouteTargetMember, id: string): readonly KeptRoute[] => [
    { destination: '0.0.0.0/0', target: { member, id } },
  ];
  const tableOf = (part: string, subnetIds: readonly string[], routes: readonly KeptRoute[]): KeptRouteTable => {
    const id = derivedId('rtb', vpcId, part);
    const associations = subnetIds.map((subnetId) => ({
      id: derivedId('rtbassoc', id, subnetId),
      subnetId,
      isMain: false,
    }));
    return { id, vpcId, associations, routes };
  };
  return {
    tables: [
      makeMainTable(vpcId),
      tableOf(
        'public',
        shared.map(({ id }) => id),
        outside('GatewayId', gateway.id),
      ),
      ...laid.filter((subnet) => !subnet.public).map(({ id }) => tableOf(id, [id], outside('NatGatewayId', nat))),
      ...(network.furtherVpcs ?? []).map(({ id }) => makeMainTable(id)),
    ],
    internetGateways: [gateway],
    egressGateways: [],
    natGateways:
      first === undefined
        ? []
        : [
            {
              id: nat,
              subnetId: first.id,
              vpcId,
              privateIp: formatAddress(first.cidr.base + 4),
              allocationId: address.id,
              createdAt: instant(0),
            },
          ],
    addresses: first === undefined ? [] : [address],
  };
}

/** The table of a VPC that subnets without an association use. */
export function makeMainTable(vpcId: string): KeptRouteTable {
  const id = derivedId('rtb', vpcId, 'main');
  return { id, vpcId, associations: [{ id: derivedId('rtbassoc', id, 'main'), isMain: true }], routes: [] };
}

export const isMainTable = ({ associations }: KeptRouteTable): boolean => associations.some(({ isMain }) => isMain);

/** Adds an item to a list, or replaces the one with its id. */
export const putById = <Item extends { readonly id: string }>(list: readonly Item[], item: Item): readonly Item[] =>
  list.some(({ id }) => id === item.id) ? list.map((each) => (each.id === item.id ? item : each)) : [...list, item];
