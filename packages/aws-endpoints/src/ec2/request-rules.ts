import type {
  CreateFleetRequest,
  CreateLaunchTemplateRequest,
  CreateLaunchTemplateVersionRequest,
  RunInstancesRequest,
} from '@aws-sdk/client-ec2';
import type { InputRules } from '../service.ts';
import { checkFleetOverrides, checkFleetStrategies, checkFleetTargets } from './fleet-rules.ts';
import { checkIdForms } from './id-forms.ts';
import { checkInterfacesBesideGroups, checkLaunchData, checkTemplateData } from './launch-data-rules.ts';

type RuleOf<Request> = (request: Request) => void;

/** The checks of one operation. A check sees the request as the SDK's own type. */
const rulesFor = <Request>(
  operation: string,
  ...checks: readonly RuleOf<Request>[]
): [string, readonly ((input: Readonly<Record<string, unknown>>) => void)[]] => [
  operation,
  checks.map((check) => (input) => check(input as Request)),
];

/** What EC2 checks of a request before it looks at the account. */
export const ec2Rules: InputRules = new Map([
  rulesFor<CreateFleetRequest>('CreateFleet', checkFleetTargets, checkFleetStrategies, checkFleetOverrides),
  rulesFor<CreateLaunchTemplateRequest>('CreateLaunchTemplate', ({ LaunchTemplateData = {} }) =>
    checkTemplateData(LaunchTemplateData),
  ),
  rulesFor<CreateLaunchTemplateVersionRequest>('CreateLaunchTemplateVersion', ({ LaunchTemplateData = {} }) =>
    checkTemplateData(LaunchTemplateData),
  ),
  rulesFor<RunInstancesRequest>('RunInstances', checkLaunchData, checkInterfacesBesideGroups),
  ...[
    'DescribeInstances',
    'DescribeInstanceCreditSpecifications',
    'DescribeInstanceStatus',
    'DescribeSecurityGroups',
    'DescribeLaunchTemplates',
    'DescribeImages',
    'DescribeVpcs',
    'DescribeCapacityReservations',
    'DescribeInternetGateways',
    'DescribeNatGateways',
    'DescribeNetworkAcls',
    'DescribeManagedPrefixLists',
    'DescribeNetworkInterfaces',
    'DescribePrefixLists',
    'DescribeRouteTables',
    'DescribeSecurityGroupRules',
    'DescribeSnapshots',
    'DescribeSpotInstanceRequests',
    'DescribeVolumes',
    'DescribeVolumesModifications',
    'DescribeVpcEndpoints',
    'MonitorInstances',
    'RebootInstances',
    'StartInstances',
    'StopInstances',
    'UnmonitorInstances',
    'TerminateInstances',
  ].map((operation) => rulesFor(operation, checkIdForms)),
]);
