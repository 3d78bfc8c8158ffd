import { instant } from '@nodewright/apis';
import { formatAddress } from './cidr.ts';
import { derivedId } from './derived-ids.ts';
import type { Network } from './network.ts';
import {
  type KeptInternetGateway,
  type KeptRoute,
  type KeptRouteTable,
  makeMainTable,
  type RouteTargetMember,
  type Routing,
} from './routing.ts';

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
  if (network.isDefault === true) return routingOfDefaultVpc(network, gateway);
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

/** The subnets of a default VPC use its main table, which leads to the internet. */
function routingOfDefaultVpc({ vpcId, furtherVpcs = [] }: Network, gateway: KeptInternetGateway): Routing {
  const outwards: KeptRoute = { destination: '0.0.0.0/0', target: { member: 'GatewayId', id: gateway.id } };
  return {
    tables: [{ ...makeMainTable(vpcId), routes: [outwards] }, ...furtherVpcs.map(({ id }) => makeMainTable(id))],
    internetGateways: [gateway],
    egressGateways: [],
    natGateways: [],
    addresses: [],
  };
}
