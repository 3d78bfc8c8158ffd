import type { BucketOptions } from '@nodewright/runtime';

/** An operation of EC2 that may come in large numbers. */
export type PacedOperation =
  | 'CreateFleet'
  | 'CreateLaunchTemplate'
  | 'CreateTags'
  | 'DeleteLaunchTemplate'
  | 'DescribeInstances'
  | 'DescribeLaunchTemplates'
  | 'TerminateInstances';

export type PacedBucket = PacedOperation | 'launched instances' | 'terminated instances';

/**
 * The token buckets that EC2 documents. An account may have others, and other users.
 * @see https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */
export const documentedRates: Readonly<Record<PacedBucket, BucketOptions>> = {
  CreateFleet: { burst: 50, perSecond: 5 },
  CreateLaunchTemplate: { burst: 50, perSecond: 5 },
  CreateTags: { burst: 100, perSecond: 10 },
  DeleteLaunchTemplate: { burst: 50, perSecond: 5 },
  // Descriptions of instances by id have neither filter nor page size.
  DescribeInstances: { burst: 50, perSecond: 10 },
  DescribeLaunchTemplates: { burst: 100, perSecond: 20 },
  TerminateInstances: { burst: 100, perSecond: 5 },
  'launched instances': { burst: 1_000, perSecond: 2 },
  'terminated instances': { burst: 1_000, perSecond: 20 },
};

/** The buckets that a call takes tokens from, and how many. */
export type CallTokens = Partial<Readonly<Record<PacedBucket, number>>>;
