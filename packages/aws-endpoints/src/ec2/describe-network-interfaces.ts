import type {
  DescribeNetworkInterfacesRequest,
  DescribeNetworkInterfacesResult,
  InstanceNetworkInterface,
  NetworkInterface,
} from '@aws-sdk/client-ec2';
import { takePage } from '../paging.ts';
import { ec2BadToken, noSuchNetworkInterface } from './errors.ts';
import { applyFilters, type Filterable } from './filters.ts';
import { writeLaunchedInterfaces, writeOwnInterface } from './interfaces-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import type { OwnInterface } from './own-interfaces.ts';
import { parseRecordPaths } from './record-paths.ts';
import { writeEc2Tags } from './tags.ts';

/** Answers `DescribeNetworkInterfaces`. */
export function describeNetworkInterfaces(
  ec2: Ec2,
  request: DescribeNetworkInterfacesRequest,
): DescribeNetworkInterfacesResult {
  const { NetworkInterfaceIds: ids = [] } = request;
  const interfaces = listInterfaces(ec2);
  const missing = ids.find((id) => !interfaces.some(({ NetworkInterfaceId }) => NetworkInterfaceId === id));
  if (missing !== undefined) throw noSuchNetworkInterface(missing);
  const asked = interfaces.filter(
    ({ NetworkInterfaceId = '' }) => ids.length === 0 || ids.includes(NetworkInterfaceId),
  );
  const found = applyFilters(asked, request.Filters, filterableInterface(ec2));
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { NetworkInterfaces: [...items], ...(next && { NextToken: next }) };
}

/** Interfaces that came with instances, then interfaces that callers created with `CreateNetworkInterface`. */
export const listInterfaces = (ec2: Ec2): readonly NetworkInterface[] => [
  ...ec2.instances
    .allDescribed()
    .filter(({ state }) => state !== 'terminated')
    .flatMap((instance) =>
      writeLaunchedInterfaces(ec2, instance).map((written) => completeInterface(ec2, written, instance.id)),
    ),
  ...ec2.interfaces.all().map((own) => describeOwnInterface(ec2, own)),
];

/** Writes an interface that was made by itself as DescribeNetworkInterfaces has it. */
export const describeOwnInterface = (ec2: Ec2, own: OwnInterface): NetworkInterface =>
  completeInterface(ec2, writeOwnInterface(ec2, own), own.attachment?.instanceId);

function completeInterface(
  ec2: Ec2,
  { Attachment, InterfaceType, ...rest }: InstanceNetworkInterface,
  instanceId: string | undefined,
): NetworkInterface {
  const subnet = ec2.network.subnets.find(({ id }) => id === rest.SubnetId);
  return {
    ...rest,
    InterfaceType: (InterfaceType ?? 'interface') as NonNullable<NetworkInterface['InterfaceType']>,
    AvailabilityZone: subnet?.zone,
    AvailabilityZoneId: subnet?.zoneId,
    RequesterManaged: false,
    ...(Attachment && {
      Attachment: { ...Attachment, InstanceId: instanceId, InstanceOwnerId: ec2.account.id },
    }),
    TagSet: writeEc2Tags(ec2.tags.of(rest.NetworkInterfaceId ?? '')),
  };
}

const interfaceRecordPaths = parseRecordPaths(`
  addresses.association.owner-id PrivateIpAddresses.Association.IpOwnerId
  addresses.association.public-ip PrivateIpAddresses.Association.PublicIp
  addresses.primary PrivateIpAddresses.Primary
  addresses.private-ip-address PrivateIpAddresses.PrivateIpAddress
  association.allocation-id Association.AllocationId
  association.association-id Association.AssociationId
  association.ip-owner-id Association.IpOwnerId
  association.public-dns-name Association.PublicDnsName
  association.public-ip Association.PublicIp
  attachment.attach-time Attachment.AttachTime
  attachment.attachment-id Attachment.AttachmentId
  attachment.delete-on-termination Attachment.DeleteOnTermination
  attachment.device-index Attachment.DeviceIndex
  attachment.instance-id Attachment.InstanceId
  attachment.instance-owner-id Attachment.InstanceOwnerId
  attachment.status Attachment.Status
  availability-zone AvailabilityZone
  availability-zone-id AvailabilityZoneId
  description Description
  group-id Groups.GroupId
  group-name Groups.GroupName
  interface-type InterfaceType
  ipv6-addresses.ipv6-address Ipv6Addresses.Ipv6Address
  mac-address MacAddress
  network-interface-id NetworkInterfaceId
  operator.managed Operator.Managed
  operator.principal Operator.Principal
  owner-id OwnerId
  private-dns-name PrivateDnsName
  private-ip-address PrivateIpAddress
  requester-id RequesterId
  requester-managed RequesterManaged
  source-dest-check SourceDestCheck
  status Status
  subnet-id SubnetId
  vpc-id VpcId
`);

const filterableInterface = ({ tags }: Ec2): Filterable<NetworkInterface> => ({
  records: { write: (each) => each, paths: interfaceRecordPaths },
  attributes: {},
  tags: ({ NetworkInterfaceId = '' }) => tags.of(NetworkInterfaceId),
});
