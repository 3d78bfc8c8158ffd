import type { FleetLaunchTemplateOverridesRequest, RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { Instant } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { CatalogueType } from '../catalogue/instance-type.ts';
import {
  invalidCombination,
  invalidValue,
  missingParameter,
  noSuchSecurityGroup,
  noSuchInstanceProfile,
  noSuchSubnet,
} from './errors.ts';
import { imageArchitecture, dataDevice, volumeGib, type Ec2Image, type ImageModel } from './images.ts';
import { assignIpv6, listLaunchedInterfaces } from './launched-interfaces.ts';
import type {
  LaunchDetails,
  LaunchedInterface,
  PurchaseType,
  LaunchSettings,
  PlacementWish,
  ReservationWish,
} from './instance.ts';
import type { KnownSnapshot } from './known-snapshots.ts';
import type { KeyPairs } from './key-pairs.ts';
import { listLaunchedDisks } from './launched-disks.ts';
import { type Ec2Subnet, mapsPublicAddress, type Network } from './network.ts';
import type { PlacementGroupModel } from './placement-groups.ts';
import { imageIdOf } from './image-reference.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';

/** What a launch may say about an instance: a template's data, a request, or the one over the other. */
export type LaunchData = Pick<
  RequestLaunchTemplateData,
  | 'ImageId'
  | 'InstanceType'
  | 'SecurityGroupIds'
  | 'NetworkInterfaces'
  | 'IamInstanceProfile'
  | 'UserData'
  | 'BlockDeviceMappings'
  | 'InstanceMarketOptions'
  | 'Monitoring'
  | 'Placement'
  | 'CapacityReservationSpecification'
  | 'DisableApiTermination'
  | 'SecurityGroups'
  | 'TagSpecifications'
  | keyof LaunchDetails
> & {
  readonly SubnetId?: string | undefined;
  readonly PrivateIpAddress?: string | undefined;
  readonly Ipv6AddressCount?: number | undefined;
  readonly Ipv6Addresses?: readonly object[] | undefined;
};

/** The types of resources that a launch creates and tags. */
export const taggedAtLaunch = ['instance', 'volume', 'network-interface', 'spot-instances-request', 'elastic-gpu'];

/** What a launch refers to, and must exist. */
export type LaunchSurroundings = {
  readonly network: Network;
  readonly images: ImageModel;
  readonly keyPairs: Pick<KeyPairs, 'named'>;
  /** @throws AwsError when there is no such snapshot */
  readonly snapshot: (id: string) => KnownSnapshot;
  readonly placementGroups: PlacementGroupModel;
  readonly profileArn: (name: string) => string | undefined;
  readonly parameter: (name: string) => string | undefined;
  readonly now: Instant;
};

/** A template's data with a fleet's override over it. */
export const withOverride = (data: LaunchData, override: FleetLaunchTemplateOverridesRequest): LaunchData => ({
  ...data,
  ...(override.InstanceType !== undefined && { InstanceType: override.InstanceType }),
  ...(override.ImageId !== undefined && { ImageId: override.ImageId }),
  ...(override.SubnetId !== undefined && { SubnetId: override.SubnetId }),
  ...(override.BlockDeviceMappings !== undefined && { BlockDeviceMappings: override.BlockDeviceMappings }),
  ...((override.AvailabilityZone !== undefined || override.Placement !== undefined) && {
    Placement: {
      ...data.Placement,
      ...override.Placement,
      ...(override.AvailabilityZone !== undefined && { AvailabilityZone: override.AvailabilityZone }),
    },
  }),
});

/**
 * Puts the settings together and checks that everything they refer to exists and fits.
 * @throws AwsError with the code EC2 has for what is wrong
 */
export function launchSettings(
  data: LaunchData,
  wanted: { capacityType: PurchaseType },
  around: LaunchSurroundings,
): LaunchSettings {
  const instanceType = data.InstanceType ?? 'm1.small';
  const image = around.images.find(imageIdOf(data.ImageId ?? refuseMissingLaunchField('ImageId'), around), around.now);
  const type = typeNamed(instanceType);
  if (type === undefined) throw invalidValue(`Invalid value '${instanceType}' for InstanceType.`);
  checkImageArchitecture(type, image);
  checkUserDataSize(data.UserData);
  checkTagSpecifications(data.TagSpecifications, taggedAtLaunch);
  const instanceProfile = profileName(data);
  if (instanceProfile !== undefined && around.profileArn(instanceProfile) === undefined)
    throw noSuchInstanceProfile(instanceProfile);
  if (data.KeyName !== undefined) around.keyPairs.named(data.KeyName);
  const subnet = findLaunchSubnet(data, around.network);
  const interfaceTags = readTagSpecifications('network-interface', data.TagSpecifications);
  const spotRequestTags = readTagSpecifications('spot-instances-request', data.TagSpecifications);
  const privateIp = readPrivateIp(data);
  const details = pickLaunchDetails(nameAsSubnet(data, subnet));
  // EC2 does not protect spot instances: it may reclaim them at any time.
  const isProtected = data.DisableApiTermination === true && wanted.capacityType === 'on-demand';
  return {
    imageId: image.id,
    instanceType,
    subnetId: subnet.id,
    securityGroupIds: resolveSecurityGroups(data, around.network, subnet),
    ...(wantsPublicAddress(data, subnet) && { hasPublicAddress: true }),
    interfaces: assignIpv6(withIpv6(listLaunchedInterfaces(data.NetworkInterfaces, type), data), subnet),
    ...(privateIp !== undefined && { privateIp }),
    ...(instanceProfile !== undefined && { instanceProfile }),
    ...(data.UserData !== undefined && { userData: data.UserData }),
    capacityType: wanted.capacityType,
    rootVolumeGib: dataVolumeGib(data, image),
    disks: listLaunchedDisks({ image, snapshot: around.snapshot }, data.BlockDeviceMappings),
    ...(Object.keys(details).length > 0 && { details }),
    ...(Object.keys(interfaceTags).length > 0 && { interfaceTags }),
    ...(wanted.capacityType === 'spot' && Object.keys(spotRequestTags).length > 0 && { spotRequestTags }),
    monitoring: data.Monitoring?.Enabled ?? false,
    tenancy: data.Placement?.Tenancy ?? 'default',
    reservation: reservationWish(data),
    ...placementOf(data, around.placementGroups),
    ...(isProtected && { isProtected }),
    instanceTags: readTagSpecifications('instance', data.TagSpecifications),
    volumeTags: readTagSpecifications('volume', data.TagSpecifications),
  };
}

function refuseMissingLaunchField(name: string): never {
  throw missingParameter(name);
}

/** @throws AwsError for a type that the image is not made for */
export function checkImageArchitecture(type: CatalogueType, image: Ec2Image): void {
  const architecture = type.arch === 'amd64' ? 'x86_64' : 'arm64';
  if (architecture === imageArchitecture(image)) return;
  throw invalidValue(
    `The architecture '${architecture}' of the specified instance type does not match the architecture '${imageArchitecture(image)}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again.`,
  );
}

const longestUserData = 16_384;

export function checkUserDataSize(base64 = ''): void {
  if (Buffer.from(base64, 'base64').length <= longestUserData) return;
  throw invalidValue(`User data is limited to ${longestUserData} bytes`);
}

/** A launch that names a reservation uses this reservation only. */
function reservationWish({ CapacityReservationSpecification: said }: LaunchData): ReservationWish {
  const target = said?.CapacityReservationTarget?.CapacityReservationId;
  const preference = said?.CapacityReservationPreference ?? 'open';
  return target === undefined ? { preference } : { preference: 'capacity-reservations-only', target };
}

function placementOf({ Placement }: LaunchData, groups: PlacementGroupModel): { readonly placement?: PlacementWish } {
  const { GroupId, GroupName, PartitionNumber: partition } = Placement ?? {};
  if (GroupId !== undefined && GroupName !== undefined)
    throw invalidCombination('The parameters GroupId and GroupName cannot be used together.');
  if (GroupId === undefined && (GroupName ?? '') === '') return {};
  const { id: groupId } = GroupId === undefined ? groups.named(GroupName ?? '') : groups.get(GroupId);
  return { placement: { groupId, ...(partition === undefined ? {} : { partition }) } };
}

const profileName = ({ IamInstanceProfile: profile }: LaunchData): string | undefined =>
  profile?.Name ?? profile?.Arn?.split('/').at(-1);

function findLaunchSubnet(data: LaunchData, { subnets }: Network): Ec2Subnet {
  const zone = data.Placement?.AvailabilityZone;
  const asked = data.SubnetId ?? data.NetworkInterfaces?.find(({ SubnetId }) => SubnetId !== undefined)?.SubnetId;
  const found = subnets.find((subnet) =>
    asked === undefined
      ? subnet.vpcId === undefined && (zone === undefined || subnet.zone === zone)
      : subnet.id === asked,
  );
  if (found !== undefined) return found;
  throw asked === undefined ? invalidValue(`Invalid availability zone: [${zone}]`) : noSuchSubnet(asked);
}

/** The address that a launch asks for, for the instance or for its primary interface. */
function readPrivateIp({ PrivateIpAddress: ip, NetworkInterfaces: interfaces = [] }: LaunchData): string | undefined {
  const primary = interfaces.find(
    ({ DeviceIndex, NetworkCardIndex = 0 }) => DeviceIndex === 0 && NetworkCardIndex === 0,
  );
  const listed = primary?.PrivateIpAddresses?.find(({ Primary }) => Primary === true);
  return ip ?? primary?.PrivateIpAddress ?? listed?.PrivateIpAddress;
}

/** A launch may ask for addresses of IPv6 for the instance, which its primary interface gets. */
const withIpv6 = (
  interfaces: readonly LaunchedInterface[],
  { Ipv6AddressCount: count, Ipv6Addresses: listed }: LaunchData,
): readonly LaunchedInterface[] =>
  interfaces.map((each, index) =>
    index === 0 ? { ...each, ipv6Addresses: Math.max(each.ipv6Addresses, count ?? listed?.length ?? 0) } : each,
  );

/** The request decides, else the subnet. Several interfaces have no public address. */
function wantsPublicAddress({ NetworkInterfaces: interfaces = [] }: LaunchData, subnet: Ec2Subnet): boolean {
  if (interfaces.length > 1) return false;
  return interfaces[0]?.AssociatePublicIpAddress ?? mapsPublicAddress(subnet);
}

const detailNames = [
  'CpuOptions',
  'CreditSpecification',
  'DisableApiStop',
  'EbsOptimized',
  'EnclaveOptions',
  'HibernationOptions',
  'InstanceInitiatedShutdownBehavior',
  'KeyName',
  'MaintenanceOptions',
  'MetadataOptions',
  'PrivateDnsNameOptions',
] as const satisfies readonly (keyof LaunchDetails)[];

const pickLaunchDetails = (data: LaunchDetails): LaunchDetails =>
  Object.fromEntries(detailNames.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));

