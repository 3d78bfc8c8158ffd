import type { Instance as WireInstance, InstanceNetworkInterface } from '@aws-sdk/client-ec2';
import { typeNamed } from '../catalogue/catalogue.ts';
import { stateCodes, type Ec2Instance, type InstanceState } from './instance.ts';
import type { Ec2 } from './model.ts';
import { writeEc2Tags } from './tags.ts';
import { interfacesOfInstance } from './launched-interfaces.ts';

export const stateOnTheWire = (state: InstanceState) => ({ Code: stateCodes[state], Name: state });

/** Writes an instance for DescribeInstances. A terminated instance has no address and no subnet any more. */
export const writeInstance = (ec2: Ec2, instance: Ec2Instance): WireInstance => ({
  ...writeInstanceIdentity(ec2, instance),
  ...software(ec2, instance),
  ...hardware(instance),
  ...(instance.state !== 'terminated' && networkPlace(ec2, instance)),
  ...writeReservationOf(ec2, instance),
  ...(instance.spotRequestId !== undefined && {
    InstanceLifecycle: 'spot',
    SpotInstanceRequestId: instance.spotRequestId,
  }),
});

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

const writeInstanceIdentity = (ec2: Ec2, instance: Ec2Instance): WireInstance => ({
  InstanceId: instance.id,
  State: stateOnTheWire(instance.state),
  StateTransitionReason: instance.stateReason === undefined ? '' : 'User initiated',
  ...(instance.stateReason !== undefined && {
    StateReason: { Code: instance.stateReason.code, Message: instance.stateReason.message },
  }),
  LaunchTime: new Date(instance.launchedAt),
  ...(instance.clientToken !== undefined && { ClientToken: instance.clientToken }),
  AmiLaunchIndex: 0,
  Placement: {
    AvailabilityZone: instance.zone,
    AvailabilityZoneId: instance.zoneId,
    ...placementOnTheWire(ec2, instance),
    Tenancy: instance.settings.tenancy as 'default',
  },
  Tags: writeEc2Tags(ec2.tags.of(instance.id)),
});

function placementOnTheWire(ec2: Ec2, { settings: { placement }, partition }: Ec2Instance): WireInstance['Placement'] {
  const group = ec2.placementGroups.all().find(({ id }) => id === placement?.groupId);
  if (group === undefined) return { GroupName: '' };
  return { GroupName: group.name, GroupId: group.id, ...(partition !== undefined && { PartitionNumber: partition }) };
}

const software = (ec2: Ec2, { settings }: Ec2Instance): WireInstance => {
  const arn = settings.instanceProfile === undefined ? undefined : ec2.profileArn(settings.instanceProfile);
  return {
    ImageId: settings.imageId,
    PlatformDetails: 'Linux/UNIX',
    ...(arn !== undefined && { IamInstanceProfile: { Arn: arn, Id: `AIPA${arn.length}SANDBOX` } }),
    Monitoring: { State: settings.monitoring ? 'enabled' : 'disabled' },
    MetadataOptions: { State: 'applied', HttpTokens: 'required', HttpEndpoint: 'enabled', HttpPutResponseHopLimit: 1 },
  };
};

const hardware = ({ settings, root, launchedAt }: Ec2Instance): WireInstance => ({
  InstanceType: settings.instanceType as NonNullable<WireInstance['InstanceType']>,
  Architecture: typeNamed(settings.instanceType)?.arch === 'arm64' ? 'arm64' : 'x86_64',
  Hypervisor: 'xen',
  VirtualizationType: 'hvm',
  EbsOptimized: false,
  EnaSupport: true,
  RootDeviceType: 'ebs',
  RootDeviceName: root.deviceName,
  BlockDeviceMappings: [
    {
      DeviceName: root.deviceName,
      Ebs: { VolumeId: root.volumeId, Status: 'attached', AttachTime: new Date(launchedAt), DeleteOnTermination: true },
    },
  ],
});

const networkPlace = (ec2: Ec2, instance: Ec2Instance): WireInstance => {
  const place = {
    SubnetId: instance.settings.subnetId,
    VpcId: ec2.network.vpcId,
    PrivateIpAddress: instance.privateIp,
    PrivateDnsName: instance.privateDnsName,
  };
  const groups = instance.settings.securityGroupIds.map((id) => ({
    GroupId: id,
    GroupName: ec2.network.securityGroups.find((group) => group.id === id)?.name ?? '',
  }));
  const { SubnetId, VpcId } = place;
  const NetworkInterfaces = interfacesOfInstance(instance.settings).map(
    ({ card, device, type, ipv6Addresses }, index): InstanceNetworkInterface => ({
      ...(index === 0 ? place : { SubnetId, VpcId }),
      NetworkInterfaceId: index === 0 ? instance.networkInterfaceId : `${instance.networkInterfaceId}-${index}`,
      OwnerId: ec2.account.id,
      InterfaceType: type,
      Status: 'in-use',
      Attachment: { DeviceIndex: device, NetworkCardIndex: card, Status: 'attached', DeleteOnTermination: true },
      Groups: groups,
      ...(ipv6Addresses > 0 && { Ipv6Addresses: listIpv6Addresses(instance, index, ipv6Addresses) }),
    }),
  );
  const [ipv6] = NetworkInterfaces[0]?.Ipv6Addresses ?? [];
  return {
    ...place,
    ...(ipv6 !== undefined && { Ipv6Address: ipv6.Ipv6Address }),
    PublicDnsName: '',
    SecurityGroups: groups,
    NetworkInterfaces,
  };
};

/** Made from the IPv4 address, so that they differ from instance to instance. The first is the primary one. */
const listIpv6Addresses = ({ privateIp }: Ec2Instance, index: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    Ipv6Address: `2600:1f18:${privateIp.split('.').map(toHex).join(':')}:${toHex(index)}:${toHex(at + 1)}`,
    IsPrimaryIpv6: at === 0,
  }));

const toHex = (number: string | number): string => Number(number).toString(16);
