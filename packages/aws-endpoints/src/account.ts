/** Whose account this is, and where: what goes into every ARN. */
export type Account = {
  readonly id: string;
  readonly region: string;
};

/** An ARN of a regional service: `arn:aws:ec2:us-east-1:111122223333:instance/i-0123`. */
export const arnOf = ({ id, region }: Account, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${id}:${resource}`;

/** An ARN of IAM, which knows no region. */
export const iamArnOf = ({ id }: Account, resource: string): string => `arn:aws:iam::${id}:${resource}`;
