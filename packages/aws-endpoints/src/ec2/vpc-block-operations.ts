import type {
  AssociateSubnetCidrBlockRequest,
  AssociateSubnetCidrBlockResult,
  AssociateVpcCidrBlockRequest,
  AssociateVpcCidrBlockResult,
  DisassociateSubnetCidrBlockRequest,
  DisassociateSubnetCidrBlockResult,
  DisassociateVpcCidrBlockRequest,
  DisassociateVpcCidrBlockResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { type Cidr, containsCidr, overlapsCidr, readCidr } from './cidr.ts';
import { writeIpv6Association, writeSubnetIpv6, writeVpcBlock } from './blocks-on-the-wire.ts';
import { invalidValue, missingParameter, noSuchSubnet } from './errors.ts';
import { containsIpv6Block, overlapsIpv6Block, readIpv6Block } from './ipv6-block.ts';
import type { Ec2 } from './model.ts';
import type { Ec2Subnet } from './network.ts';
import {
  type AssociatedBlock,
  chooseIpv6Block,
  isIpv6Text,
  listIpv4Blocks,
  listIpv6Blocks,
  newBlockId,
} from './vpc-blocks.ts';
import { getVpc } from './get-vpc.ts';
import { findVpc, type VpcEntry, vpcIdOf } from './vpcs.ts';

/** EC2's quota of blocks of a VPC, of IPv4 and of IPv6 each. */
const mostBlocks = 5;

/** Adds a block of IPv4 addresses, or one of Amazon's blocks of IPv6 addresses, to a VPC. */
export function associateVpcBlock(ec2: Ec2, request: AssociateVpcCidrBlockRequest): AssociateVpcCidrBlockResult {
  const vpc = getVpc(ec2, request.VpcId);
  const block = request.AmazonProvidedIpv6CidrBlock === true ? addIpv6Block(ec2, vpc) : addIpv4Block(ec2, vpc, request);
  return {
    VpcId: vpc.id,
    ...(isIpv6Text(block.text)
      ? { Ipv6CidrBlockAssociation: writeIpv6Association(ec2, block, 'associating') }
      : { CidrBlockAssociation: writeVpcBlock(block, 'associating') }),
  };
}

function addIpv4Block(ec2: Ec2, vpc: VpcEntry, { CidrBlock: text }: AssociateVpcCidrBlockRequest): AssociatedBlock {
  if (text === undefined) throw missingParameter('cidrBlock');
  const cidr = readCidr(text);
  if (cidr === undefined || cidr.bits < 16 || cidr.bits > 28)
    throw new AwsError('InvalidVpc.Range', `The CIDR '${text}' is invalid.`);
  const present = [vpc.cidr, ...listIpv4Blocks(vpc.blocks)];
  if (present.some((each) => overlapsCidr(each, cidr)))
    throw invalidValue(`The CIDR '${text}' conflicts with another CIDR block of the VPC.`);
  if (present.length >= mostBlocks) throw tooManyBlocks(vpc.id);
  return addVpcBlock(ec2, vpc.id, text);
}

function addIpv6Block(ec2: Ec2, vpc: VpcEntry): AssociatedBlock {
  if (listIpv6Blocks(vpc.blocks).length >= mostBlocks) throw tooManyBlocks(vpc.id);
  return addVpcBlock(ec2, vpc.id, chooseIpv6Block(ec2.random));
}

const tooManyBlocks = (vpcId: string): AwsError =>
  new AwsError('CidrLimitExceeded', `This network ${vpcId} has met its maximum number of allowed CIDRs: ${mostBlocks}`);

function addVpcBlock(ec2: Ec2, vpcId: string, text: string): AssociatedBlock {
  const { network } = ec2;
  const block = { id: newBlockId(ec2.random), vpcId, text };
  network.vpcBlocks = [...(network.vpcBlocks ?? []), block];
  ec2.keepNetwork();
  return block;
}

/** Takes a block away that no subnet uses. The first block of a VPC stays. */
export function disassociateVpcBlock(
  ec2: Ec2,
  { AssociationId: id = '' }: DisassociateVpcCidrBlockRequest,
): DisassociateVpcCidrBlockResult {
  const { network } = ec2;
  const block = (network.vpcBlocks ?? []).find((each) => each.id === id);
  if (block === undefined) throw noSuchAssociation(id, 'VPC');
  if (isBlockUsed(ec2, block))
    throw new AwsError(
      'InvalidCidrBlock.InUse',
      `The vpc ${block.vpcId} currently has a subnet within CIDR block ${block.text}`,
    );
  network.vpcBlocks = (network.vpcBlocks ?? []).filter((each) => each.id !== id);
  ec2.keepNetwork();
  return {
    VpcId: block.vpcId,
    ...(isIpv6Text(block.text)
      ? { Ipv6CidrBlockAssociation: writeIpv6Association(ec2, block, 'disassociating') }
      : { CidrBlockAssociation: writeVpcBlock(block, 'disassociating') }),
  };
}

const noSuchAssociation = (id: string, what: string): AwsError =>
  new AwsError(
    `Invalid${what === 'VPC' ? 'VpcCidrBlockAssociationID' : 'SubnetCidrBlockAssociationID'}.NotFound`,
    `The ${what} CIDR block association ID '${id}' does not exist`,
  );

function isBlockUsed({ network }: Ec2, { vpcId, text }: AssociatedBlock): boolean {
  const subnets = network.subnets.filter((subnet) => vpcIdOf(network, subnet) === vpcId);
  const cidr = readCidr(text);
  if (cidr !== undefined) return subnets.some((subnet) => containsCidr(cidr, subnet.cidr));
  const block = readIpv6Block(text);
  return subnets.some(({ ipv6 }) => {
    const used = ipv6 && readIpv6Block(ipv6.text);
    return block !== undefined && used !== undefined && containsIpv6Block(block, used);
  });
}

/** @throws AwsError when the block is not one of 64 bits in a block of the VPC, or another subnet has it */
export function checkSubnetIpv6(ec2: Ec2, vpcId: string, text: string): void {
  const { network } = ec2;
  const block = readIpv6Block(text);
  if (block === undefined) throw invalidValue(`Value (${text}) for parameter ipv6CidrBlock is invalid.`);
  const outer = listIpv6Blocks(findVpc(network, vpcId)?.blocks ?? []);
  if (block.bits !== 64 || !outer.some((each) => containsIpv6Block(each, block)))
    throw new AwsError('InvalidSubnet.Range', `The CIDR '${text}' is invalid.`);
  const taken = network.subnets.flatMap(({ ipv6 }) => (ipv6 && readIpv6Block(ipv6.text)) ?? []);
  if (taken.some((each) => overlapsIpv6Block(each, block)))
    throw new AwsError('InvalidSubnet.Conflict', `The CIDR '${text}' conflicts with another subnet`);
}

/** @throws AwsError when no block of the VPC holds the block of a subnet */
export function requireVpcBlock(vpc: VpcEntry, cidr: Cidr, refuse: () => AwsError): void {
  if (![vpc.cidr, ...listIpv4Blocks(vpc.blocks)].some((each) => containsCidr(each, cidr))) throw refuse();
}

function getSubnet({ network }: Ec2, id: string | undefined): Ec2Subnet {
  if (id === undefined) throw missingParameter('subnetId');
  const found = network.subnets.find((subnet) => subnet.id === id);
  if (found === undefined) throw noSuchSubnet(id);
  return found;
}

function putSubnet(ec2: Ec2, changed: Ec2Subnet): void {
  ec2.network.subnets = ec2.network.subnets.map((subnet) => (subnet.id === changed.id ? changed : subnet));
  ec2.keepNetwork();
}

export function associateSubnetBlock(
  ec2: Ec2,
  request: AssociateSubnetCidrBlockRequest,
): AssociateSubnetCidrBlockResult {
  const { Ipv6CidrBlock: text } = request;
  const subnet = getSubnet(ec2, request.SubnetId);
  if (text === undefined) throw missingParameter('ipv6CidrBlock');
  if (subnet.ipv6 !== undefined)
    throw new AwsError('CidrLimitExceeded', `The subnet ${subnet.id} already has an IPv6 CIDR block.`);
  checkSubnetIpv6(ec2, vpcIdOf(ec2.network, subnet), text);
  const ipv6 = { id: newSubnetBlockId(ec2), text };
  putSubnet(ec2, { ...subnet, ipv6 });
  return { SubnetId: subnet.id, Ipv6CidrBlockAssociation: writeSubnetIpv6(ipv6, 'associating') };
}

export const newSubnetBlockId = ({ random }: Ec2): string => `subnet-cidr-assoc-0${random.hex(16)}`;

export function disassociateSubnetBlock(
  ec2: Ec2,
  { AssociationId: id = '' }: DisassociateSubnetCidrBlockRequest,
): DisassociateSubnetCidrBlockResult {
  const subnet = ec2.network.subnets.find(({ ipv6 }) => ipv6?.id === id);
  if (subnet?.ipv6 === undefined) throw noSuchAssociation(id, 'subnet');
  const { ipv6, ...rest } = subnet;
  putSubnet(ec2, rest);
  return { SubnetId: subnet.id, Ipv6CidrBlockAssociation: writeSubnetIpv6(ipv6, 'disassociating') };
}
