import type {
  CreateVpcEndpointRequest,
  CreateVpcEndpointResult,
  DeleteVpcEndpointsRequest,
  DeleteVpcEndpointsResult,
  ModifyVpcEndpointRequest,
  ModifyVpcEndpointResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { changeRouting, createNotFoundError, noSuchRouteTable } from './change-routing.ts';
import { noSuchEndpoint, writeVpcEndpoint } from './describe-vpc-endpoints.ts';
import { dryRunWouldSucceed, missingParameter, noSuchSecurityGroup, noSuchSubnet } from './errors.ts';
import { getVpc } from './get-vpc.ts';
import type { Ec2 } from './model.ts';
import { prefixListOf } from './prefix-lists.ts';
import { readRouting } from './read-routing.ts';
import { type KeptVpcEndpoint, putById } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { listEndpoints, listEndpointServices, stateOfEndpoint } from './vpc-endpoints.ts';
import { vpcIdOf } from './vpcs.ts';

const fullAccess = JSON.stringify({
  Version: '2008-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' }],
});

const invalidEndpointParameter = (message: string): AwsError => new AwsError('InvalidParameter', message);

export function createVpcEndpoint(ec2: Ec2, request: CreateVpcEndpointRequest): CreateVpcEndpointResult {
  const { ClientToken: token, TagSpecifications: tags, ServiceName: serviceName, VpcEndpointType } = request;
  if (serviceName === undefined) throw missingParameter('ServiceName');
  const { id: vpcId } = getVpc(ec2, request.VpcId);
  checkTagSpecifications(tags, ['vpc-endpoint']);
  const type = readEndpointType(ec2, serviceName, VpcEndpointType ?? 'Gateway');
  return ec2.idempotency.once({ operation: 'CreateVpcEndpoint', token, request }, () => {
    const endpoint: KeptVpcEndpoint = {
      id: `vpce-0${ec2.random.hex(16)}`,
      vpcId,
      serviceName,
      type,
      subnetIds: request.SubnetIds ?? [],
      routeTableIds: request.RouteTableIds ?? [],
      securityGroupIds: request.SecurityGroupIds ?? (type === 'Interface' ? findDefaultGroup(ec2, vpcId) : []),
      hasPrivateDns: request.PrivateDnsEnabled ?? type === 'Interface',
      policy: request.PolicyDocument ?? fullAccess,
      createdAt: ec2.clock.now(),
    };
    checkEndpoint(ec2, endpoint);
    if (request.DryRun === true) throw dryRunWouldSucceed();
    ec2.tags.add(endpoint.id, readTagSpecifications('vpc-endpoint', tags));
    keepEndpoint(ec2, endpoint);
    return { VpcEndpoint: writeVpcEndpoint(ec2, endpoint), ...(token !== undefined && { ClientToken: token }) };
  });
}

function readEndpointType({ account }: Ec2, serviceName: string, asked: string): KeptVpcEndpoint['type'] {
  const service = listEndpointServices(account.region).find(({ name }) => name === serviceName);
  if (service === undefined)
    throw new AwsError('InvalidServiceName', `The Vpc Endpoint Service '${serviceName}' does not exist`);
  const type = service.types.find((each) => each === asked);
  if (type !== undefined) return type;
  throw invalidEndpointParameter(
    `Endpoint type (${asked}) does not match available service types ([${service.types.join(', ')}]).`,
  );
}

const findDefaultGroup = ({ network }: Ec2, vpcId: string): readonly string[] =>
  network.securityGroups
    .filter((group) => group.name === 'default' && vpcIdOf(network, group) === vpcId)
    .map(({ id }) => id);

/** @throws AwsError for a table, subnet or group that the VPC does not have, or what another endpoint has already */
function checkEndpoint(ec2: Ec2, endpoint: KeptVpcEndpoint): void {
  const { type, routeTableIds, subnetIds, securityGroupIds } = endpoint;
  if (type === 'Gateway' && subnetIds.length + securityGroupIds.length > 0)
    throw invalidEndpointParameter('Subnets and security groups are for endpoints of type Interface.');
  if (type === 'Interface' && routeTableIds.length > 0)
    throw invalidEndpointParameter('Route table IDs are only supported for Gateway type VPC Endpoint.');
  checkPolicyText(endpoint.policy);
  checkEndpointRoutes(ec2, endpoint);
  checkEndpointSubnets(ec2, endpoint);
  const { network } = ec2;
  const unknown = securityGroupIds.find(
    (id) => !network.securityGroups.some((group) => group.id === id && vpcIdOf(network, group) === endpoint.vpcId),
  );
  if (unknown !== undefined) throw noSuchSecurityGroup(unknown);
  checkPrivateNames(ec2, endpoint);
}

function checkPolicyText(policy: string): void {
  try {
    JSON.parse(policy);
  } catch {
    throw new AwsError('InvalidPolicyDocument', 'The policy is not valid: it is no JSON.');
  }
}

