import type { Instance as WireInstance } from '@aws-sdk/client-ec2';
import { latestPerObject } from '@nodewright/apis';
import { typeNamed } from '../catalogue/catalogue.ts';
import { addressOfInstance } from './elastic-address-associations.ts';
import { instanceProfileOf, stateCodes, type Ec2Instance, type InstanceState, type PlacementWish } from './instance.ts';
import { writeInterfaces, writePublicNames } from './interfaces-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import { writeEc2Tags } from './tags.ts';
import { volumesOf } from './volumes-of.ts';
import { vpcIdOfSubnet } from './vpcs.ts';

export const stateOnTheWire = (state: InstanceState) => ({ Code: stateCodes[state], Name: state });

/**
 * Writes an instance for DescribeInstances. A terminated instance has no address and no subnet any more. The record is made
 * once for each state of the instance and of what it refers to, because clients ask far more often than instances change.
 */
export function writeInstance(ec2: Ec2, instance: Ec2Instance): WireInstance {
  return recordOf(instance, { ec2, referred: listReferred(ec2, instance) });
}

type RecordParts = { readonly ec2: Ec2; readonly referred: readonly unknown[] };

const recordOf = latestPerObject(
  (instance: Ec2Instance, { ec2 }: RecordParts) => makeRecord(ec2, instance),
  ({ referred: before }, { referred: now }) =>
    before.length === now.length && before.every((each, at) => each === now[at]),
);

/** Lists what the record of an instance shows of others. */
function listReferred(ec2: Ec2, instance: Ec2Instance): readonly unknown[] {
  const { id, settings, capacityReservationId: reservation } = instance;
  return [
    ec2.tags.of(id),
    addressOfInstance(ec2, id)?.associationId,
    ec2.network.securityGroups,
    profileArnOf(ec2, instance),
    reservation === undefined ? undefined : ec2.reservations.stateOf(ec2.reservations.get(reservation)),
    settings.placement === undefined ? undefined : nameOfPlacementGroup(ec2, settings.placement),
    ...ec2.interfaces.attachedTo(id),
    ...ec2.volumes.attachedTo(id),
  ];
}

function profileArnOf(ec2: Ec2, instance: Ec2Instance): string | undefined {
  const name = instanceProfileOf(instance);
  return name === undefined ? undefined : ec2.profileArn(name);
}

const makeRecord = (ec2: Ec2, instance: Ec2Instance): WireInstance => ({
  ...writeInstanceIdentity(ec2, instance),
  ...software(ec2, instance),
  ...hardware(ec2, instance),
  ...(instance.state !== 'terminated' && networkPlace(ec2, instance)),
  ...writeReservationOf(ec2, instance),
  ...(instance.spotRequestId !== undefined && {
    InstanceLifecycle: 'spot',
    SpotInstanceRequestId: instance.spotRequestId,
  }),
  ...(isInterruptible(ec2, instance) && { InstanceLifecycle: 'interruptible-capacity-reservation' }),
});

const isInterruptible = ({ reservations }: Ec2, { capacityReservationId: id }: Ec2Instance): boolean =>
  id !== undefined && reservations.get(id).lentBy !== undefined;

/** A reservation that has ended holds nothing any more. */
const writeReservationOf = (ec2: Ec2, { capacityReservationId: id, settings }: Ec2Instance): WireInstance => ({
  ...(id !== undefined &&
    ec2.reservations.stateOf(ec2.reservations.get(id)) === 'active' && { CapacityReservationId: id }),
  CapacityReservationSpecification: {
    CapacityReservationPreference: settings.reservation.preference,
    ...(settings.reservation.target !== undefined && {
      CapacityReservationTarget: { CapacityReservationId: settings.reservation.target },
    }),
  },
});

/** An instance without tags has no list of them, which EC2 gives to other resources. */
function writeInstanceTags({ tags }: Ec2, { id }: Ec2Instance): Pick<WireInstance, 'Tags'> {
  const Tags = writeEc2Tags(tags.of(id));
  return Tags.length === 0 ? {} : { Tags };
}

const writeInstanceIdentity = (ec2: Ec2, instance: Ec2Instance): WireInstance => ({
  InstanceId: instance.id,
  State: stateOnTheWire(instance.state),
  StateTransitionReason: describeTransition(instance),
  ...(instance.stateReason !== undefined && {
    StateReason: { Code: instance.stateReason.code, Message: instance.stateReason.message },
  }),
  LaunchTime: new Date(instance.launchedAt),
  ...(instance.clientToken !== undefined && { ClientToken: instance.clientToken }),
  AmiLaunchIndex: instance.launchIndex ?? 0,
  Placement: {
    AvailabilityZone: instance.zone,
    AvailabilityZoneId: instance.zoneId,
    ...placementOnTheWire(ec2, instance),
    Tenancy: instance.settings.tenancy as 'default',
  },
  ...writeInstanceTags(ec2, instance),
});

/** `User initiated (2024-01-28 16:00:00 GMT)`. */
function describeTransition({ stateReason, changes }: Ec2Instance): string {
  if (stateReason === undefined) return '';
  const ended = changes?.findLast(({ state }) => state === 'shutting-down' || state === 'stopping');
  if (ended === undefined) return 'User initiated';
  return `User initiated (${new Date(ended.at).toISOString().slice(0, 19).replace('T', ' ')} GMT)`;
}

function placementOnTheWire(ec2: Ec2, { settings: { placement }, partition }: Ec2Instance): WireInstance['Placement'] {
  const name = placement && nameOfPlacementGroup(ec2, placement);
  if (placement === undefined || name === undefined) return { GroupName: '' };
  const { groupId: GroupId } = placement;
  return { GroupName: name, GroupId, ...(partition !== undefined && { PartitionNumber: partition }) };
}

