import { partitionOfRegion } from '@nodewright/apis';

/** Whose account this is, and where: what goes into every ARN. */
export type AwsAccount = {
  readonly id: string;
  readonly region: string;
};

/** An ARN of a regional service: `arn:aws:ec2:us-east-1:111122223333:instance/i-0123`. */
export const arnOf = ({ id, region }: AwsAccount, service: string, resource: string): string =>
  `arn:${partitionOfRegion(region).name}:${service}:${region}:${id}:${resource}`;

/** An ARN of IAM, which knows no region. */
export const iamArnOf = ({ id, region }: AwsAccount, resource: string): string =>
  `arn:${partitionOfRegion(region).name}:iam::${id}:${resource}`;

/** The account that an ARN names: `111122223333`. */
export const accountIdOfArn = (arn: string): string => arn.split(':')[4] ?? '';
