import type {
  CreateRouteRequest,
  CreateRouteResult,
  DeleteRouteRequest,
  ReplaceRouteRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { createNotFoundError } from './change-routing.ts';
import { readCidr } from './cidr.ts';
import { isPrefixList, noSuchPrefixList } from './describe-prefix-lists.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, missingParameter, noSuchInstances } from './errors.ts';
import { listInterfaceIds } from './launched-interfaces.ts';
import { readIpv6Block } from './ipv6-block.ts';
import type { Ec2 } from './model.ts';
import { isListed } from './nat-gateways.ts';
import { getRouteTable, putRouteTable } from './route-table-operations.ts';
import { destinationMember, listLocalDestinations } from './route-tables-on-the-wire.ts';
import { readRouting } from './read-routing.ts';
import type { KeptRoute, KeptRouteTable, RouteTargetMember } from './routing.ts';

type RouteRequest = CreateRouteRequest | ReplaceRouteRequest;

export function createRoute(ec2: Ec2, request: CreateRouteRequest): CreateRouteResult {
  const table = getRouteTable(ec2, request.RouteTableId);
  const destination = readDestination(request);
  if (findRoute(table, destination) !== undefined || isLocal(ec2, table, destination))
    throw new AwsError('RouteAlreadyExists', `The route identified by ${destination} already exists.`);
  if (destination.startsWith('pl-') && !isPrefixList(ec2, destination)) throw noSuchPrefixList(destination);
  const target = readRouteTarget(ec2, table, request);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putRouteTable(ec2, { ...table, routes: [...table.routes, { destination, target }] });
  return { Return: true };
}

export function replaceRoute(ec2: Ec2, request: ReplaceRouteRequest): object {
  const table = getRouteTable(ec2, request.RouteTableId);
  const destination = readDestination(request);
  if (findRoute(table, destination) === undefined)
    throw invalidValue(`There is no route defined for '${destination}' in the route table. Use CreateRoute instead.`);
  const target = readRouteTarget(ec2, table, request);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const routes = table.routes.map((route) => (route.destination === destination ? { destination, target } : route));
  putRouteTable(ec2, { ...table, routes });
  return {};
}

export function deleteRoute(ec2: Ec2, request: DeleteRouteRequest): object {
  const table = getRouteTable(ec2, request.RouteTableId);
  const destination = readDestination(request);
  if (isLocal(ec2, table, destination))
    throw invalidValue(`cannot remove local route ${destination} in route table ${table.id}`);
  if (findRoute(table, destination) === undefined)
    throw new AwsError(
      'InvalidRoute.NotFound',
      `no route with ${wireName(destination)} ${destination} in route table ${table.id}`,
    );
  if (request.DryRun === true) throw dryRunWouldSucceed();
  putRouteTable(ec2, { ...table, routes: table.routes.filter((route) => route.destination !== destination) });
  return {};
}

const findRoute = ({ routes }: KeptRouteTable, destination: string): KeptRoute | undefined =>
  routes.find((route) => route.destination === destination);

const isLocal = (ec2: Ec2, { vpcId }: KeptRouteTable, destination: string): boolean =>
  listLocalDestinations(ec2, vpcId).includes(destination);

/** `destination-cidr-block`, as messages have it. */
const wireName = (destination: string): string =>
  destinationMember(destination)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();

function readDestination(request: DeleteRouteRequest): string {
  const { DestinationCidrBlock: v4, DestinationIpv6CidrBlock: v6, DestinationPrefixListId: list } = request;
  const given = [v4, v6, list].filter((each) => each !== undefined);
  const [destination] = given;
  if (destination === undefined) throw missingParameter('destinationCidrBlock');
  if (given.length > 1) throw invalidCombination('A route has one destination.');
  if (v4 !== undefined && readCidr(v4) === undefined) throw malformedBlock(v4, 'destinationCidrBlock');
  if (v6 !== undefined && readIpv6Block(v6) === undefined) throw malformedBlock(v6, 'destinationIpv6CidrBlock');
  return destination;
}

const malformedBlock = (text: string, parameter: string): AwsError =>
  invalidValue(`Value (${text}) for parameter ${parameter} is invalid. This is not a valid CIDR block.`);

const targetMembers: readonly RouteTargetMember[] = [
  'GatewayId',
  'NatGatewayId',
  'InstanceId',
  'NetworkInterfaceId',
  'EgressOnlyInternetGatewayId',
  'VpcPeeringConnectionId',
  'TransitGatewayId',
];

/** @throws AwsError without exactly one target, or for a target that is not there or in another VPC */
function readRouteTarget(ec2: Ec2, table: KeptRouteTable, request: RouteRequest): KeptRoute['target'] {
  const given = targetMembers.flatMap((member) => {
    const id = request[member];
    return id === undefined ? [] : [{ member, id }];
  });
  const [target] = given;
  if (target === undefined)
    throw new AwsError(
      'MissingParameter',
      'The request must contain exactly one of gatewayId, natGatewayId, networkInterfaceId, vpcPeeringConnectionId, transitGatewayId, egressOnlyInternetGatewayId or instanceId',
    );
  if (given.length > 1) throw invalidCombination('A route has one target.');
  checkRouteTarget(ec2, table, target);
  return target;
}

function checkRouteTarget(ec2: Ec2, table: KeptRouteTable, { member, id }: KeptRoute['target']): void {
  const { internetGateways, egressGateways, natGateways } = readRouting(ec2.network);
  const requireTarget = (code: string, what: string, place: { readonly vpcId?: string } | undefined): void => {
    if (place === undefined) throw createNotFoundError(code, what, id);
    if (place.vpcId !== table.vpcId)
      throw invalidValue(`route table ${table.id} and network gateway ${id} belong to different networks`);
  };
  switch (member) {
    case 'GatewayId':
      return requireTarget(
        'InvalidGatewayID.NotFound',
        'gateway ID',
        internetGateways.find((each) => each.id === id),
      );
    case 'EgressOnlyInternetGatewayId':
      return requireTarget(
        'InvalidGatewayID.NotFound',
        'egressOnlyInternetGateway ID',
        egressGateways.find((each) => each.id === id),
      );
    case 'NatGatewayId':
      return requireTarget(
        'InvalidNatGatewayID.NotFound',
        'natGateway ID',
        natGateways.find((each) => each.id === id && isListed(each, ec2.clock.now())),
      );
    case 'InstanceId':
      if (ec2.instances.get(id) === undefined) throw noSuchInstances([id]);
      return;
    case 'NetworkInterfaceId':
      if (
        ec2.interfaces.find(id) === undefined &&
        !ec2.instances.all().some((instance) => listInterfaceIds(instance).includes(id))
      )
        throw createNotFoundError('InvalidNetworkInterfaceID.NotFound', 'networkInterface ID', id);
      return;
    case 'VpcPeeringConnectionId':
      throw createNotFoundError('InvalidVpcPeeringConnectionID.NotFound', 'vpcPeeringConnection ID', id);
    case 'TransitGatewayId':
      throw createNotFoundError('InvalidTransitGatewayID.NotFound', 'transitGateway ID', id);
  }
}
