import type {
  CreateNetworkInterfaceRequest,
  CreateNetworkInterfaceResult,
  DeleteNetworkInterfaceRequest,
} from '@aws-sdk/client-ec2';
import { containsCidr, readCidr } from './cidr.ts';
import { describeOwnInterface } from './describe-network-interfaces.ts';
import {
  dryRunWouldSucceed,
  invalidValue,
  missingParameter,
  noFreeAddresses,
  noSuchNetworkInterface,
  noSuchSecurityGroup,
  noSuchSubnet,
} from './errors.ts';
import { listInterfaceIds } from './launched-interfaces.ts';
import type { Ec2 } from './model.ts';
import type { Ec2Subnet } from './network.ts';
import type { OwnInterface } from './own-interfaces.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications } from './tags.ts';
import { vpcIdOf } from './vpcs.ts';

export function createNetworkInterface(ec2: Ec2, request: CreateNetworkInterfaceRequest): CreateNetworkInterfaceResult {
  const { SubnetId: subnetId, ClientToken: token, TagSpecifications: tags } = request;
  if (subnetId === undefined) throw missingParameter('subnetId');
  const subnet = ec2.network.subnets.find(({ id }) => id === subnetId);
  if (subnet === undefined) throw noSuchSubnet(subnetId);
  checkTagSpecifications(tags, ['network-interface']);
  return ec2.idempotency.once({ operation: 'CreateNetworkInterface', token, request }, () => {
    const securityGroupIds = readInterfaceGroups(ec2, request.Groups, subnet);
    const type = readInterfaceType(request.InterfaceType);
    const wanted = listWantedAddresses(ec2, request, subnet);
    if (request.DryRun === true) throw dryRunWouldSucceed();
    const own: OwnInterface = {
      id: `eni-0${ec2.random.hex(16)}`,
      subnetId,
      type,
      description: request.Description ?? '',
      securityGroupIds,
      privateIps: takeAddresses(ec2, subnet, wanted),
      sourceDestCheck: true,
      createdAt: ec2.clock.now(),
    };
    ec2.interfaces.keep(own);
    ec2.tags.add(own.id, readTagSpecifications('network-interface', tags));
    return {
      NetworkInterface: describeOwnInterface(ec2, own),
      ...(token !== undefined && { ClientToken: token }),
    };
  });
}

/** The groups of a request, else the default group of the VPC. @throws AwsError `InvalidGroup.NotFound` */
export function readInterfaceGroups(
  { network }: Ec2,
  asked: readonly string[] | undefined,
  subnet: Ec2Subnet,
): readonly string[] {
  const vpcId = vpcIdOf(network, subnet);
  const ofVpc = network.securityGroups.filter((group) => vpcIdOf(network, group) === vpcId);
  if (asked === undefined || asked.length === 0)
    return ofVpc.filter(({ name }) => name === 'default').map(({ id }) => id);
  const unknown = asked.find((id) => !ofVpc.some((group) => group.id === id));
  if (unknown !== undefined) throw noSuchSecurityGroup(unknown);
  return [...new Set(asked)];
}

function readInterfaceType(type: CreateNetworkInterfaceRequest['InterfaceType']): OwnInterface['type'] {
  if (type === undefined) return 'interface';
  if (type === 'efa' || type === 'efa-only') return type;
  throw invalidValue(`Invalid value '${type}' for InterfaceType. Valid values are: efa, efa-only.`);
}

/** One entry for each address: the one that is asked for, or none for a free one. */
type WantedAddresses = readonly (string | undefined)[];

function listWantedAddresses(
  ec2: Ec2,
  { PrivateIpAddress: ip, PrivateIpAddresses: listed = [], SecondaryPrivateIpAddressCount: more = 0 }: AddressRequest,
  subnet: Ec2Subnet,
): WantedAddresses {
  const primary = ip ?? listed.find(({ Primary }) => Primary === true)?.PrivateIpAddress;
  const secondary = listed.flatMap(({ PrivateIpAddress }) => PrivateIpAddress ?? []).filter((each) => each !== primary);
  const wanted = [primary, ...secondary, ...Array.from({ length: more }, () => undefined)];
  checkFreeAddressList(
    ec2,
    wanted.flatMap((each) => each ?? []),
    subnet,
  );
  return wanted;
}

type AddressRequest = Pick<
  CreateNetworkInterfaceRequest,
  'PrivateIpAddress' | 'PrivateIpAddresses' | 'SecondaryPrivateIpAddressCount'
>;

/** @throws AwsError for an address of another subnet, one that AWS keeps, and one that something has */
export function checkFreeAddress({ instances }: Ec2, address: string, { id, cidr }: Ec2Subnet): void {
  const block = readCidr(`${address}/32`);
  if (block === undefined || !containsCidr(cidr, block))
    throw invalidValue(`Address ${address} does not fall within the subnet's address range`);
  const obstacle = instances.obstacleOfAddress(id, address);
  if (obstacle === 'reserved') throw invalidValue(`Address ${address} is in subnet's reserved address range`);
  if (obstacle === 'taken') throw invalidValue(`Address ${address} is in use.`);
}

/** @throws AwsError for an address that cannot be taken, and for one that is asked for twice */
export function checkFreeAddressList(ec2: Ec2, addresses: readonly string[], subnet: Ec2Subnet): void {
  for (const address of addresses) checkFreeAddress(ec2, address, subnet);
  const repeated = addresses.find((address, index) => addresses.indexOf(address) !== index);
  if (repeated !== undefined) throw invalidValue(`Address ${repeated} is specified more than once.`);
}

/** Takes all addresses or none. @throws AwsError `InsufficientFreeAddressesInSubnet` */
export function takeAddresses({ instances }: Ec2, { id }: Ec2Subnet, wanted: WantedAddresses): readonly string[] {
  if (instances.freeAddresses(id) < wanted.length) throw noFreeAddresses(id);
  return wanted.flatMap((address) => instances.takeAddress(id, address) ?? []);
}

export function deleteNetworkInterface(ec2: Ec2, { NetworkInterfaceId: id, DryRun }: DeleteNetworkInterfaceRequest) {
  if (id === undefined) throw missingParameter('networkInterfaceId');
  const own = ec2.interfaces.find(id);
  const isOfLaunch = ec2.instances
    .all()
    .some((instance) => instance.state !== 'terminated' && listInterfaceIds(instance).includes(id));
  if (own?.attachment !== undefined || isOfLaunch) throw invalidValue(`Network interface '${id}' is currently in use.`);
  if (own === undefined) throw noSuchNetworkInterface(id);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.interfaces.delete(id);
  for (const address of own.privateIps) ec2.instances.releaseAddress(own.subnetId, address);
  return {};
}
