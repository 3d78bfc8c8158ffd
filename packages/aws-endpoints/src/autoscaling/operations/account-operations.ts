import type {
  DescribeAccountLimitsAnswer,
  DescribeAdjustmentTypesAnswer,
  DescribeAutoScalingNotificationTypesAnswer,
  DescribeLoadBalancersRequest,
  DescribeLoadBalancersResponse,
  DescribeLoadBalancerTargetGroupsRequest,
  DescribeLoadBalancerTargetGroupsResponse,
  DescribeMetricCollectionTypesAnswer,
  DescribeNotificationConfigurationsAnswer,
  DescribeNotificationConfigurationsType,
  DescribeTerminationPolicyTypesAnswer,
  DescribeTrafficSourcesRequest,
  DescribeTrafficSourcesResponse,
  ProcessesType,
} from '@aws-sdk/client-auto-scaling';
import { mostLaunchConfigurations } from '../launch-configurations.ts';
import type { AutoScalingService } from '../model.ts';
import { scalingProcesses } from './scaling-processes.ts';

/** As many groups as an account may have, unless it asks for more. */
const mostGroups = 500;

export const describeAccountLimits = ({ autoScaling }: AutoScalingService): DescribeAccountLimitsAnswer => ({
  MaxNumberOfAutoScalingGroups: mostGroups,
  MaxNumberOfLaunchConfigurations: mostLaunchConfigurations,
  NumberOfAutoScalingGroups: autoScaling.all().length,
  NumberOfLaunchConfigurations: autoScaling.configurations.all().length,
});

export const describeAdjustmentTypes = (): DescribeAdjustmentTypesAnswer => ({
  AdjustmentTypes: ['ChangeInCapacity', 'ExactCapacity', 'PercentChangeInCapacity'].map((AdjustmentType) => ({
    AdjustmentType,
  })),
});

export const describeNotificationTypes = (): DescribeAutoScalingNotificationTypesAnswer => ({
  AutoScalingNotificationTypes: [
    'autoscaling:EC2_INSTANCE_LAUNCH',
    'autoscaling:EC2_INSTANCE_LAUNCH_ERROR',
    'autoscaling:EC2_INSTANCE_TERMINATE',
    'autoscaling:EC2_INSTANCE_TERMINATE_ERROR',
    'autoscaling:TEST_NOTIFICATION',
  ],
});

export const describeMetricTypes = (): DescribeMetricCollectionTypesAnswer => ({
  Metrics: groupMetrics.map((Metric) => ({ Metric })),
  Granularities: [{ Granularity: '1Minute' }],
});

const groupMetrics = [
  'GroupMinSize',
  'GroupMaxSize',
  'GroupDesiredCapacity',
  'GroupInServiceInstances',
  'GroupPendingInstances',
  'GroupStandbyInstances',
  'GroupTerminatingInstances',
  'GroupTotalInstances',
  'GroupInServiceCapacity',
  'GroupPendingCapacity',
  'GroupStandbyCapacity',
  'GroupTerminatingCapacity',
  'GroupTotalCapacity',
  'WarmPoolDesiredCapacity',
  'WarmPoolWarmedCapacity',
  'WarmPoolPendingCapacity',
  'WarmPoolTerminatingCapacity',
  'WarmPoolTotalCapacity',
  'GroupAndWarmPoolDesiredCapacity',
  'GroupAndWarmPoolTotalCapacity',
];

export const describeTerminationPolicyTypes = (): DescribeTerminationPolicyTypesAnswer => ({
  TerminationPolicyTypes: [...terminationPolicies],
});

const terminationPolicies = [
  'AllocationStrategy',
  'ClosestToNextInstanceHour',
  'Default',
  'NewestInstance',
  'OldestInstance',
  'OldestLaunchConfiguration',
  'OldestLaunchTemplate',
];

export const describeProcessTypes = (): ProcessesType => ({
  Processes: scalingProcesses.map((ProcessName) => ({ ProcessName })),
});

/** No group has a load balancer. @throws AwsError without the group */
export function describeLoadBalancers(
  { autoScaling }: AutoScalingService,
  { AutoScalingGroupName: name = '' }: DescribeLoadBalancersRequest,
): DescribeLoadBalancersResponse {
  autoScaling.group(name);
  return { LoadBalancers: [] };
}

export function describeTargetGroups(
  { autoScaling }: AutoScalingService,
  { AutoScalingGroupName: name = '' }: DescribeLoadBalancerTargetGroupsRequest,
): DescribeLoadBalancerTargetGroupsResponse {
  autoScaling.group(name);
  return { LoadBalancerTargetGroups: [] };
}

export function describeTrafficSources(
  { autoScaling }: AutoScalingService,
  { AutoScalingGroupName: name = '' }: DescribeTrafficSourcesRequest,
): DescribeTrafficSourcesResponse {
  autoScaling.group(name);
  return { TrafficSources: [] };
}

/** There are no topics to notify. @throws AwsError without a group that is asked for */
export function describeNotifiedTopics(
  { autoScaling }: AutoScalingService,
  { AutoScalingGroupNames: names = [] }: DescribeNotificationConfigurationsType,
): DescribeNotificationConfigurationsAnswer {
  for (const name of names) autoScaling.group(name);
  return { NotificationConfigurations: [] };
}
