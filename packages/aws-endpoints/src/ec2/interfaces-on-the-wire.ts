import type { Instance as WireInstance, InstanceNetworkInterface } from '@aws-sdk/client-ec2';
import { derivedId } from './derived-ids.ts';
import { addressOfInstance } from './elastic-address-associations.ts';
import type { Ec2Instance, LaunchedInterface } from './instance.ts';
import { interfacesOfInstance, listInterfaceIds } from './launched-interfaces.ts';
import type { Ec2 } from './model.ts';
import type { OwnInterface } from './own-interfaces.ts';
import { namePrivateHost } from './private-host-name.ts';
import { vpcIdOfSubnet } from './vpcs.ts';

/** Writes the interfaces of an instance as DescribeInstances has them. Only the primary one has an IPv4 address. */
export function writeInterfaces(ec2: Ec2, instance: Ec2Instance): InstanceNetworkInterface[] {
  const attached = ec2.interfaces.attachedTo(instance.id).map((each) => writeOwnInterface(ec2, each));
  return [...writeLaunchedInterfaces(ec2, instance), ...attached];
}

/** Writes the interfaces that an instance has from its launch. */
export function writeLaunchedInterfaces(ec2: Ec2, instance: Ec2Instance): InstanceNetworkInterface[] {
  const Groups = writeGroupIdentifiers(ec2, instance.changed?.securityGroupIds ?? instance.settings.securityGroupIds);
  return interfacesOfInstance(instance.settings).map((each, index) => ({
    ...writeInterfacePlace(ec2, instance, each, index),
    Groups,
    ...(index === 0 && writePrimaryAddress(ec2, instance)),
    ...(each.ipv6Addresses > 0 && { Ipv6Addresses: listIpv6Addresses(ec2, instance, index, each.ipv6Addresses) }),
  }));
}

const writeGroupIdentifiers = ({ network }: Ec2, ids: readonly string[]) =>
  ids.map((id) => ({
    GroupId: id,
    GroupName: network.securityGroups.find((group) => group.id === id)?.name ?? '',
  }));

/** Writes an interface that was made by itself. */
export function writeOwnInterface(ec2: Ec2, own: OwnInterface): InstanceNetworkInterface {
  const { attachment, privateIps } = own;
  const { region } = ec2.account;
  const addresses = privateIps.map((privateIp, at) => ({
    Primary: at === 0,
    PrivateDnsName: namePrivateHost({ id: '', privateIp, region, hostnameType: 'ip-name' }),
    PrivateIpAddress: privateIp,
  }));
  return {
    NetworkInterfaceId: own.id,
    Description: own.description,
    SubnetId: own.subnetId,
    VpcId: vpcIdOfSubnet(ec2.network, own.subnetId),
    OwnerId: ec2.account.id,
    InterfaceType: own.type,
    MacAddress: macAddressOf(own.id),
    SourceDestCheck: own.sourceDestCheck,
    Status: attachment === undefined ? 'available' : 'in-use',
    Operator: { Managed: false },
    Groups: writeGroupIdentifiers(ec2, own.securityGroupIds),
    Ipv6Addresses: [],
    PrivateIpAddress: addresses[0]?.PrivateIpAddress,
    PrivateDnsName: addresses[0]?.PrivateDnsName,
    PrivateIpAddresses: addresses,
    ...(attachment && {
      Attachment: {
        AttachTime: new Date(attachment.attachedAt),
        AttachmentId: attachment.id,
        DeleteOnTermination: attachment.endsWithInstance,
        DeviceIndex: attachment.device,
        NetworkCardIndex: attachment.card,
        Status: 'attached',
      },
    }),
  };
}

