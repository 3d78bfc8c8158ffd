import type {
  AssociateRouteTableRequest,
  AssociateRouteTableResult,
  CreateRouteTableRequest,
  CreateRouteTableResult,
  DeleteRouteTableRequest,
  DescribeRouteTablesRequest,
  DescribeRouteTablesResult,
  DisassociateRouteTableRequest,
  ReplaceRouteTableAssociationRequest,
  ReplaceRouteTableAssociationResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { changeRouting, noSuchInternetGateway, noSuchRouteTable, createNotFoundError } from './change-routing.ts';
import {
  dependencyViolation,
  dryRunWouldSucceed,
  ec2BadToken,
  invalidValue,
  missingParameter,
  noSuchSubnet,
} from './errors.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeRouteTable } from './route-tables-on-the-wire.ts';
import { readRouting } from './read-routing.ts';
import { isMainTable, type KeptRouteTable, putById, type RouteAssociation } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { getVpc } from './get-vpc.ts';
import { vpcIdOf } from './vpcs.ts';

/** EC2's quota of route tables in a VPC. */
const mostTables = 200;

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

/** @throws AwsError `InvalidRouteTableID.NotFound` */
export function getRouteTable({ network }: Ec2, id: string | undefined): KeptRouteTable {
  if (id === undefined) throw missingParameter('routeTableId');
  const found = readRouting(network).tables.find((table) => table.id === id);
  if (found === undefined) throw noSuchRouteTable(id);
  return found;
}

export const putRouteTable = (ec2: Ec2, table: KeptRouteTable): void =>
  changeRouting(ec2, ({ tables }) => ({ tables: putById(tables, table) }));

export function createRouteTable(ec2: Ec2, request: CreateRouteTableRequest): CreateRouteTableResult {
  const { ClientToken: token, TagSpecifications: tags } = request;
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  checkTagSpecifications(tags, ['route-table']);
  return ec2.idempotency.once({ operation: 'CreateRouteTable', token, request }, () => {
    if (readRouting(ec2.network).tables.filter((each) => each.vpcId === vpcId).length >= mostTables)
      throw new AwsError('RouteTableLimitExceeded', 'The maximum number of route tables has been reached.');
    if (request.DryRun === true) throw dryRunWouldSucceed();
    const table: KeptRouteTable = { id: `rtb-0${ec2.random.hex(16)}`, vpcId, associations: [], routes: [] };
    ec2.tags.add(table.id, readTagSpecifications('route-table', tags));
    putRouteTable(ec2, table);
    return { RouteTable: writeRouteTable(ec2, table), ...(token !== undefined && { ClientToken: token }) };
  });
}

/** A table goes when nothing uses it. The main table of a VPC stays. */
export function deleteRouteTable(ec2: Ec2, request: DeleteRouteTableRequest): object {
  const { id, associations } = getRouteTable(ec2, request.RouteTableId);
  if (associations.length > 0) throw dependencyViolation('routeTable', id);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.tags.forget(id);
  changeRouting(ec2, ({ tables }) => ({ tables: tables.filter((table) => table.id !== id) }));
  return {};
}

const associated = { State: 'associated' as const };

/** Gives a subnet, or a gateway, a table of its own in place of the main one. */
export function associateRouteTable(ec2: Ec2, request: AssociateRouteTableRequest): AssociateRouteTableResult {
  const table = getRouteTable(ec2, request.RouteTableId);
  const place = readAssociationPlace(ec2, request, table);
  const twin = readRouting(ec2.network)
    .tables.flatMap(({ id, associations }) => associations.map((association) => ({ id, association })))
    .find(({ association }) => isAt(association, place));
  if (twin?.id === table.id) return { AssociationId: twin.association.id, AssociationState: associated };
  if (twin !== undefined)
    throw new AwsError(
      'Resource.AlreadyAssociated',
      `the specified association for route table ${table.id} conflicts with an existing association`,
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const association: RouteAssociation = { id: newAssociationId(ec2), isMain: false, ...place };
  putRouteTable(ec2, { ...table, associations: [...table.associations, association] });
  return { AssociationId: association.id, AssociationState: associated };
}

type AssociationPlace = Pick<RouteAssociation, 'subnetId' | 'gatewayId'>;

const isAt = (association: RouteAssociation, { subnetId, gatewayId }: AssociationPlace): boolean =>
  !association.isMain && association.subnetId === subnetId && association.gatewayId === gatewayId;

const newAssociationId = ({ random }: Ec2): string => `rtbassoc-0${random.hex(16)}`;

function readAssociationPlace(
  { network }: Ec2,
  { SubnetId: subnetId, GatewayId: gatewayId }: AssociateRouteTableRequest,
  table: KeptRouteTable,
): AssociationPlace {
  if (subnetId === undefined && gatewayId === undefined) throw missingParameter('subnetId');
  const subnet = network.subnets.find(({ id }) => id === subnetId);
  const gateway = readRouting(network).internetGateways.find(({ id }) => id === gatewayId);
  if (subnetId !== undefined && subnet === undefined) throw noSuchSubnet(subnetId);
  if (gatewayId !== undefined && gateway === undefined) throw noSuchInternetGateway(gatewayId);
  const vpcId = subnet === undefined ? gateway?.vpcId : vpcIdOf(network, subnet);
  if (vpcId !== table.vpcId)
    throw invalidValue(`Route table ${table.id} and network ${subnetId ?? gatewayId} belong to different networks`);
  return { ...(subnetId !== undefined && { subnetId }), ...(gatewayId !== undefined && { gatewayId }) };
}

type FoundAssociation = { readonly table: KeptRouteTable; readonly association: RouteAssociation };

/** @throws AwsError `InvalidAssociationID.NotFound` */
function getAssociation({ network }: Ec2, id: string | undefined): FoundAssociation {
  if (id === undefined) throw missingParameter('associationId');
  for (const table of readRouting(network).tables) {
    const association = table.associations.find((each) => each.id === id);
    if (association !== undefined) return { table, association };
  }
  throw createNotFoundError('InvalidAssociationID.NotFound', 'association ID', id);
}

/** The subnet uses the main table of its VPC from now on. */
export function disassociateRouteTable(ec2: Ec2, request: DisassociateRouteTableRequest): object {
  const { table, association } = getAssociation(ec2, request.AssociationId);
  if (association.isMain) throw invalidValue(`cannot disassociate the main route table association ${association.id}`);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putRouteTable(ec2, withoutAssociation(table, association.id));
  return {};
}

const withoutAssociation = (table: KeptRouteTable, id: string): KeptRouteTable => ({
  ...table,
  associations: table.associations.filter((each) => each.id !== id),
});

/** Moves an association to another table. The association that makes a table the main one moves this way, too. */
export function replaceRouteTableAssociation(
  ec2: Ec2,
  request: ReplaceRouteTableAssociationRequest,
): ReplaceRouteTableAssociationResult {
  const { table, association } = getAssociation(ec2, request.AssociationId);
  const target = getRouteTable(ec2, request.RouteTableId);
  if (target.vpcId !== table.vpcId)
    throw invalidValue(`Route table ${target.id} and network ${table.vpcId} belong to different networks`);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const moved = { ...association, id: newAssociationId(ec2) };
  putRouteTable(ec2, withoutAssociation(table, association.id));
  const current = getRouteTable(ec2, target.id);
  putRouteTable(ec2, { ...current, associations: [...current.associations, moved] });
  return { NewAssociationId: moved.id, AssociationState: associated };
}

export function describeRouteTables(ec2: Ec2, request: DescribeRouteTablesRequest): DescribeRouteTablesResult {
  const { tables } = readRouting(ec2.network);
  const { RouteTableIds: ids = [] } = request;
  const missing = ids.find((id) => !tables.some((table) => table.id === id));
  if (missing !== undefined) throw noSuchRouteTable(missing);
  const asked = tables.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const found = applyFilters(asked, request.Filters, {
    records: { write: (table) => writeRouteTable(ec2, table), paths: routeTablePaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { RouteTables: items.map((table) => writeRouteTable(ec2, table)), ...(next && { NextToken: next }) };
}

/** What of the routing goes with a subnet: the association of its table. */
export function forgetSubnetRoutes(ec2: Ec2, subnetId: string): void {
  const { tables } = readRouting(ec2.network);
  const found = tables.flatMap((table) =>
    table.associations.filter((each) => each.subnetId === subnetId).map(({ id }) => ({ table, id })),
  );
  for (const { table, id } of found) putRouteTable(ec2, withoutAssociation(table, id));
}

/** Whether a VPC has gateways or tables of its own, which keep it from being deleted. */
export function hasOwnRouting({ network }: Ec2, vpcId: string): boolean {
  const { internetGateways, egressGateways, tables } = readRouting(network);
  return (
    [...internetGateways, ...egressGateways].some((gateway) => gateway.vpcId === vpcId) ||
    tables.some((table) => table.vpcId === vpcId && !isMainTable(table))
  );
}

/** The main table of a VPC goes with it. */
export const forgetVpcRoutes = (ec2: Ec2, vpcId: string): void =>
  changeRouting(ec2, ({ tables }) => ({ tables: tables.filter((table) => table.vpcId !== vpcId) }));
