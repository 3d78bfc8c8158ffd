import { AwsError } from '../codec/aws-error.ts';
import {
  type ExceededLimit,
  type InputLimit,
  limitItems,
  limitValue,
  type ServiceLimits,
} from '../limits/input-limits.ts';
import { compileConstraints, type Violation } from '../limits/constraint-checks.ts';
import { lowerFirst, writeConstrainedValue } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import {
  invalidCombination,
  invalidValue,
  malformedImageName,
  malformedTemplateName,
  missingParameter,
} from './errors.ts';
import { ec2ConstraintsJson } from './input-constraints.generated.ts';

const filters = [limitItems('Filters', 50), limitItems('Filters.Values', 200)];
const pages = (least: number, most: number): readonly InputLimit[] => [
  limitValue('MaxResults', least, most),
  ...filters,
];

/** What EC2's API reference says of list lengths and page sizes. */
export const ec2Limits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeAddressesAttribute', [limitValue('MaxResults', 1, 1_000)]],
    ['DescribeAvailabilityZones', filters],
    ['DescribeEgressOnlyInternetGateways', pages(5, 255)],
    ['DescribeCapacityReservations', pages(1, 1_000)],
    ['DescribeFleetHistory', [limitValue('MaxResults', 1, 1_000)]],
    ['DescribeFleets', pages(1, 1_000)],
    ['DescribeFleetInstances', pages(1, 1_000)],
    ['DescribeIamInstanceProfileAssociations', pages(5, 1_000)],
    ['DescribeImages', pages(1, 1_000)],
    ['DescribeInstances', pages(5, 1_000)],
    ['DescribeInstanceCreditSpecifications', pages(5, 1_000)],
    ['DescribeInstanceStatus', pages(5, 1_000)],
    ['DescribeInstanceTypeOfferings', pages(5, 1_000)],
    ['DescribeInstanceTypes', [...pages(5, 100), limitItems('InstanceTypes', 100)]],
    [
      'DescribeLaunchTemplates',
      [...pages(1, 200), limitItems('LaunchTemplateIds', 200), limitItems('LaunchTemplateNames', 200)],
    ],
    ['DescribeLaunchTemplateVersions', pages(1, 200)],
    ['DescribeKeyPairs', filters],
    ['DescribePlacementGroups', filters],
    ['DescribeRegions', filters],
    ['DescribeInternetGateways', pages(5, 1_000)],
    ['DescribeNatGateways', [limitValue('MaxResults', 5, 1_000), limitItems('Filter', 50)]],
    ['DescribeNetworkAcls', pages(5, 1_000)],
    ['DescribeNetworkInterfaces', pages(5, 1_000)],
    ['DescribeManagedPrefixLists', pages(1, 100)],
    ['DescribePrefixLists', pages(5, 1_000)],
    ['GetManagedPrefixListAssociations', [limitValue('MaxResults', 5, 255)]],
    ['GetManagedPrefixListEntries', [limitValue('MaxResults', 1, 100)]],
    ['DescribeRouteTables', pages(5, 100)],
    ['DescribeSecurityGroupRules', pages(5, 1_000)],
    ['DescribeSecurityGroups', pages(5, 1_000)],
    ['DescribeSnapshots', pages(5, 1_000)],
    ['DescribeSpotInstanceRequests', pages(5, 1_000)],
    ['DescribeVolumes', pages(5, 1_000)],
    ['DescribeVolumesModifications', pages(1, 500)],
    ['DescribeVpcEndpoints', pages(1, 1_000)],
    ['DescribeVpcEndpointServices', pages(1, 1_000)],
    ['GetInstanceTypesFromInstanceRequirements', [limitValue('MaxResults', 1, 1_000)]],
    // EC2 takes any size here, and gives a page of its own: Karpenter asks for 2,000.
    ['DescribeSpotPriceHistory', pages(1, Infinity)],
    ['DescribeSubnets', pages(5, 1_000)],
    ['DescribeTags', pages(5, 1_000)],
    ['DescribeVpcPeeringConnections', pages(5, 1_000)],
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
  const name = lowerFirst(path);
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

/** What the model says of inputs. EC2 tells of the first problem only. */
export const ec2Constraints: ServiceConstraints = {
  listViolations: compileConstraints(ec2ConstraintsJson),
  refuse: ([first]) => refuseEc2Violation(first),
};

/** Types whose values have an error code of their own. */
const refusalsByType: ReadonlyMap<string | undefined, () => AwsError> = new Map([
  ['LaunchTemplateName', malformedTemplateName],
  ['ImageNameRequest', malformedImageName],
]);

function refuseEc2Violation(violation: Violation | undefined): AwsError {
  if (violation === undefined) throw new Error('an input without violations is not refused');
  const { wireName, value, type } = violation;
  if (violation.kind === 'required')
    return violation.path[0] === 'InstanceIds'
      ? invalidCombination('No instances specified')
      : missingParameter(violation.path[0] === 'Resources' ? 'resourceIdSet' : wireName);
  const own = refusalsByType.get(type);
  if (own !== undefined) return own();
  const written = writeConstrainedValue(value);
  return invalidValue(
    `Value (${written}) for parameter ${lowerFirst(wireName)} is invalid. ${describeEc2Bound(violation)}`,
  );
}

function describeEc2Bound(violation: Exclude<Violation, { readonly kind: 'required' }>): string {
  switch (violation.kind) {
    case 'least':
      return `The ${violation.of} must not be less than ${violation.bound}.`;
    case 'most':
      return `The ${violation.of} must not be greater than ${violation.bound}.`;
    case 'pattern':
      return `It must match ${violation.pattern}.`;
    case 'values':
      return `Valid values are: ${violation.values.join(', ')}.`;
  }
}
