import { describeConstraint, limitItems, limitValue, type ServiceLimits } from '../limits/input-limits.ts';
import { autoScalingValidationError } from './errors.ts';

/** What the API reference of Auto Scaling says of list lengths and page sizes. */
export const autoScalingLimits: ServiceLimits = {
  byOperation: new Map([
    ['DescribeAutoScalingGroups', [limitValue('MaxRecords', 1, 100), limitItems('AutoScalingGroupNames', 50)]],
    ['DescribeAutoScalingInstances', [limitValue('MaxRecords', 1, 50), limitItems('InstanceIds', 50)]],
    ['DescribeInstanceRefreshes', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeLifecycleHooks', [limitItems('LifecycleHookNames', 50)]],
    ['DescribeScalingActivities', [limitValue('MaxRecords', 1, 100), limitItems('ActivityIds', 50)]],
    ['DescribeTags', [limitValue('MaxRecords', 1, 100)]],
    ['DescribeWarmPool', [limitValue('MaxRecords', 1, 50)]],
    ['SetInstanceProtection', [limitItems('InstanceIds', 50)]],
  ]),
  refuse: (exceeded) => autoScalingValidationError(describeConstraint(exceeded)),
};
