import type {
  Address,
  AllocateAddressRequest,
  AllocateAddressResult,
  DescribeAddressesAttributeRequest,
  DescribeAddressesAttributeResult,
  DescribeAddressesRequest,
  DescribeAddressesResult,
  ReleaseAddressRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { changeRouting, noSuchAllocation } from './change-routing.ts';
import { derivedId } from './derived-ids.ts';
import { dryRunWouldSucceed, missingParameter } from './errors.ts';
import { findAssociation } from './elastic-address-associations.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { isHolding } from './nat-gateways.ts';
import { parseRecordPaths } from './record-paths.ts';
import { readRouting } from './read-routing.ts';
import { type ElasticAddress, putById } from './routing.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { readTagSpecifications, writeEc2Tags } from './tags.ts';

/** EC2's quota of elastic addresses in a region. */
const mostAddresses = 5;

export function allocateAddress(ec2: Ec2, request: AllocateAddressRequest): AllocateAddressResult {
  checkTagSpecifications(request.TagSpecifications, ['elastic-ip']);
  const { addresses } = readRouting(ec2.network);
  if (addresses.length >= mostAddresses)
    throw new AwsError('AddressLimitExceeded', 'The maximum number of addresses has been reached.');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const address = { id: `eipalloc-0${ec2.random.hex(16)}`, publicIp: chooseAddress(ec2, addresses) };
  ec2.tags.add(address.id, readTagSpecifications('elastic-ip', request.TagSpecifications));
  changeRouting(ec2, (routing) => ({ addresses: putById(routing.addresses, address) }));
  const { region } = ec2.account;
  return {
    AllocationId: address.id,
    PublicIp: address.publicIp,
    PublicIpv4Pool: 'amazon',
    Domain: 'vpc',
    NetworkBorderGroup: region,
  };
}

function chooseAddress({ random }: Ec2, taken: readonly ElasticAddress[]): string {
  for (;;) {
    const publicIp = `52.${72 + random.integer(8)}.${random.integer(256)}.${1 + random.integer(254)}`;
    if (!taken.some((address) => address.publicIp === publicIp)) return publicIp;
  }
}

export function releaseAddress(ec2: Ec2, { AllocationId: id, DryRun }: ReleaseAddressRequest): object {
  if (id === undefined) throw missingParameter('AllocationId');
  const { addresses, natGateways } = readRouting(ec2.network);
  const found = addresses.find((address) => address.id === id);
  if (found === undefined) throw noSuchAllocation(id);
  if (natGateways.some((each) => each.allocationId === id && isHolding(each, ec2.clock.now())))
    throw new AwsError('InvalidIPAddress.InUse', `Address ${found.publicIp} is in use.`);
  if (findAssociation(ec2, found) !== undefined)
    throw new AwsError('InvalidIPAddress.InUse', `Address ${found.publicIp} is in use.`);
  if (DryRun === true) throw dryRunWouldSucceed();
  ec2.tags.forget(id);
  changeRouting(ec2, (routing) => ({ addresses: routing.addresses.filter((address) => address.id !== id) }));
  return {};
}

const addressPaths = parseRecordPaths(`
  allocation-id AllocationId
  association-id AssociationId
  domain Domain
  instance-id InstanceId
  network-border-group NetworkBorderGroup
  network-interface-id NetworkInterfaceId
  network-interface-owner-id NetworkInterfaceOwnerId
  private-ip-address PrivateIpAddress
  public-ip PublicIp
`);

function writeAddress(ec2: Ec2, address: ElasticAddress): Address {
  const { id, publicIp } = address;
  const associated = findAssociation(ec2, address);
  const holder = readRouting(ec2.network).natGateways.find(
    (each) => each.allocationId === id && isHolding(each, ec2.clock.now()),
  );
  return {
    AllocationId: id,
    PublicIp: publicIp,
    PublicIpv4Pool: 'amazon',
    Domain: 'vpc',
    NetworkBorderGroup: ec2.account.region,
    ...(holder && {
      AssociationId: derivedId('eipassoc', id, holder.id),
      NetworkInterfaceId: derivedId('eni', holder.id),
      NetworkInterfaceOwnerId: ec2.account.id,
      PrivateIpAddress: holder.privateIp,
    }),
    ...(associated && {
      AssociationId: associated.associationId,
      InstanceId: associated.instance.id,
      NetworkInterfaceId: associated.instance.networkInterfaceId,
      NetworkInterfaceOwnerId: ec2.account.id,
      PrivateIpAddress: associated.instance.privateIp,
    }),
    Tags: writeEc2Tags(ec2.tags.of(id)),
  };
}

export function describeAddresses(ec2: Ec2, request: DescribeAddressesRequest): DescribeAddressesResult {
  const { AllocationIds: ids = [], PublicIps: ips = [] } = request;
  const { addresses } = readRouting(ec2.network);
  const missing = ids.find((id) => !addresses.some((address) => address.id === id));
  if (missing !== undefined) throw noSuchAllocation(missing);
  const unknown = ips.find((ip) => !addresses.some(({ publicIp }) => publicIp === ip));
  if (unknown !== undefined) throw new AwsError('InvalidAddress.NotFound', `Address '${unknown}' not found.`);
  const asked = addresses.filter(
    ({ id, publicIp }) => (ids.length === 0 || ids.includes(id)) && (ips.length === 0 || ips.includes(publicIp)),
  );
  const found = applyFilters(asked, request.Filters, {
    records: { write: (address) => writeAddress(ec2, address), paths: addressPaths },
    attributes: {},
    tags: ({ id }) => ec2.tags.of(id),
  });
  return { Addresses: found.map((address) => writeAddress(ec2, address)) };
}

/** No address has a name of its own in the DNS. */
export function describeAddressesAttribute(
  ec2: Ec2,
  { AllocationIds: ids = [] }: DescribeAddressesAttributeRequest,
): DescribeAddressesAttributeResult {
  const { addresses } = readRouting(ec2.network);
  const missing = ids.find((id) => !addresses.some((address) => address.id === id));
  if (missing !== undefined) throw noSuchAllocation(missing);
  return { Addresses: [] };
}
