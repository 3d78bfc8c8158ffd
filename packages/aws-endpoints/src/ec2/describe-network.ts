import type {
  DescribeAvailabilityZonesRequest,
  DescribeAvailabilityZonesResult,
  DescribeSecurityGroupsRequest,
  DescribeSecurityGroupsResult,
  DescribeSubnetsRequest,
  DescribeSubnetsResult,
  DescribeVpcsRequest,
  DescribeVpcsResult,
  SecurityGroup as WireGroup,
  Tenancy,
  Vpc,
} from '@aws-sdk/client-ec2';
import { arnOf } from '../account.ts';
import { takePage } from '../paging.ts';
import { writeIpv6Association, writeSubnetIpv6, writeVpcBlock } from './blocks-on-the-wire.ts';
import { cidrText } from './cidr.ts';
import { derivedId } from './derived-ids.ts';
import { ec2BadToken, invalidValue, noSuchSecurityGroup, noSuchSubnet, noSuchVpc } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2 } from './model.ts';
import { hostnamesOf, mapsPublicAddress, subnetCidr, type SecurityGroup, type Ec2Subnet } from './network.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writePermissions } from './security-group-rules.ts';
import { writeEc2Tags } from './tags.ts';
import { isIpv6Text } from './vpc-blocks.ts';
import { listVpcs, type VpcEntry, vpcIdOf } from './vpcs.ts';
import { writeZone } from './zones.ts';

export function describeSubnets(ec2: Ec2, request: DescribeSubnetsRequest): DescribeSubnetsResult {
  const { subnets } = ec2.network;
  const missing = request.SubnetIds?.find((id) => !subnets.some((subnet) => subnet.id === id));
  if (missing !== undefined) throw noSuchSubnet(missing);
  const asked = subnets.filter(({ id }) => request.SubnetIds?.includes(id) ?? true);
  const { items, next } = takePage(applyFilters(asked, request.Filters, filterableSubnet(ec2)), paging(request));
  return { Subnets: items.map((subnet) => writeSubnet(ec2, subnet)), ...(next && { NextToken: next }) };
}

const subnetRecordPaths = parseRecordPaths(`
  availability-zone AvailabilityZone
  availabilityZone AvailabilityZone
  availability-zone-id AvailabilityZoneId
  available-ip-address-count AvailableIpAddressCount
  cidr CidrBlock
  cidrBlock CidrBlock
  cidr-block CidrBlock
  customer-owned-ipv4-pool CustomerOwnedIpv4Pool
  default-for-az DefaultForAz
  defaultForAz DefaultForAz
  enable-dns64 EnableDns64
  enable-lni-at-device-index EnableLniAtDeviceIndex
  ipv6-cidr-block-association.association-id Ipv6CidrBlockAssociationSet.AssociationId
  ipv6-cidr-block-association.ipv6-cidr-block Ipv6CidrBlockAssociationSet.Ipv6CidrBlock
  ipv6-cidr-block-association.state Ipv6CidrBlockAssociationSet.Ipv6CidrBlockState.State
  ipv6-native Ipv6Native
  map-customer-owned-ip-on-launch MapCustomerOwnedIpOnLaunch
  map-public-ip-on-launch MapPublicIpOnLaunch
  outpost-arn OutpostArn
  owner-id OwnerId
  private-dns-name-options-on-launch.enable-resource-name-dns-a-record PrivateDnsNameOptionsOnLaunch.EnableResourceNameDnsARecord
  private-dns-name-options-on-launch.enable-resource-name-dns-aaaa-record PrivateDnsNameOptionsOnLaunch.EnableResourceNameDnsAAAARecord
  private-dns-name-options-on-launch.hostname-type PrivateDnsNameOptionsOnLaunch.HostnameType
  state State
  subnet-arn SubnetArn
  vpc-id VpcId
`);

const filterableSubnet = (ec2: Ec2): Filterable<Ec2Subnet> => ({
  records: { write: (subnet) => writeSubnet(ec2, subnet), paths: subnetRecordPaths },
  attributes: { 'subnet-id': ({ id }) => id },
  tags: ({ id }) => ec2.tags.of(id),
});

