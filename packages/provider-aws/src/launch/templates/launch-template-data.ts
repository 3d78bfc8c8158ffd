import type { LaunchTemplateBlockDeviceMappingRequest, RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { type AmiFamily, type BlockDeviceMapping, type EC2NodeClass, quantityUnits } from '@nodewright/apis';
import type { CapacityType } from '@nodewright/engine';
import { networkInterfaces } from './network-interfaces.ts';
import type { ReservationKind } from '../options/reserved-options.ts';
import { familyVolumes } from '../../node-settings/storage.ts';
import { toAwsTagList, type Tags } from '../../tags.ts';

export type TemplateInput = {
  readonly nodeClass: EC2NodeClass;
  readonly family: AmiFamily;
  readonly imageId: string;
  /** Not yet in base64. */
  readonly userData: string;
  readonly capacityType: CapacityType;
  readonly tenancy: 'default' | 'dedicated';
  /** Id of the placement group, and the partition of it. */
  readonly placementGroup?: string | undefined;
  readonly partition?: string | undefined;
  readonly ipFamily: 'ipv4' | 'ipv6';
  readonly region: string;
  /** Elastic fabric adapters that the claim asks for; 0 when it asks for none. */
  readonly fabricAdapters: number;
  readonly tags: Tags;
  /** The reservation it launches from, if from any; `notOurs` leaves open ones to EC2. */
  readonly reservations: { readonly id: string | undefined; readonly kind: ReservationKind | undefined } | 'notOurs';
};

/** The body of a launch template. */
export function launchTemplateData(input: TemplateInput): RequestLaunchTemplateData {
  const { nodeClass, family, imageId, userData, tenancy } = input;
  const { spec, status } = nodeClass;
  const blockDevices = blockDeviceMappings(spec.blockDeviceMappings ?? familyVolumes[family]);
  const nested = spec.cpuOptions?.nestedVirtualization;
  return {
    ImageId: imageId,
    UserData: Buffer.from(userData).toString('base64'),
    ...(status?.instanceProfile === undefined ? {} : { IamInstanceProfile: { Name: status.instanceProfile } }),
    Monitoring: { Enabled: spec.detailedMonitoring ?? false },
    MetadataOptions: metadataOptions(input),
    NetworkInterfaces: networkInterfaces(input),
    ...(blockDevices.length === 0 ? {} : { BlockDeviceMappings: blockDevices }),
    ...(nested === undefined ? {} : { CpuOptions: { NestedVirtualization: nested } }),
    Placement: {
      Tenancy: tenancy,
      ...(input.placementGroup === undefined ? {} : { GroupId: input.placementGroup }),
      ...(input.partition === undefined ? {} : { PartitionNumber: Number(input.partition) }),
    },
    ...reservationData(input),
    TagSpecifications: tagSpecifications(input),
  };
}

/** A launch that asks for no reservation must not use one up either. */
function reservationData({ reservations }: TemplateInput): RequestLaunchTemplateData {
  if (reservations === 'notOurs') return {};
  const { id, kind } = reservations;
  if (id === undefined) return { CapacityReservationSpecification: { CapacityReservationPreference: 'none' } };
  return {
    CapacityReservationSpecification: {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: id },
    },
    ...(kind === 'capacity-block' ? { InstanceMarketOptions: { MarketType: 'capacity-block' } } : {}),
    ...(kind === 'interruptible'
      ? { InstanceMarketOptions: { MarketType: 'interruptible-capacity-reservation' } }
      : {}),
  };
}

function tagSpecifications({ tags, capacityType }: TemplateInput): RequestLaunchTemplateData['TagSpecifications'] {
  const Tags = toAwsTagList(tags);
  const spot = { ResourceType: 'spot-instances-request', Tags } as const;
  return [{ ResourceType: 'network-interface', Tags }, ...(capacityType === 'spot' ? [spot] : [])];
}

/** The EC2 of isolated regions does not know the setting. */
const hasIpv6Metadata = (region: string): boolean => !/^us-iso[bf]?-/.test(region);

function metadataOptions({
  nodeClass: { spec },
  ipFamily,
  region,
}: TemplateInput): NonNullable<RequestLaunchTemplateData['MetadataOptions']> {
  const { httpEndpoint, httpProtocolIPv6, httpPutResponseHopLimit, httpTokens } = spec.metadataOptions ?? {};
  return {
    HttpEndpoint: httpEndpoint ?? 'enabled',
    ...(hasIpv6Metadata(region) && {
      HttpProtocolIpv6: httpProtocolIPv6 ?? (ipFamily === 'ipv6' ? 'enabled' : 'disabled'),
    }),
    HttpPutResponseHopLimit: httpPutResponseHopLimit ?? 1,
    HttpTokens: httpTokens ?? 'required',
    // Keys of our tags contain slashes, which the metadata service refuses.
    InstanceMetadataTags: 'disabled',
  };
}

const blockDeviceMappings = (mappings: readonly BlockDeviceMapping[]): LaunchTemplateBlockDeviceMappingRequest[] =>
  mappings.map(({ deviceName, ebs }) => ({
    ...(deviceName === undefined ? {} : { DeviceName: deviceName }),
    ...(ebs === undefined ? {} : { Ebs: ebsOf(ebs) }),
  }));

type Ebs = NonNullable<BlockDeviceMapping['ebs']>;

function ebsOf(ebs: Ebs): NonNullable<LaunchTemplateBlockDeviceMappingRequest['Ebs']> {
  const all = {
    DeleteOnTermination: ebs.deleteOnTermination,
    Encrypted: ebs.encrypted,
    // EC2 refuses an explicit zero.
    Iops: ebs.iops === 0 ? undefined : ebs.iops,
    Throughput: ebs.throughput === 0 ? undefined : ebs.throughput,
    KmsKeyId: ebs.kmsKeyID,
    SnapshotId: ebs.snapshotID,
    VolumeInitializationRate: ebs.volumeInitializationRate,
    VolumeSize: ebs.volumeSize === undefined ? undefined : wholeGib(ebs.volumeSize),
    VolumeType: ebs.volumeType,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Rounded up: 20G is 19. */
const wholeGib = (size: string): number => Math.ceil(quantityUnits(size) / 2 ** 30);
