import type { Instant } from '@nodewright/apis';
import { derivedId } from './derived-ids.ts';

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

export type ElasticAddress = {
  readonly id: string;
  readonly publicIp: string;
  /** The instance that got it last. */
  readonly association?: { readonly id: string; readonly instanceId: string };
};

/** An endpoint of a service in a VPC. */
export type KeptVpcEndpoint = {
  readonly id: string;
  readonly vpcId: string;
  readonly serviceName: string;
  readonly type: 'Gateway' | 'Interface';
  readonly subnetIds: readonly string[];
  readonly routeTableIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly hasPrivateDns: boolean;
  /** JSON. */
  readonly policy: string;
  readonly createdAt: Instant;
  readonly deletedAt?: Instant;
};

/** How the traffic of VPCs leaves them. */
export type Routing = {
  readonly tables: readonly KeptRouteTable[];
  readonly internetGateways: readonly KeptInternetGateway[];
  readonly egressGateways: readonly KeptInternetGateway[];
  readonly natGateways: readonly KeptNatGateway[];
  readonly addresses: readonly ElasticAddress[];
  readonly endpoints?: readonly KeptVpcEndpoint[];
};

/** The table of a VPC that subnets without an association use. */
export function makeMainTable(vpcId: string): KeptRouteTable {
  const id = derivedId('rtb', vpcId, 'main');
  return { id, vpcId, associations: [{ id: derivedId('rtbassoc', id, 'main'), isMain: true }], routes: [] };
}

export const isMainTable = ({ associations }: KeptRouteTable): boolean => associations.some(({ isMain }) => isMain);

/** Adds an item to a list, or replaces the one with its id. */
export const putById = <Item extends { readonly id: string }>(list: readonly Item[], item: Item): readonly Item[] =>
  list.some(({ id }) => id === item.id) ? list.map((each) => (each.id === item.id ? item : each)) : [...list, item];