const paging = (request: { MaxResults?: number | undefined; NextToken?: string | undefined }) => ({
  size: request.MaxResults,
  token: request.NextToken,
  refuse: ec2BadToken,
});

export const writeSubnet = (ec2: Ec2, subnet: Ec2Subnet) => ({
  SubnetId: subnet.id,
  SubnetArn: arnOf(ec2.account, 'ec2', `subnet/${subnet.id}`),
  VpcId: vpcIdOf(ec2.network, subnet),
  OwnerId: ec2.account.id,
  AvailabilityZone: subnet.zone,
  AvailabilityZoneId: subnet.zoneId,
  AvailableIpAddressCount: ec2.instances.freeAddresses(subnet.id),
  CidrBlock: subnetCidr(subnet),
  State: 'available' as const,
  DefaultForAz: ec2.network.isDefault === true && subnet.vpcId === undefined,
  MapPublicIpOnLaunch: mapsPublicAddress(subnet),
  AssignIpv6AddressOnCreation: subnet.changed?.assignsIpv6 ?? false,
  Ipv6CidrBlockAssociationSet: subnet.ipv6 === undefined ? [] : [writeSubnetIpv6(subnet.ipv6)],
  Ipv6Native: false,
  EnableDns64: false,
  MapCustomerOwnedIpOnLaunch: false,
  PrivateDnsNameOptionsOnLaunch: hostnamesOf(subnet),
  Tags: writeEc2Tags(ec2.tags.of(subnet.id)),
});

export function describeSecurityGroups(ec2: Ec2, request: DescribeSecurityGroupsRequest): DescribeSecurityGroupsResult {
  const { securityGroups } = ec2.network;
  const missing = request.GroupIds?.find((id) => !securityGroups.some((group) => group.id === id));
  const unnamed = request.GroupNames?.find((name) => !securityGroups.some((group) => group.name === name));
  if (missing !== undefined) throw noSuchSecurityGroup(missing);
  if (unnamed !== undefined) throw noSuchSecurityGroup(unnamed);
  const asked = securityGroups.filter(
    ({ id, name }) => (request.GroupIds?.includes(id) ?? true) && (request.GroupNames?.includes(name) ?? true),
  );
  const found = applyFilters(asked, request.Filters, filterableSecurityGroup(ec2));
  const { items, next } = takePage(found, paging(request));
  return { SecurityGroups: items.map((group) => writeSecurityGroup(ec2, group)), ...(next && { NextToken: next }) };
}

const permissionPaths = (prefix: string, member: string): string => `
  ${prefix}ip-permission.cidr ${member}.IpRanges.CidrIp
  ${prefix}ip-permission.from-port ${member}.FromPort
  ${prefix}ip-permission.group-id ${member}.UserIdGroupPairs.GroupId
  ${prefix}ip-permission.group-name ${member}.UserIdGroupPairs.GroupName
  ${prefix}ip-permission.ipv6-cidr ${member}.Ipv6Ranges.CidrIpv6
  ${prefix}ip-permission.prefix-list-id ${member}.PrefixListIds.PrefixListId
  ${prefix}ip-permission.protocol ${member}.IpProtocol
  ${prefix}ip-permission.to-port ${member}.ToPort
  ${prefix}ip-permission.user-id ${member}.UserIdGroupPairs.UserId`;

const groupRecordPaths = parseRecordPaths(`
  description Description
  owner-id OwnerId
  vpc-id VpcId
  ${permissionPaths('', 'IpPermissions').trim()}
  ${permissionPaths('egress.', 'IpPermissionsEgress').trim()}
`);

const filterableSecurityGroup = (ec2: Ec2): Filterable<SecurityGroup> => ({
  records: { write: (group) => writeSecurityGroup(ec2, group), paths: groupRecordPaths },
  attributes: { 'group-id': ({ id }) => id, 'group-name': ({ name }) => name },
  tags: ({ id }) => ec2.tags.of(id),
});

export const writeSecurityGroup = (ec2: Ec2, group: SecurityGroup): WireGroup => ({
  GroupId: group.id,
  GroupName: group.name,
  Description: group.description,
  OwnerId: ec2.account.id,
  VpcId: vpcIdOf(ec2.network, group),
  SecurityGroupArn: arnOf(ec2.account, 'ec2', `security-group/${group.id}`),
  IpPermissions: writePermissions(ec2, group, 'ingress'),
  IpPermissionsEgress: writePermissions(ec2, group, 'egress'),
  Tags: writeEc2Tags(ec2.tags.of(group.id)),
});

