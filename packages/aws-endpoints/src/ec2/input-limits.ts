import { AwsError } from '../codec/aws-error.ts';
import {
  type ExceededLimit,
  type InputLimit,
  limitItems,
  limitValue,
  type ServiceLimits,
} from '../limits/input-limits.ts';
import { invalidValue } from './errors.ts';

const filters = [limitItems('Filters', 50), limitItems('Filters.Values', 200)];
const pages = (least: number, most: number): readonly InputLimit[] => [
  limitValue('MaxResults', least, most),
  ...filters,
];

/** What EC2's API reference says of list lengths and page sizes. */
export const ec2Limits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeAvailabilityZones', filters],
    ['DescribeCapacityReservations', pages(1, 1_000)],
    ['DescribeImages', pages(1, 1_000)],
    ['DescribeInstances', pages(5, 1_000)],
    ['DescribeInstanceStatus', pages(5, 1_000)],
    ['DescribeInstanceTypeOfferings', pages(5, 1_000)],
    ['DescribeInstanceTypes', [...pages(5, 100), limitItems('InstanceTypes', 100)]],
    [
      'DescribeLaunchTemplates',
      [...pages(1, 200), limitItems('LaunchTemplateIds', 200), limitItems('LaunchTemplateNames', 200)],
    ],
    ['DescribeLaunchTemplateVersions', pages(1, 200)],
    ['DescribePlacementGroups', filters],
    ['DescribeSecurityGroups', pages(5, 1_000)],
    ['DescribeSpotPriceHistory', pages(1, 1_000)],
    ['DescribeSubnets', pages(5, 1_000)],
    ['DescribeTags', pages(5, 1_000)],
    ['DescribeVpcs', pages(5, 1_000)],
    ['CreateFleet', [limitItems('LaunchTemplateConfigs', 50, 1)]],
    ['CreateTags', [limitItems('Resources', 1_000), limitItems('Tags', 1_000)]],
    ['DeleteTags', [limitItems('Resources', 1_000), limitItems('Tags', 1_000)]],
    ['DeleteLaunchTemplateVersions', [limitItems('Versions', 200)]],
    ['RebootInstances', [limitItems('InstanceIds', 1_000)]],
    ['TerminateInstances', [limitItems('InstanceIds', 1_000)]],
  ]),
  refuse: refuseExceededEc2Limit,
};

function refuseExceededEc2Limit({ kind, path, actual, least, most }: ExceededLimit): AwsError {
  const name = path.charAt(0).toLowerCase() + path.slice(1);
  if (path === 'Filters.Values')
    return new AwsError(
      'FilterLimitExceeded',
      `The maximum number of filter values specified on a single call is ${most}`,
    );
  if (path === 'Filters')
    return new AwsError('FilterLimitExceeded', `The maximum number of filters specified on a single call is ${most}`);
  if (kind === 'items') return invalidValue(`${name} has ${actual} items; the request may hold ${most}.`);
  const bound = actual < least ? `greater than or equal to ${least}` : `less than or equal to ${most}`;
  return invalidValue(`Value ( ${actual} ) for parameter ${name} is invalid. Expecting a value ${bound}.`);
}
