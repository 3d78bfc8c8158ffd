import type {
  AssignPrivateIpAddressesRequest,
  AssignPrivateIpAddressesResult,
  DescribeNetworkInterfaceAttributeRequest,
  DescribeNetworkInterfaceAttributeResult,
  ModifyNetworkInterfaceAttributeRequest,
  UnassignPrivateIpAddressesRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { listInterfaces } from './describe-network-interfaces.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter, noSuchNetworkInterface, noSuchSubnet } from './errors.ts';
import type { Ec2Instance } from './instance.ts';
import { listInterfaceIds } from './launched-interfaces.ts';
import type { Ec2 } from './model.ts';
import type { Ec2Subnet } from './network.ts';
import { checkFreeAddressList, readInterfaceGroups, takeAddresses } from './network-interface-operations.ts';
import type { OwnInterface } from './own-interfaces.ts';

/** Changes an interface that was made by itself, or the groups and the check of addresses of an instance's primary one. */
export function modifyNetworkInterfaceAttribute(ec2: Ec2, request: ModifyNetworkInterfaceAttributeRequest): object {
  const { NetworkInterfaceId: id, DryRun } = request;
  if (id === undefined) throw missingParameter('networkInterfaceId');
  const own = ec2.interfaces.find(id);
  const instance = findHolder(ec2, id);
  if (own === undefined && instance === undefined) throw noSuchNetworkInterface(id);
  const subnet = requireSubnet(ec2, own?.subnetId ?? instance?.settings.subnetId ?? '');
  const groups = request.Groups && readInterfaceGroups(ec2, request.Groups, subnet);
  const check = request.SourceDestCheck?.Value;
  const change = {
    ...(groups !== undefined && { securityGroupIds: groups }),
    ...(check !== undefined && { sourceDestCheck: check }),
  };
  const ownChange = own && { ...change, ...readOwnChanges(own, request) };
  if (instance !== undefined) requirePrimary(instance, { id, change });
  if (DryRun === true) throw dryRunWouldSucceed();
  if (own !== undefined) ec2.interfaces.keep({ ...own, ...ownChange });
  else if (instance !== undefined) ec2.instances.change(instance.id, change);
  return {};
}

const findHolder = ({ instances }: Ec2, id: string): Ec2Instance | undefined =>
  instances.all().find((instance) => instance.state !== 'terminated' && listInterfaceIds(instance).includes(id));

function requireSubnet({ network }: Ec2, id: string): Ec2Subnet {
  const found = network.subnets.find((subnet) => subnet.id === id);
  if (found === undefined) throw noSuchSubnet(id);
  return found;
}

type PrimaryChange = {
  readonly id: string;
  readonly change: { readonly securityGroupIds?: readonly string[]; readonly sourceDestCheck?: boolean };
};

/** @throws AwsError for what the sandbox does not change of an interface of a launch */
function requirePrimary(instance: Ec2Instance, { id, change }: PrimaryChange): void {
  if (id !== instance.networkInterfaceId || Object.keys(change).length === 0)
    throw new AwsError(
      'UnsupportedOperation',
      'Of an interface that came with its instance, the sandbox changes groups and SourceDestCheck of the primary one only.',
    );
}

function readOwnChanges(
  { attachment }: OwnInterface,
  { Description: description, Attachment: asked }: ModifyNetworkInterfaceAttributeRequest,
): Partial<OwnInterface> {
  if (asked !== undefined && asked.AttachmentId !== attachment?.id)
    throw new AwsError('InvalidAttachmentID.NotFound', `The attachment ID '${asked.AttachmentId}' does not exist`);
  return {
    ...(description?.Value !== undefined && { description: description.Value }),
    ...(attachment !== undefined &&
      asked?.DeleteOnTermination !== undefined && {
        attachment: { ...attachment, endsWithInstance: asked.DeleteOnTermination },
      }),
  };
}

export function describeNetworkInterfaceAttribute(
  ec2: Ec2,
  { NetworkInterfaceId: id = '', Attribute: attribute }: DescribeNetworkInterfaceAttributeRequest,
): DescribeNetworkInterfaceAttributeResult {
  const found = listInterfaces(ec2).find(({ NetworkInterfaceId }) => NetworkInterfaceId === id);
  if (found === undefined) throw noSuchNetworkInterface(id);
  switch (attribute) {
    case 'attachment':
      return { NetworkInterfaceId: id, ...(found.Attachment && { Attachment: found.Attachment }) };
    case 'groupSet':
      return { NetworkInterfaceId: id, Groups: found.Groups };
    case 'sourceDestCheck':
      return { NetworkInterfaceId: id, SourceDestCheck: { Value: found.SourceDestCheck } };
    case 'description':
      return { NetworkInterfaceId: id, Description: { Value: found.Description } };
    case undefined:
      throw missingParameter('attribute');
    default:
      throw invalidValue(
        `Invalid value '${attribute}' for Attribute: description, groupSet, sourceDestCheck or attachment.`,
      );
  }
}

export function assignPrivateIpAddresses(
  ec2: Ec2,
  request: AssignPrivateIpAddressesRequest,
): AssignPrivateIpAddressesResult {
  const { PrivateIpAddresses: asked = [], SecondaryPrivateIpAddressCount: count } = request;
  const own = requireOwnInterface(ec2, request.NetworkInterfaceId);
  const subnet = requireSubnet(ec2, own.subnetId);
  if ((asked.length === 0) === (count === undefined))
    throw invalidValue('Specify either privateIpAddresses or secondaryPrivateIpAddressCount, not both.');
  checkFreeAddressList(ec2, asked, subnet);
  const added = takeAddresses(
    ec2,
    subnet,
    asked.length > 0 ? asked : Array.from({ length: count ?? 0 }, () => undefined),
  );
  ec2.interfaces.keep({ ...own, privateIps: [...own.privateIps, ...added] });
  return {
    NetworkInterfaceId: own.id,
    AssignedPrivateIpAddresses: added.map((PrivateIpAddress) => ({ PrivateIpAddress })),
  };
}

export function unassignPrivateIpAddresses(ec2: Ec2, request: UnassignPrivateIpAddressesRequest): object {
  const { PrivateIpAddresses: asked = [] } = request;
  const own = requireOwnInterface(ec2, request.NetworkInterfaceId);
  const [, ...secondary] = own.privateIps;
  const stranger = asked.find((address) => !secondary.includes(address));
  if (stranger !== undefined)
    throw invalidValue(`Some of [${asked.join(', ')}] are not assigned to interface ${own.id}`);
  for (const address of asked) ec2.instances.releaseAddress(own.subnetId, address);
  ec2.interfaces.keep({ ...own, privateIps: own.privateIps.filter((address) => !asked.includes(address)) });
  return {};
}

function requireOwnInterface(ec2: Ec2, id: string | undefined): OwnInterface {
  if (id === undefined) throw missingParameter('networkInterfaceId');
  if (ec2.interfaces.find(id) === undefined && findHolder(ec2, id) !== undefined)
    throw new AwsError(
      'UnsupportedOperation',
      'The sandbox assigns secondary addresses only to interfaces that were made by CreateNetworkInterface.',
    );
  return ec2.interfaces.get(id);
}
