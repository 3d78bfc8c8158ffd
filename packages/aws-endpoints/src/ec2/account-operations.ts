import type {
  AccountAttribute,
  AccountAttributeName,
  DescribeAccountAttributesRequest,
  DescribeAccountAttributesResult,
  GetEbsDefaultKmsKeyIdResult,
  GetEbsEncryptionByDefaultResult,
  GetInstanceMetadataDefaultsResult,
} from '@aws-sdk/client-ec2';
import type { Ec2 } from './model.ts';

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

export const getEbsEncryptionByDefault = (): GetEbsEncryptionByDefaultResult => ({
  EbsEncryptionByDefault: false,
  SseType: 'none',
});

export const getEbsDefaultKmsKeyId = (): GetEbsDefaultKmsKeyIdResult => ({ KmsKeyId: 'alias/aws/ebs' });

/** The account sets no defaults. */
export const getInstanceMetadataDefaults = (): GetInstanceMetadataDefaultsResult => ({ AccountLevel: {} });