/** The launch says how the instance is named, else what was set for its subnet. */
const nameAsSubnet = (data: LaunchData, { changed }: Ec2Subnet): LaunchDetails =>
  changed?.hostnames === undefined
    ? data
    : { ...data, PrivateDnsNameOptions: { ...changed.hostnames, ...data.PrivateDnsNameOptions } };

function resolveSecurityGroups(
  data: LaunchData,
  { securityGroups }: Network,
  { id: subnetId, vpcId }: Ec2Subnet,
): readonly string[] {
  const named = data.SecurityGroups?.map((name) => findGroupNamed(name, securityGroups));
  const asked = data.SecurityGroupIds ?? named ?? data.NetworkInterfaces?.flatMap(({ Groups }) => Groups ?? []) ?? [];
  const unknown = asked.find((id) => !securityGroups.some((group) => group.id === id));
  if (unknown !== undefined) throw noSuchSecurityGroup(unknown);
  const stranger = securityGroups.find((group) => asked.includes(group.id) && group.vpcId !== vpcId);
  if (stranger !== undefined)
    throw new AwsError(
      'InvalidParameter',
      `Security group ${stranger.id} and subnet ${subnetId} belong to different networks.`,
    );
  if (asked.length > 0) return [...new Set(asked)];
  return securityGroups.filter((group) => group.name === 'default' && group.vpcId === vpcId).map(({ id }) => id);
}

function findGroupNamed(name: string, groups: Network['securityGroups']): string {
  const found = groups.find((group) => group.name === name && group.vpcId === undefined);
  if (found === undefined) throw noSuchSecurityGroup(name);
  return found.id;
}

/** The size of the volume that holds pods and their images. */
function dataVolumeGib(data: LaunchData, image: Ec2Image): number {
  const device = dataDevice(image);
  const mapped = data.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === device);
  return mapped?.Ebs?.VolumeSize ?? volumeGib(image, device);
}
