import type { AwsScopeName } from './aws-scopes.ts';

/** One action that the controller is allowed, and what it reaches. An action may reach several scopes. */
export type AwsGrant = {
  /** `ec2:CreateFleet`. */
  readonly action: string;
  readonly scope: AwsScopeName;
  /** The call that AWS asks the action for, where the controller does not call it by itself. */
  readonly impliedBy?: string;
  /** What needs the action: NodePools, or NodeGroups, which not every cluster has. */
  readonly purpose: AwsPurpose;
};

export type AwsPurpose = 'nodePools' | 'nodeGroups';

const callsWithin = (scope: AwsScopeName, purpose: AwsPurpose, actions: readonly string[]): readonly AwsGrant[] =>
  actions.map((action) => ({ action, scope, purpose }));

const poolCalls = (scope: AwsScopeName, ...actions: readonly string[]) => callsWithin(scope, 'nodePools', actions);

const groupCalls = (scope: AwsScopeName, ...actions: readonly string[]) => callsWithin(scope, 'nodeGroups', actions);

const impliedCall = (scope: AwsScopeName, action: string, impliedBy: string): AwsGrant => ({
  action,
  scope,
  impliedBy,
  purpose: 'nodePools',
});

/** Every AWS call of the controller. The policy is made from this table. */
export const awsCalls: readonly AwsGrant[] = [
  ...poolCalls(
    'DescribeInTheRegion',
    'ec2:DescribeCapacityReservations',
    'ec2:DescribeImages',
    'ec2:DescribeInstances',
    'ec2:DescribeInstanceStatus',
    'ec2:DescribeInstanceTypeOfferings',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeLaunchTemplates',
    'ec2:DescribePlacementGroups',
    'ec2:DescribeSecurityGroups',
    'ec2:DescribeSpotPriceHistory',
    'ec2:DescribeSubnets',
    'servicequotas:GetServiceQuota',
  ),
  ...poolCalls('ReadPublicParameters', 'ssm:GetParameter', 'ssm:GetParameters', 'ssm:GetParametersByPath'),
  ...poolCalls('ReadOwnParameters', 'ssm:GetParameter'),
  ...poolCalls('ReadEvidenceOfClusters', 'ssm:GetParameter'),
  ...poolCalls('PublishOwnEvidence', 'ssm:PutParameter'),
  ...poolCalls('ReadPrices', 'pricing:GetProducts'),
  ...poolCalls('ReadTheCluster', 'eks:DescribeCluster'),
  ...poolCalls('ReceiveInterruptions', 'sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'),
  ...poolCalls('LaunchWithWhatExists', 'ec2:CreateFleet', 'ec2:RunInstances'),
  ...poolCalls('LaunchFromOwnTemplates', 'ec2:CreateFleet', 'ec2:RunInstances'),
  ...poolCalls('CreateWithTheTagsOfTheCluster', 'ec2:CreateFleet', 'ec2:CreateLaunchTemplate', 'ec2:RunInstances'),
  impliedCall('TagOnlyWhatIsBeingCreated', 'ec2:CreateTags', 'ec2:CreateFleet'),
  ...poolCalls('NameOwnInstances', 'ec2:CreateTags'),
  ...poolCalls('DeleteOwn', 'ec2:DeleteLaunchTemplate', 'ec2:TerminateInstances'),
  impliedCall('PassTheNodeRole', 'iam:PassRole', 'ec2:CreateFleet'),
  ...poolCalls('ListInstanceProfiles', 'iam:ListInstanceProfiles'),
  ...poolCalls('ReadInstanceProfiles', 'iam:GetInstanceProfile'),
  ...poolCalls('CreateOwnInstanceProfiles', 'iam:CreateInstanceProfile'),
  impliedCall('CreateOwnInstanceProfiles', 'iam:TagInstanceProfile', 'iam:CreateInstanceProfile'),
  ...poolCalls(
    'ChangeOwnInstanceProfiles',
    'iam:AddRoleToInstanceProfile',
    'iam:DeleteInstanceProfile',
    'iam:RemoveRoleFromInstanceProfile',
  ),
  ...groupCalls(
    'ReadNodeGroups',
    'eks:DescribeNodegroup',
    'eks:DescribeUpdate',
    'eks:ListNodegroups',
    'eks:ListUpdates',
  ),
  ...groupCalls('UpdateNodeGroups', 'eks:UpdateNodegroupConfig', 'eks:UpdateNodegroupVersion'),
  ...groupCalls(
    'ReadScalingGroups',
    'autoscaling:DescribeAutoScalingGroups',
    'autoscaling:DescribeInstanceRefreshes',
    'autoscaling:DescribeLifecycleHooks',
    'autoscaling:DescribeScalingActivities',
    'autoscaling:DescribeWarmPool',
    'ec2:DescribeLaunchTemplateVersions',
    'servicequotas:GetServiceQuota',
  ),
  ...groupCalls(
    'ChangeScalingGroupsOfTheCluster',
    'autoscaling:CompleteLifecycleAction',
    'autoscaling:RecordLifecycleActionHeartbeat',
    'autoscaling:ResumeProcesses',
    'autoscaling:SuspendProcesses',
    'autoscaling:TerminateInstanceInAutoScalingGroup',
    'autoscaling:UpdateAutoScalingGroup',
  ),
  ...groupCalls('ChangeTemplatesOfTheCluster', 'ec2:CreateLaunchTemplateVersion'),
  ...groupCalls('EndInstancesOfScalingGroups', 'ec2:TerminateInstances'),
];