function checkEndpointRoutes(
  { network, clock }: Ec2,
  { id, vpcId, serviceName, routeTableIds }: KeptVpcEndpoint,
): void {
  const { tables } = readRouting(network);
  const missing = routeTableIds.find((each) => !tables.some((table) => table.id === each && table.vpcId === vpcId));
  if (missing !== undefined) throw noSuchRouteTable(missing);
  const others = listEndpoints(network, clock.now()).filter(
    (each) => each.id !== id && each.serviceName === serviceName && each.type === 'Gateway',
  );
  const taken = routeTableIds.find((each) => others.some((other) => other.routeTableIds.includes(each)));
  if (taken === undefined) return;
  throw new AwsError(
    'RouteAlreadyExists',
    `route table ${taken} already has a route with destination-prefix-list-id ${prefixListOf(serviceName)}`,
  );
}

function checkEndpointSubnets({ network }: Ec2, { vpcId, subnetIds }: KeptVpcEndpoint): void {
  const zones = new Set<string>();
  for (const id of subnetIds) {
    const subnet = network.subnets.find((each) => each.id === id && vpcIdOf(network, each) === vpcId);
    if (subnet === undefined) throw noSuchSubnet(id);
    if (zones.has(subnet.zone))
      throw new AwsError(
        'DuplicateSubnetsInSameZone',
        `Found another VPC endpoint subnet in the availability zone of ${id}. VPC endpoint subnets should be in different availability zones supported by the VPC endpoint service.`,
      );
    zones.add(subnet.zone);
  }
}

function checkPrivateNames({ network, clock, account }: Ec2, endpoint: KeptVpcEndpoint): void {
  const { id, vpcId, serviceName, type, hasPrivateDns } = endpoint;
  if (type === 'Gateway' || !hasPrivateDns) return;
  const isTaken = listEndpoints(network, clock.now()).some(
    (each) =>
      each.id !== id &&
      each.vpcId === vpcId &&
      each.serviceName === serviceName &&
      each.type === 'Interface' &&
      each.hasPrivateDns,
  );
  if (!isTaken) return;
  const short = serviceName.split('.').slice(3).toReversed().join('.');
  throw invalidEndpointParameter(
    `private-dns-enabled cannot be set because there is already a conflicting DNS domain for ${short}.${account.region}.amazonaws.com in the VPC ${vpcId}`,
  );
}

const keepEndpoint = (ec2: Ec2, endpoint: KeptVpcEndpoint): void =>
  changeRouting(ec2, ({ endpoints = [] }) => ({ endpoints: putById(endpoints, endpoint) }));

export function modifyVpcEndpoint(ec2: Ec2, request: ModifyVpcEndpointRequest): ModifyVpcEndpointResult {
  const found = findEndpoint(ec2, request.VpcEndpointId ?? '');
  if (found === undefined) throw noSuchEndpoint(request.VpcEndpointId ?? '');
  const changed: KeptVpcEndpoint = {
    ...found,
    routeTableIds: changeIds(found.routeTableIds, request.AddRouteTableIds, request.RemoveRouteTableIds),
    subnetIds: changeIds(found.subnetIds, request.AddSubnetIds, request.RemoveSubnetIds),
    securityGroupIds: changeIds(found.securityGroupIds, request.AddSecurityGroupIds, request.RemoveSecurityGroupIds),
    hasPrivateDns: request.PrivateDnsEnabled ?? found.hasPrivateDns,
    policy: request.ResetPolicy === true ? fullAccess : (request.PolicyDocument ?? found.policy),
  };
  checkEndpoint(ec2, changed);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  keepEndpoint(ec2, changed);
  return { Return: true };
}

const changeIds = (
  ids: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): readonly string[] => [...new Set([...ids, ...added])].filter((id) => !removed.includes(id));

const findEndpoint = ({ network, clock }: Ec2, id: string): KeptVpcEndpoint | undefined => {
  const now = clock.now();
  return listEndpoints(network, now).find((each) => each.id === id && stateOfEndpoint(each, now) !== 'deleting');
};

/** Deletes the endpoints that exist. The answer lists the ids that name none. */
export function deleteVpcEndpoints(ec2: Ec2, request: DeleteVpcEndpointsRequest): DeleteVpcEndpointsResult {
  const { VpcEndpointIds: ids = [] } = request;
  if (ids.length === 0) throw missingParameter('VpcEndpointIds');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const missing = ids.filter((id) => findEndpoint(ec2, id) === undefined);
  for (const id of ids) {
    const found = findEndpoint(ec2, id);
    if (found === undefined) continue;
    ec2.tags.forget(id);
    keepEndpoint(ec2, { ...found, deletedAt: ec2.clock.now() });
  }
  return {
    Unsuccessful: missing.map((id) => {
      const { code, message } = createNotFoundError('InvalidVpcEndpoint.NotFound', 'Vpc Endpoint Id', id);
      return { ResourceId: id, Error: { Code: code, Message: message } };
    }),
  };
}