export function describeVpcs(ec2: Ec2, request: DescribeVpcsRequest): DescribeVpcsResult {
  const vpcs = listVpcs(ec2.network);
  const missing = request.VpcIds?.find((id) => !vpcs.some((vpc) => vpc.id === id));
  if (missing !== undefined) throw noSuchVpc(missing);
  const asked = vpcs.filter(({ id }) => request.VpcIds?.includes(id) ?? true);
  const found = applyFilters(asked, request.Filters, {
    records: { write: (vpc) => writeVpc(ec2, vpc), paths: vpcRecordPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  const { items, next } = takePage(found, paging(request));
  return { Vpcs: items.map((vpc) => writeVpc(ec2, vpc)), ...(next && { NextToken: next }) };
}

const vpcRecordPaths = parseRecordPaths(`
  cidr CidrBlock
  cidr-block-association.association-id CidrBlockAssociationSet.AssociationId
  cidr-block-association.cidr-block CidrBlockAssociationSet.CidrBlock
  cidr-block-association.state CidrBlockAssociationSet.CidrBlockState.State
  dhcp-options-id DhcpOptionsId
  ipv6-cidr-block-association.association-id Ipv6CidrBlockAssociationSet.AssociationId
  ipv6-cidr-block-association.ipv6-cidr-block Ipv6CidrBlockAssociationSet.Ipv6CidrBlock
  ipv6-cidr-block-association.ipv6-pool Ipv6CidrBlockAssociationSet.Ipv6Pool
  ipv6-cidr-block-association.state Ipv6CidrBlockAssociationSet.Ipv6CidrBlockState.State
  is-default IsDefault
  isDefault IsDefault
  owner-id OwnerId
  state State
  vpc-id VpcId
`);

export function writeVpc(ec2: Ec2, { id, cidr, tenancy, blocks }: VpcEntry): Vpc {
  const CidrBlock = cidrText(cidr);
  return {
    VpcId: id,
    CidrBlock,
    CidrBlockAssociationSet: [
      { AssociationId: derivedId('vpc-cidr-assoc', id), CidrBlock, CidrBlockState: { State: 'associated' } },
      ...blocks.filter(({ text }) => !isIpv6Text(text)).map((block) => writeVpcBlock(block)),
    ],
    Ipv6CidrBlockAssociationSet: blocks
      .filter(({ text }) => isIpv6Text(text))
      .map((block) => writeIpv6Association(ec2, block)),
    DhcpOptionsId: derivedId('dopt', id),
    OwnerId: ec2.account.id,
    State: 'available',
    IsDefault: ec2.network.isDefault === true && id === ec2.network.vpcId,
    InstanceTenancy: tenancy as Tenancy,
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

const zoneRecordPaths = parseRecordPaths(`
  group-long-name GroupLongName
  group-name GroupName
  message Messages.Message
  opt-in-status OptInStatus
  parent-zone-id ParentZoneId
  parent-zone-name ParentZoneName
  region-name RegionName
  state State
  zone-id ZoneId
  zone-name ZoneName
  zone-type ZoneType
`);

export function describeAvailabilityZones(
  { network, account }: Ec2,
  request: DescribeAvailabilityZonesRequest,
): DescribeAvailabilityZonesResult {
  const unknown =
    request.ZoneNames?.find((name) => !network.zones.some((zone) => zone.name === name)) ??
    request.ZoneIds?.find((id) => !network.zones.some((zone) => zone.id === id));
  if (unknown !== undefined) throw invalidValue(`Invalid availability zone: [${unknown}]`);
  const asked = network.zones.filter(
    ({ name, id }) => (request.ZoneNames?.includes(name) ?? true) && (request.ZoneIds?.includes(id) ?? true),
  );
  const records = asked.map((zone) => writeZone(zone, account.region, network.zones));
  return {
    AvailabilityZones: [
      ...applyFilters(records, request.Filters, {
        records: { write: (zone) => zone, paths: zoneRecordPaths },
        attributes: {},
      }),
    ],
  };
}