function writeInterfacePlace(
  ec2: Ec2,
  instance: Ec2Instance,
  { card, device, type, description = '', staysAfterEnd = false, tracking }: LaunchedInterface,
  index: number,
): InstanceNetworkInterface {
  const id = listInterfaceIds(instance)[index] ?? '';
  return {
    NetworkInterfaceId: id,
    Description: description,
    SubnetId: instance.settings.subnetId,
    VpcId: vpcIdOfSubnet(ec2.network, instance.settings.subnetId),
    OwnerId: ec2.account.id,
    InterfaceType: type,
    MacAddress: macAddressOf(id),
    SourceDestCheck: instance.changed?.sourceDestCheck ?? true,
    Status: 'in-use',
    Operator: { Managed: false },
    ...(tracking && { ConnectionTrackingConfiguration: tracking }),
    Attachment: {
      AttachTime: new Date(instance.launchedAt),
      AttachmentId: derivedId('eni-attach', id),
      DeleteOnTermination: !staysAfterEnd,
      DeviceIndex: device,
      NetworkCardIndex: card,
      Status: 'attached',
    },
  };
}

function writePrimaryAddress(ec2: Ec2, instance: Ec2Instance): InstanceNetworkInterface {
  const { privateIp: PrivateIpAddress, privateDnsName: PrivateDnsName } = instance;
  const { PublicIpAddress: PublicIp, PublicDnsName } = writePublicNames(ec2, instance);
  const elastic = addressOfInstance(ec2, instance.id);
  const owner = elastic
    ? { IpOwnerId: ec2.account.id, AllocationId: elastic.id, AssociationId: elastic.associationId }
    : { IpOwnerId: 'amazon' };
  const Association = PublicIp === undefined ? {} : { Association: { ...owner, PublicDnsName, PublicIp } };
  return {
    PrivateIpAddress,
    PrivateDnsName,
    PrivateIpAddresses: [{ Primary: true, PrivateDnsName, PrivateIpAddress, ...Association }],
    ...Association,
  };
}

/** Returns the public address and its name. A stopped instance has only an elastic one. */
export function writePublicNames(
  ec2: Ec2,
  { id, settings, privateIp, state }: Ec2Instance,
): Pick<WireInstance, 'PublicIpAddress' | 'PublicDnsName'> {
  const elastic = addressOfInstance(ec2, id)?.publicIp;
  if (elastic !== undefined) return namePublicAddress(ec2, elastic);
  if (settings.hasPublicAddress !== true || state === 'stopped' || state === 'terminated') return { PublicDnsName: '' };
  return namePublicAddress(ec2, publicAddressOf(privateIp));
}

function namePublicAddress({ account: { region } }: Ec2, PublicIpAddress: string) {
  const domain = region === 'us-east-1' ? 'compute-1.amazonaws.com' : `${region}.compute.amazonaws.com`;
  return { PublicIpAddress, PublicDnsName: `ec2-${PublicIpAddress.replaceAll('.', '-')}.${domain}` };
}

/** The last two numbers of a private address tell the addresses of a VPC apart. */
const publicAddressOf = (privateIp: string): string =>
  `54.${(Number(privateIp.split('.')[1]) % 64) + 144}.${privateIp.split('.').slice(2).join('.')}`;

const macAddressOf = (id: string): string => `0e:${(id.slice(-10).match(/../g) ?? []).join(':')}`;

/** Made from the block of the subnet and the IPv4 address, so that they differ. The first is the primary one. */
function listIpv6Addresses({ network }: Ec2, { privateIp, settings }: Ec2Instance, index: number, count: number) {
  const octets = privateIp.split('.').map(toHex);
  const block = network.subnets.find(({ id }) => id === settings.subnetId)?.ipv6?.text;
  return Array.from({ length: count }, (_, at) => ({
    Ipv6Address:
      block === undefined
        ? `2600:1f18:${octets.join(':')}:${toHex(index)}:${toHex(at + 1)}`
        : `${block.replace(/::\/.*/, '')}:${octets.slice(2).join(':')}:${toHex(index)}:${toHex(at + 1)}`,
    IsPrimaryIpv6: at === 0,
  }));
}

const toHex = (number: string | number): string => Number(number).toString(16);
