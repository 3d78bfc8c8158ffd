import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { autoScalingValidationError } from './errors.ts';
import { autoscalingConstraintsJson } from './input-constraints.generated.ts';

/** What the API reference of Auto Scaling says of list lengths and page sizes. */
export const autoScalingLimits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeAutoScalingGroups', [limitValue('MaxRecords', 1, 100), limitItems('AutoScalingGroupNames', 50)]],
    ['DescribeAutoScalingInstances', [limitValue('MaxRecords', 1, 50), limitItems('InstanceIds', 50)]],
    ['DescribeInstanceRefreshes', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeLaunchConfigurations', [limitValue('MaxRecords', 1, 100), limitItems('LaunchConfigurationNames', 50)]],
    ['DescribeLoadBalancers', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeLoadBalancerTargetGroups', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeNotificationConfigurations', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeScheduledActions', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeTrafficSources', [limitValue('MaxRecords', 1, 50)]],
    ['DescribeLifecycleHooks', [limitItems('LifecycleHookNames', 50)]],
    ['DescribePolicies', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeScalingActivities', [limitValue('MaxRecords', 1, 100), limitItems('ActivityIds', 50)]],
    ['DescribeTags', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeWarmPool', [limitValue('MaxRecords', 1, 50)]],
    ['SetInstanceProtection', [limitItems('InstanceIds', 50)]],
  ]),
  refuse: (exceeded) => autoScalingValidationError(describeConstraint(exceeded)),
};

/** What the model says of inputs. */
export const autoScalingConstraints: ServiceConstraints = {
  listViolations: compileConstraints(autoscalingConstraintsJson),
  refuse: (violations) => autoScalingValidationError(describeViolations(violations)),
};
