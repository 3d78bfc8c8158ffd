import type {
  CreateVpcRequest,
  CreateVpcResult,
  DeleteVpcRequest,
  DescribeVpcAttributeRequest,
  DescribeVpcAttributeResult,
  ModifyVpcAttributeRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { readCidr } from './cidr.ts';
import { writeVpc } from './describe-network.ts';
import { changeRouting } from './change-routing.ts';
import { dependencyViolation, dryRunWouldSucceed, malformedBlock, missingParameter } from './errors.ts';
import { getVpc } from './get-vpc.ts';
import type { Ec2 } from './model.ts';
import { listEndpoints } from './vpc-endpoints.ts';
import { isDefaultAcl, listNetworkAcls } from './network-acls.ts';
import type { SecurityGroup, VpcAttributes } from './network.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { forgetVpcRoutes, hasOwnRouting } from './route-table-operations.ts';
import { makeMainTable } from './routing.ts';
import { chooseIpv6Block, newBlockId } from './vpc-blocks.ts';
import { listVpcs, vpcIdOf } from './vpcs.ts';

/** EC2's quota of VPCs in a region. */
const mostVpcs = 5;

/** Creates a VPC with its default security group and its main route table. */
export function createVpc(ec2: Ec2, request: CreateVpcRequest): CreateVpcResult {
  const { network, random, tags } = ec2;
  if (request.CidrBlock === undefined) throw missingParameter('cidrBlock');
  const cidr = readCidr(request.CidrBlock);
  if (cidr === undefined) throw malformedBlock(request.CidrBlock);
  if (cidr.bits < 16 || cidr.bits > 28)
    throw new AwsError('InvalidVpc.Range', `The CIDR '${request.CidrBlock}' is invalid.`);
  checkTagSpecifications(request.TagSpecifications, ['vpc']);
  if (listVpcs(network).length >= mostVpcs)
    throw new AwsError('VpcLimitExceeded', 'The maximum number of VPCs has been reached.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const vpc = { id: `vpc-0${random.hex(16)}`, cidr, tenancy: request.InstanceTenancy ?? 'default' };
  changeRouting(ec2, ({ tables }) => ({ tables: [...tables, makeMainTable(vpc.id)] }));
  network.furtherVpcs = [...(network.furtherVpcs ?? []), vpc];
  if (request.AmazonProvidedIpv6CidrBlock === true) {
    const block = { id: newBlockId(random), vpcId: vpc.id, text: chooseIpv6Block(random) };
    network.vpcBlocks = [...(network.vpcBlocks ?? []), block];
  }
  network.securityGroups = [...network.securityGroups, defaultGroupOf(vpc.id, `sg-0${random.hex(16)}`)];
  tags.add(vpc.id, readTagSpecifications('vpc', request.TagSpecifications));
  ec2.keepNetwork();
  return { Vpc: { ...writeVpc(ec2, getVpc(ec2, vpc.id)), State: 'pending' } };
}

/** The group without `rules` lets its members reach each other, and everything outside. */
const defaultGroupOf = (vpcId: string, id: string): SecurityGroup => ({
  id,
  name: 'default',
  description: 'default VPC security group',
  vpcId,
});

/** A VPC with subnets, groups, ACLs, gateways or tables of its own stays. Its defaults go with it. */
export function deleteVpc(ec2: Ec2, { VpcId, DryRun }: DeleteVpcRequest): object {
  const { network, tags } = ec2;
  const { id } = getVpc(ec2, VpcId);
  const isIn = (place: { readonly vpcId?: string }): boolean => vpcIdOf(network, place) === id;
  const groups = network.securityGroups.filter(isIn);
  const isUsed =
    id === network.vpcId ||
    network.subnets.some(isIn) ||
    groups.some(({ name }) => name !== 'default') ||
    hasOwnRouting(ec2, id) ||
    listEndpoints(network, ec2.clock.now()).some((endpoint) => endpoint.vpcId === id) ||
    listNetworkAcls(network).some((acl) => acl.vpcId === id && !isDefaultAcl(acl));
  if (isUsed) throw dependencyViolation('vpc', id);
  if (DryRun === true) throw dryRunWouldSucceed();
  forgetVpcRoutes(ec2, id);
  network.furtherVpcs = (network.furtherVpcs ?? []).filter((vpc) => vpc.id !== id);
  network.vpcBlocks = (network.vpcBlocks ?? []).filter((block) => block.vpcId !== id);
  network.securityGroups = network.securityGroups.filter((group) => !isIn(group));
  network.networkAcls = (network.networkAcls ?? []).filter((acl) => acl.vpcId !== id);
  for (const each of [id, ...groups.map((group) => group.id)]) tags.forget(each);
  ec2.keepNetwork();
  return {};
}

/** Changes one attribute, as EC2 takes no more in a call. */
export function modifyVpcAttribute(ec2: Ec2, request: ModifyVpcAttributeRequest): object {
  const { id, attributes } = getVpc(ec2, request.VpcId);
  const given = readVpcAttributes(request);
  if (given.length === 0) throw missingParameter('enableDnsSupport');
  if (given.length > 1)
    throw new AwsError('InvalidParameterCombination', 'Only one attribute of a VPC can be changed in a call.');
  ec2.network.vpcAttributes = { ...ec2.network.vpcAttributes, [id]: { ...attributes, ...Object.fromEntries(given) } };
  ec2.keepNetwork();
  return {};
}

const readVpcAttributes = (request: ModifyVpcAttributeRequest): readonly (readonly [keyof VpcAttributes, boolean])[] =>
  (
    [
      ['dnsSupport', request.EnableDnsSupport?.Value],
      ['dnsHostnames', request.EnableDnsHostnames?.Value],
      ['networkAddressUsageMetrics', request.EnableNetworkAddressUsageMetrics?.Value],
    ] as const
  ).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));

export function describeVpcAttribute(ec2: Ec2, request: DescribeVpcAttributeRequest): DescribeVpcAttributeResult {
  const { id, attributes } = getVpc(ec2, request.VpcId);
  switch (request.Attribute) {
    case 'enableDnsSupport':
      return { VpcId: id, EnableDnsSupport: { Value: attributes.dnsSupport } };
    case 'enableDnsHostnames':
      return { VpcId: id, EnableDnsHostnames: { Value: attributes.dnsHostnames } };
    case 'enableNetworkAddressUsageMetrics':
      return { VpcId: id, EnableNetworkAddressUsageMetrics: { Value: attributes.networkAddressUsageMetrics } };
    default:
      throw missingParameter('attribute');
  }
}
