import type { CreateSubnetRequest, CreateSubnetResult } from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { keepRouting } from './change-routing.ts';
import { type Cidr, cidrText, overlapsCidr, readCidr } from './cidr.ts';
import { writeSubnet } from './describe-network.ts';
import { dryRunWouldSucceed, invalidCombination, invalidValue, malformedBlock, missingParameter } from './errors.ts';
import type { Ec2 } from './model.ts';
import type { Ec2Subnet } from './network.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { getVpc } from './get-vpc.ts';
import { checkSubnetIpv6, newSubnetBlockId, requireVpcBlock } from './vpc-block-operations.ts';
import { type VpcEntry, vpcIdOf } from './vpcs.ts';

/** Creates a subnet in a VPC, in the zone that is named or in the first one. */
export function createSubnet(ec2: Ec2, request: CreateSubnetRequest): CreateSubnetResult {
  const { network, random, tags } = ec2;
  const vpc = getVpc(ec2, request.VpcId);
  const zone = chooseZone(ec2, request);
  checkNative(request);
  const cidr = checkSubnetCidr(ec2, vpc, request.CidrBlock);
  const { Ipv6CidrBlock: ipv6Text } = request;
  if (ipv6Text !== undefined) checkSubnetIpv6(ec2, vpc.id, ipv6Text);
  checkTagSpecifications(request.TagSpecifications, ['subnet']);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const subnet: Ec2Subnet = {
    id: `subnet-0${random.hex(16)}`,
    zone: zone.name,
    zoneId: zone.id,
    cidr,
    public: false,
    ...(vpc.id !== network.vpcId && { vpcId: vpc.id }),
    ...(ipv6Text !== undefined && { ipv6: { id: newSubnetBlockId(ec2), text: ipv6Text } }),
  };
  keepRouting(ec2);
  network.subnets = [...network.subnets, subnet];
  tags.add(subnet.id, readTagSpecifications('subnet', request.TagSpecifications));
  ec2.keepNetwork();
  return { Subnet: writeSubnet(ec2, subnet) };
}

/** A native subnet has addresses of IPv6 alone. @throws AwsError for each of them, as the nodes here have IPv4 addresses */
function checkNative({ Ipv6Native, CidrBlock, Ipv6CidrBlock, Ipv6IpamPoolId }: CreateSubnetRequest): void {
  if (Ipv6Native !== true) return;
  if (Ipv6CidrBlock === undefined && Ipv6IpamPoolId === undefined)
    throw new AwsError('MissingParameter', "Either 'ipv6CidrBlock' or 'ipv6IpamPoolId' should be provided.");
  if (CidrBlock !== undefined)
    throw invalidCombination(
      'When specifying ipv4 parameters, cidrBlock or ipv4IpamPoolId, you cannot set ipv6Native to true.',
    );
  throw new AwsError('UnsupportedOperation', 'The sandbox has no subnets without IPv4 addresses.');
}

function chooseZone({ network }: Ec2, { AvailabilityZone: name, AvailabilityZoneId: id }: CreateSubnetRequest) {
  const found = network.zones.find((zone) => (name ?? zone.name) === zone.name && (id ?? zone.id) === zone.id);
  if (found === undefined)
    throw invalidValue(
      `Value (${name ?? id}) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: ${network.zones.map((zone) => zone.name).join(', ')}.`,
    );
  return found;
}

function checkSubnetCidr({ network }: Ec2, vpc: VpcEntry, text: string | undefined): Cidr {
  if (text === undefined) throw missingParameter('cidrBlock');
  const cidr = readCidr(text);
  if (cidr === undefined) throw malformedBlock(text);
  const refuse = (): AwsError => new AwsError('InvalidSubnet.Range', `The CIDR '${cidrText(cidr)}' is invalid.`);
  if (cidr.bits > 28 || cidr.bits < 16) throw refuse();
  requireVpcBlock(vpc, cidr, refuse);
  const isTaken = network.subnets.some(
    (subnet) => vpcIdOf(network, subnet) === vpc.id && overlapsCidr(subnet.cidr, cidr),
  );
  if (isTaken)
    throw new AwsError('InvalidSubnet.Conflict', `The CIDR '${cidrText(cidr)}' conflicts with another subnet`);
  return cidr;
}
