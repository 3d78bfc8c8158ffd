import type {
  Activity as WireActivity,
  AutoScalingGroup,
  Instance as WireInstance,
  LifecycleHook as WireHook,
  TagDescription,
} from '@aws-sdk/client-auto-scaling';
import { configurationOnTheWire, writeLaunchSource } from './configuration.ts';
import { globalHookLimitSeconds } from '../hook-waits.ts';
import { warmPoolOnTheWire } from './warm-pool.ts';
import type { Activity, AutoScalingGroupRecord, GroupInstance, GroupTag, LifecycleHook } from '../group/group.ts';

export const writeAutoScalingGroup = (group: AutoScalingGroupRecord, includeInstances = true): AutoScalingGroup => ({
  AutoScalingGroupName: group.name,
  AutoScalingGroupARN: group.arn,
  ...configurationOnTheWire(group),
  MinSize: group.min,
  MaxSize: group.max,
  DesiredCapacity: group.desired,
  DefaultCooldown: group.cooldownSeconds,
  AvailabilityZones: [...group.zones],
  LoadBalancerNames: [],
  TargetGroupARNs: [],
  HealthCheckType: 'EC2',
  HealthCheckGracePeriod: group.healthCheckGraceSeconds,
  Instances: includeInstances ? group.instances.map(writeGroupInstance) : [],
  CreatedTime: new Date(group.createdAt),
  SuspendedProcesses: group.suspended.map((ProcessName) => ({ ProcessName, SuspensionReason: 'User suspended' })),
  VPCZoneIdentifier: group.subnetIds.join(','),
  EnabledMetrics: [],
  Tags: group.tags.map((tag) => tagOnTheWire(group.name, tag)),
  TerminationPolicies: [...group.terminationPolicies],
  NewInstancesProtectedFromScaleIn: group.protectNew,
  CapacityRebalance: group.capacityRebalance,
  ...(group.serviceRole !== undefined && { ServiceLinkedRoleARN: group.serviceRole }),
  ...(group.warmPool && {
    WarmPoolConfiguration: warmPoolOnTheWire(group.warmPool),
    WarmPoolSize: group.warm?.length ?? 0,
  }),
  ...(group.deleting && { Status: 'Delete in progress' }),
});

export const writeGroupInstance = (instance: GroupInstance): WireInstance => ({
  InstanceId: instance.id,
  InstanceType: instance.instanceType,
  AvailabilityZone: instance.zone,
  LifecycleState: instance.lifecycle,
  HealthStatus: instance.healthy ? 'Healthy' : 'Unhealthy',
  ...writeLaunchSource(instance.template),
  ProtectedFromScaleIn: instance.protected,
});

export const tagOnTheWire = (name: string, { key, value, atLaunch }: GroupTag): TagDescription => ({
  ResourceId: name,
  ResourceType: 'auto-scaling-group',
  Key: key,
  Value: value,
  PropagateAtLaunch: atLaunch,
});

export const hookOnTheWire = (name: string, hook: LifecycleHook): WireHook => ({
  LifecycleHookName: hook.name,
  AutoScalingGroupName: name,
  LifecycleTransition: hook.transition,
  HeartbeatTimeout: hook.heartbeatSeconds,
  GlobalTimeout: globalHookLimitSeconds(hook),
  DefaultResult: hook.defaultResult,
  ...(hook.notificationTarget !== undefined && { NotificationTargetARN: hook.notificationTarget }),
  ...(hook.roleArn !== undefined && { RoleARN: hook.roleArn }),
  ...(hook.metadata !== undefined && { NotificationMetadata: hook.metadata }),
});

export const activityOnTheWire = (
  group: Pick<AutoScalingGroupRecord, 'name' | 'arn'>,
  activity: Activity,
): WireActivity => ({
  ActivityId: activity.id,
  AutoScalingGroupName: group.name,
  AutoScalingGroupARN: group.arn,
  Description: activity.description,
  Cause: activity.cause,
  StartTime: new Date(activity.startedAt),
  ...(activity.endedAt !== undefined && { EndTime: new Date(activity.endedAt) }),
  StatusCode: activity.status,
  ...(activity.message !== undefined && { StatusMessage: activity.message }),
  Progress: activity.status === 'InProgress' ? 50 : 100,
  Details: '{}',
});
