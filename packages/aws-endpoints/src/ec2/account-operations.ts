import type {
  AccountAttribute,
  AccountAttributeName,
  DescribeAccountAttributesRequest,
  DescribeAccountAttributesResult,
  DescribeAddressesRequest,
  DescribeAddressesResult,
  GetEbsDefaultKmsKeyIdResult,
  GetEbsEncryptionByDefaultResult,
  GetInstanceMetadataDefaultsResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

/** What EC2 says of a new account. It has no default VPC. */
const accountAttributes: ReadonlyMap<string, string> = new Map([
  ['supported-platforms', 'VPC'],
  ['vpc-max-security-groups-per-interface', '5'],
  ['max-elastic-ips', '5'],
  ['max-instances', '20'],
  ['vpc-max-elastic-ips', '5'],
  ['default-vpc', 'none'],
]);

export function describeAccountAttributes(
  _ec2: Ec2,
  { AttributeNames: names = [...accountAttributes.keys()] as AccountAttributeName[] }: DescribeAccountAttributesRequest,
): DescribeAccountAttributesResult {
  return {
    AccountAttributes: names.map((AttributeName): AccountAttribute => ({
      AttributeName,
      AttributeValues: [{ AttributeValue: accountAttributes.get(AttributeName) ?? '' }],
    })),
  };
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

/** Lists the elastic addresses, of which the account has none. */
export function describeAddresses(_ec2: Ec2, request: DescribeAddressesRequest): DescribeAddressesResult {
  const [allocation] = request.AllocationIds ?? [];
  if (allocation !== undefined)
    throw new AwsError('InvalidAllocationID.NotFound', `The allocation ID '${allocation}' does not exist`);
  const [address] = request.PublicIps ?? [];
  if (address !== undefined) throw new AwsError('InvalidAddress.NotFound', `Address '${address}' not found.`);
  const none: readonly object[] = [];
  applyFilters(none, request.Filters, {
    records: { write: (each) => each, paths: addressPaths },
    attributes: {},
    tags: () => ({}),
  });
  return { Addresses: [] };
}

export const getEbsEncryptionByDefault = (): GetEbsEncryptionByDefaultResult => ({
  EbsEncryptionByDefault: false,
  SseType: 'none',
});

export const getEbsDefaultKmsKeyId = (): GetEbsDefaultKmsKeyIdResult => ({ KmsKeyId: 'alias/aws/ebs' });

/** The account sets no defaults. */
export const getInstanceMetadataDefaults = (): GetInstanceMetadataDefaultsResult => ({ AccountLevel: {} });
