/** The words that faults about EKS may use, as its API spells them. */
export const categoryNames = ['UPGRADE_READINESS', 'ROLLBACK_READINESS'] as const;
export const findingStatuses = ['PASSING', 'WARNING', 'ERROR', 'UNKNOWN'] as const;

export const groupIssueCodes = [
  'AccessDenied',
  'AmiIdNotFound',
  'AsgInstanceLaunchFailures',
  'AutoScalingGroupInstanceRefreshActive',
  'AutoScalingGroupInvalidConfiguration',
  'AutoScalingGroupNotFound',
  'AutoScalingGroupOptInRequired',
  'AutoScalingGroupRateLimitExceeded',
  'ClusterUnreachable',
  'Ec2InstanceTypeDoesNotExist',
  'Ec2LaunchTemplateDeletionFailure',
  'Ec2LaunchTemplateInvalidConfiguration',
  'Ec2LaunchTemplateMaxLimitExceeded',
  'Ec2LaunchTemplateNotFound',
  'Ec2LaunchTemplateVersionMaxLimitExceeded',
  'Ec2LaunchTemplateVersionMismatch',
  'Ec2SecurityGroupDeletionFailure',
  'Ec2SecurityGroupNotFound',
  'Ec2SubnetInvalidConfiguration',
  'Ec2SubnetListTooLong',
  'Ec2SubnetMissingIpv6Assignment',
  'Ec2SubnetNotFound',
  'IamInstanceProfileNotFound',
  'IamLimitExceeded',
  'IamNodeRoleNotFound',
  'IamThrottling',
  'InstanceLimitExceeded',
  'InsufficientFreeAddresses',
  'InternalFailure',
  'KubernetesLabelInvalid',
  'LimitExceeded',
  'NodeCreationFailure',
  'NodeTerminationFailure',
  'PodEvictionFailure',
  'SourceEc2LaunchTemplateNotFound',
  'Unknown',
] as const;

export type CategoryName = (typeof categoryNames)[number];
export type FindingStatus = (typeof findingStatuses)[number];
export type GroupIssueCode = (typeof groupIssueCodes)[number];