const nameOfPlacementGroup = ({ placementGroups }: Ec2, { groupId }: PlacementWish): string | undefined =>
  placementGroups.all().find(({ id }) => id === groupId)?.name;

const software = (ec2: Ec2, instance: Ec2Instance): WireInstance => {
  const { settings, changed, launchedAt } = instance;
  const arn = profileArnOf(ec2, instance);
  const isWindows = ec2.images.buildOf(settings.imageId, '')?.family.startsWith('Windows') === true;
  const { KeyName, ...options } = { ...settings.details, ...changed };
  const isMonitored = changed?.monitoring ?? settings.monitoring;
  return {
    ImageId: settings.imageId,
    ...(KeyName !== undefined && { KeyName }),
    ...(isWindows && { Platform: 'windows' as 'Windows' }),
    PlatformDetails: isWindows ? 'Windows' : 'Linux/UNIX',
    UsageOperation: isWindows ? 'RunInstances:0002' : 'RunInstances',
    UsageOperationUpdateTime: new Date(launchedAt),
    ProductCodes: [],
    ...(arn !== undefined && { IamInstanceProfile: { Arn: arn, Id: `AIPA${arn.length}SANDBOX` } }),
    Monitoring: { State: isMonitored ? 'enabled' : 'disabled' },
    MetadataOptions: { ...defaultMetadataOptions, ...options.MetadataOptions, State: 'applied' } as NonNullable<
      WireInstance['MetadataOptions']
    >,
    HibernationOptions: { Configured: options.HibernationOptions?.Configured ?? false },
    EnclaveOptions: { Enabled: options.EnclaveOptions?.Enabled ?? false },
    MaintenanceOptions: {
      AutoRecovery: options.MaintenanceOptions?.AutoRecovery ?? 'default',
      RebootMigration: 'default',
    },
    PrivateDnsNameOptions: { ...defaultDnsNameOptions, ...options.PrivateDnsNameOptions },
    NetworkPerformanceOptions: { BandwidthWeighting: 'default' },
    Operator: { Managed: false },
  };
};

const defaultMetadataOptions = {
  HttpTokens: 'required',
  HttpPutResponseHopLimit: 1,
  HttpEndpoint: 'enabled',
  HttpProtocolIpv6: 'disabled',
  InstanceMetadataTags: 'disabled',
};

const defaultDnsNameOptions = {
  HostnameType: 'ip-name',
  EnableResourceNameDnsARecord: false,
  EnableResourceNameDnsAAAARecord: false,
} as const;

function hardware(ec2: Ec2, instance: Ec2Instance): WireInstance {
  const { settings, changed, root } = instance;
  const type = typeNamed(settings.instanceType);
  const isArm = type?.arch === 'arm64';
  const { CoreCount, ThreadsPerCore: threads = isArm ? 1 : 2, ...asked } = settings.details?.CpuOptions ?? {};
  const cores = CoreCount ?? Math.max(1, (type?.vcpus ?? 1) / threads);
  return {
    InstanceType: settings.instanceType as NonNullable<WireInstance['InstanceType']>,
    Architecture: isArm ? 'arm64' : 'x86_64',
    CpuOptions: { CoreCount: cores, ThreadsPerCore: threads, ...asked },
    Hypervisor: 'xen',
    VirtualizationType: 'hvm',
    BootMode: isArm ? 'uefi' : 'uefi-preferred',
    CurrentInstanceBootMode: isArm || type?.hypervisor !== 'xen' ? 'uefi' : 'legacy-bios',
    EbsOptimized: changed?.EbsOptimized ?? settings.details?.EbsOptimized ?? false,
    EnaSupport: true,
    RootDeviceType: 'ebs',
    RootDeviceName: root.deviceName,
    BlockDeviceMappings: writeDevices(ec2, instance),
  };
}

/** Those of the launch, then those that were attached later. */
function writeDevices({ volumes }: Ec2, instance: Ec2Instance): NonNullable<WireInstance['BlockDeviceMappings']> {
  const later = volumes
    .attachedTo(instance.id)
    .flatMap(({ id: volumeId, attachment }) =>
      attachment === undefined ? [] : [{ ...attachment, volumeId, deleteOnTermination: attachment.endsWithInstance }],
    );
  const ofLaunch = volumesOf(instance).map((volume) => ({ ...volume, attachedAt: instance.launchedAt }));
  return [...ofLaunch, ...later].map(({ device, volumeId, deleteOnTermination, attachedAt }) => ({
    DeviceName: device,
    Ebs: {
      VolumeId: volumeId,
      Status: 'attached',
      AttachTime: new Date(attachedAt),
      DeleteOnTermination: deleteOnTermination,
    },
  }));
}

function networkPlace(ec2: Ec2, instance: Ec2Instance): WireInstance {
  const NetworkInterfaces = writeInterfaces(ec2, instance);
  const [primary] = NetworkInterfaces;
  const [ipv6] = primary?.Ipv6Addresses ?? [];
  return {
    SubnetId: instance.settings.subnetId,
    VpcId: vpcIdOfSubnet(ec2.network, instance.settings.subnetId),
    PrivateIpAddress: instance.privateIp,
    PrivateDnsName: instance.privateDnsName,
    ...writePublicNames(ec2, instance),
    ...(ipv6 !== undefined && { Ipv6Address: ipv6.Ipv6Address }),
    SecurityGroups: primary?.Groups ?? [],
    SourceDestCheck: instance.changed?.sourceDestCheck ?? true,
    NetworkInterfaces,
  };
}
