import type {
  DescribeAvailabilityZonesRequest,
  DescribeAvailabilityZonesResult,
  DescribeSecurityGroupsRequest,
  DescribeSecurityGroupsResult,
  DescribeSubnetsRequest,
  DescribeSubnetsResult,
  DescribeVpcsRequest,
  DescribeVpcsResult,
} from '@aws-sdk/client-ec2';
import { arnOf } from '../account.ts';
import { takePage } from '../paging.ts';
import { cidrText } from './cidr.ts';
import { ec2BadToken, invalidValue, noSuchSecurityGroup, noSuchSubnet, noSuchVpc } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import type { Ec2 } from './model.ts';
import { subnetCidr, type SecurityGroup, type Ec2Subnet } from './network.ts';
import { writeEc2Tags } from './tags.ts';

export function describeSubnets(ec2: Ec2, request: DescribeSubnetsRequest): DescribeSubnetsResult {
  const { subnets, vpcId } = ec2.network;
  const missing = request.SubnetIds?.find((id) => !subnets.some((subnet) => subnet.id === id));
  if (missing !== undefined) throw noSuchSubnet(missing);
  const asked = subnets.filter(({ id }) => request.SubnetIds?.includes(id) ?? true);
  const filterable: Filterable<Ec2Subnet> = {
    attributes: {
      'subnet-id': ({ id }) => id,
      'vpc-id': () => vpcId,
      'availability-zone': ({ zone }) => zone,
      'availability-zone-id': ({ zoneId }) => zoneId,
      cidr: subnetCidr,
      'cidr-block': subnetCidr,
      'available-ip-address-count': ({ id }) => String(ec2.instances.freeAddresses(id)),
      'default-for-az': () => 'false',
      'owner-id': () => ec2.account.id,
      'map-public-ip-on-launch': (subnet) => String(subnet.public),
      state: () => 'available',
    },
    tags: ({ id }) => ec2.tags.of(id),
  };
  const { items, next } = takePage(applyFilters(asked, request.Filters, filterable), paging(request));
  return { Subnets: items.map((subnet) => subnetOnTheWire(ec2, subnet)), ...(next && { NextToken: next }) };
}

const paging = (request: { MaxResults?: number | undefined; NextToken?: string | undefined }) => ({
  size: request.MaxResults,
  token: request.NextToken,
  refuse: ec2BadToken,
});

const subnetOnTheWire = (ec2: Ec2, subnet: Ec2Subnet) => ({
  SubnetId: subnet.id,
  SubnetArn: arnOf(ec2.account, 'ec2', `subnet/${subnet.id}`),
  VpcId: ec2.network.vpcId,
  OwnerId: ec2.account.id,
  AvailabilityZone: subnet.zone,
  AvailabilityZoneId: subnet.zoneId,
  AvailableIpAddressCount: ec2.instances.freeAddresses(subnet.id),
  CidrBlock: subnetCidr(subnet),
  State: 'available' as const,
  DefaultForAz: false,
  MapPublicIpOnLaunch: subnet.public,
  AssignIpv6AddressOnCreation: false,
  Tags: writeEc2Tags(ec2.tags.of(subnet.id)),
});

export function describeSecurityGroups(ec2: Ec2, request: DescribeSecurityGroupsRequest): DescribeSecurityGroupsResult {
  const { securityGroups, vpcId } = ec2.network;
  const missing = request.GroupIds?.find((id) => !securityGroups.some((group) => group.id === id));
  const unnamed = request.GroupNames?.find((name) => !securityGroups.some((group) => group.name === name));
  if (missing !== undefined) throw noSuchSecurityGroup(missing);
  if (unnamed !== undefined) throw noSuchSecurityGroup(unnamed);
  const asked = securityGroups.filter(
    ({ id, name }) => (request.GroupIds?.includes(id) ?? true) && (request.GroupNames?.includes(name) ?? true),
  );
  const filterable: Filterable<SecurityGroup> = {
    attributes: {
      description: ({ description }) => description,
      'group-id': ({ id }) => id,
      'group-name': ({ name }) => name,
      'owner-id': () => ec2.account.id,
      'vpc-id': () => vpcId,
    },
    tags: ({ id }) => ec2.tags.of(id),
  };
  const { items, next } = takePage(applyFilters(asked, request.Filters, filterable), paging(request));
  const groups = items.map((group) => ({
    GroupId: group.id,
    GroupName: group.name,
    Description: group.description,
    OwnerId: ec2.account.id,
    VpcId: vpcId,
    IpPermissions: [],
    IpPermissionsEgress: [],
    Tags: writeEc2Tags(ec2.tags.of(group.id)),
  }));
  return { SecurityGroups: groups, ...(next && { NextToken: next }) };
}

export function describeVpcs(ec2: Ec2, request: DescribeVpcsRequest): DescribeVpcsResult {
  const { vpcId, cidr } = ec2.network;
  const missing = request.VpcIds?.find((id) => id !== vpcId);
  if (missing !== undefined) throw noSuchVpc(missing);
  const vpc = { id: vpcId, cidr: cidrText(cidr) };
  const found = applyFilters([vpc], request.Filters, {
    attributes: {
      'vpc-id': ({ id }) => id,
      cidr: (each) => each.cidr,
      state: () => 'available',
      'is-default': () => 'false',
    },
    tags: ({ id }) => ec2.tags.of(id),
  });
  return {
    Vpcs: found.map(({ id, cidr }) => ({
      VpcId: id,
      CidrBlock: cidr,
      OwnerId: ec2.account.id,
      State: 'available',
      IsDefault: false,
      InstanceTenancy: 'default',
      Tags: writeEc2Tags(ec2.tags.of(id)),
    })),
  };
}

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
  const found = applyFilters(asked, request.Filters, {
    attributes: {
      'zone-name': ({ name }) => name,
      'zone-id': ({ id }) => id,
      'zone-type': () => 'availability-zone',
      'region-name': () => account.region,
      'opt-in-status': () => 'opt-in-not-required',
      state: () => 'available',
    },
  });
  return {
    AvailabilityZones: found.map(({ name, id }) => ({
      ZoneName: name,
      ZoneId: id,
      RegionName: account.region,
      ZoneType: 'availability-zone',
      OptInStatus: 'opt-in-not-required',
      GroupName: account.region,
      NetworkBorderGroup: account.region,
      State: 'available',
      Messages: [],
    })),
  };
}
