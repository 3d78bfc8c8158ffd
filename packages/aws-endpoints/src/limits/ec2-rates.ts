import type { BucketOptions } from '@nodewright/runtime';

/** The buckets that one call takes tokens from, by name, and how many of each. */
export type TokenDemand = { readonly bucket: string; readonly size: BucketOptions; readonly tokens: number };

const bucketOf = (burst: number, perSecond: number): BucketOptions => ({ burst, perSecond });

const reading = bucketOf(100, 20);
const readingEverything = bucketOf(50, 10);
const changing = bucketOf(50, 5);

/** Reads that have a smaller bucket when they state neither a filter nor a page size. */
const largeReads = new Set([
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeSnapshots',
  'DescribeSpotInstanceRequests',
  'DescribeVolumes',
]);

/** Operations with a bucket of a size of their own. */
const ownSizes: ReadonlyMap<string, BucketOptions> = new Map([
  ['CopyImage', bucketOf(100, 1)],
  ['CreateLaunchTemplateVersion', bucketOf(100, 5)],
  ['CreateTags', bucketOf(100, 10)],
  ['DeleteTags', bucketOf(100, 10)],
  ['DeregisterImage', bucketOf(100, 5)],
  ['ModifyLaunchTemplate', bucketOf(100, 5)],
  ['RunInstances', bucketOf(5, 2)],
  ['StartInstances', bucketOf(5, 2)],
  ['TerminateInstances', bucketOf(100, 5)],
]);

/** Buckets that are emptied by instances instead of requests. */
const launches = bucketOf(1_000, 2);
const terminations = bucketOf(1_000, 20);

type Input = Readonly<Record<string, unknown>>;

/**
 * What a call to EC2 takes from the request bucket of its operation and from the buckets of instances.
 *
 * The page does not name the bucket of the instances of a fleet. Here a fleet takes them from that of RunInstances.
 * @see https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */
export function listTokenDemands(operation: string, input: Input): readonly TokenDemand[] {
  return [
    { bucket: bucketName(operation, input), size: sizeOf(operation, input), tokens: 1 },
    ...instanceDemands(operation, input),
  ];
}

const bucketName = (operation: string, input: Input): string =>
  isLargeRead(operation, input) ? `${operation} of everything` : operation;

function sizeOf(operation: string, input: Input): BucketOptions {
  const own = ownSizes.get(operation);
  if (own !== undefined) return own;
  if (isLargeRead(operation, input)) return readingEverything;
  return /^(Describe|List|Search|Get)/.test(operation) ? reading : changing;
}

const isLargeRead = (operation: string, { Filters, MaxResults, NextToken }: Input): boolean =>
  largeReads.has(operation) && MaxResults === undefined && NextToken === undefined && listLength(Filters) === 0;

function instanceDemands(operation: string, input: Input): readonly TokenDemand[] {
  switch (operation) {
    case 'RunInstances':
      return [{ bucket: 'launched instances', size: launches, tokens: numberOf(input['MaxCount']) }];
    case 'CreateFleet':
      return [{ bucket: 'launched instances', size: launches, tokens: targetCapacity(input) }];
    case 'TerminateInstances':
      return [{ bucket: 'terminated instances', size: terminations, tokens: listLength(input['InstanceIds']) }];
    default:
      return [];
  }
}

function targetCapacity({ TargetCapacitySpecification: target }: Input): number {
  const isTarget = typeof target === 'object' && target !== null && 'TotalTargetCapacity' in target;
  return numberOf(isTarget ? target.TotalTargetCapacity : undefined);
}

const listLength = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 1);
