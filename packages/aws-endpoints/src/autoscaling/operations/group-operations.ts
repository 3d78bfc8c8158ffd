import type {
  Activity as WireActivity,
  ActivitiesType,
  ActivityType,
  AutoScalingGroupNamesType,
  AutoScalingGroupsType,
  AutoScalingInstancesType,
  CreateAutoScalingGroupType,
  DeleteAutoScalingGroupType,
  DescribeAutoScalingInstancesType,
  DescribeScalingActivitiesType,
  Filter,
  ScalingProcessQuery,
  SetDesiredCapacityType,
  TerminateInstanceInAutoScalingGroupType,
  UpdateAutoScalingGroupType,
} from '@aws-sdk/client-auto-scaling';
import { takePage } from '../../paging.ts';
import {
  autoScalingBadToken,
  autoScalingGroupInUse,
  noSuchAutoScalingGroup,
  noSuchInstance,
  autoScalingValidationError,
} from '../errors.ts';
import type { AutoScalingGroupRecord } from '../group/group.ts';
import { activityOnTheWire, writeAutoScalingGroup, writeGroupInstance } from '../wire/group.ts';
import type { AutoScalingService } from '../model.ts';
import { hookOf } from './new-hook.ts';
import { withOwnConfiguration } from './launch-configuration-operations.ts';
import { scalingProcesses } from './scaling-processes.ts';
import { launchConfigurationOf, readNewAutoScalingGroup, placesOf } from './new-group.ts';

export function createAutoScalingGroup(
  { autoScaling, ec2, queues }: AutoScalingService,
  request: CreateAutoScalingGroupType,
): object {
  const asked = request.LifecycleHookSpecificationList ?? [];
  const hooks = asked.map((each) => hookOf(each, undefined, queues));
  const sources = { ec2, configurations: autoScaling.configurations };
  const settings = readNewAutoScalingGroup(withOwnConfiguration(request, sources), sources);
  const { name } = autoScaling.create({ ...settings, hooks });
  for (const { NotificationTargetARN: target } of asked) if (target) autoScaling.test(name, target);
  return {};
}

export function updateGroup({ autoScaling, ec2 }: AutoScalingService, request: UpdateAutoScalingGroupType): object {
  const { MinSize: min, MaxSize: max, DesiredCapacity: desired } = request;
  const places = request.VPCZoneIdentifier !== undefined || request.AvailabilityZones !== undefined;
  const { LaunchConfigurationName, LaunchTemplate, MixedInstancesPolicy } = request;
  const isMoved = [LaunchConfigurationName, LaunchTemplate, MixedInstancesPolicy].some((each) => each !== undefined);
  // Auto Scaling forgets the name in this refusal.
  if (autoScaling.find(request.AutoScalingGroupName ?? '') === undefined) throw noSuchAutoScalingGroup('null');
  autoScaling.change(request.AutoScalingGroupName ?? '', {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(desired !== undefined && { desired }),
    ...(places && placesOf(request, ec2)),
    ...(isMoved && launchConfigurationOf(request, { ec2, configurations: autoScaling.configurations })),
    ...(request.DefaultCooldown !== undefined && { cooldownSeconds: request.DefaultCooldown }),
    ...(request.HealthCheckGracePeriod !== undefined && { healthCheckGraceSeconds: request.HealthCheckGracePeriod }),
    ...(request.CapacityRebalance !== undefined && { capacityRebalance: request.CapacityRebalance }),
    ...(request.TerminationPolicies !== undefined && { terminationPolicies: request.TerminationPolicies }),
    ...(request.NewInstancesProtectedFromScaleIn !== undefined && {
      protectNew: request.NewInstancesProtectedFromScaleIn,
    }),
  });
  return {};
}

export function deleteGroup({ autoScaling }: AutoScalingService, request: DeleteAutoScalingGroupType): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (group.instances.length > 0 && request.ForceDelete !== true) throw autoScalingGroupInUse(group.name);
  autoScaling.remove(group.name, { force: request.ForceDelete === true });
  return {};
}

export function describeGroups(
  { autoScaling }: AutoScalingService,
  request: AutoScalingGroupNamesType,
): AutoScalingGroupsType {
  const names = request.AutoScalingGroupNames ?? [];
  const found = autoScaling
    .all()
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter((group) => (request.Filters ?? []).every((filter) => passesGroupFilter(filter, group)));
  const { items, next } = takePage(found, {
    size: request.MaxRecords ?? 50,
    token: request.NextToken,
    refuse: autoScalingBadToken,
  });
  const AutoScalingGroups = items.map((group) => writeAutoScalingGroup(group, request.IncludeInstances ?? true));
  return { AutoScalingGroups, ...(next && { NextToken: next }) };
}

function passesGroupFilter(
  { Name: name = '', Values: values = [] }: Filter,
  { tags }: AutoScalingGroupRecord,
): boolean {
  if (name === 'tag-key') return tags.some(({ key }) => values.includes(key));
  if (name === 'tag-value') return tags.some(({ value }) => values.includes(value));
  const key = /^tag:(.+)$/.exec(name)?.[1];
  if (key === undefined) throw autoScalingValidationError(`Invalid filter name: ${name}`);
  return tags.some((tag) => tag.key === key && values.includes(tag.value));
}

export function describeAutoScalingInstances(
  { autoScaling }: AutoScalingService,
  request: DescribeAutoScalingInstancesType,
): AutoScalingInstancesType {
  const ids = request.InstanceIds ?? [];
  const found = autoScaling
    .all()
    .flatMap((group) => group.instances.map((instance) => ({ group, instance })))
    .filter(({ instance }) => ids.length === 0 || ids.includes(instance.id));
  const { items, next } = takePage(found, {
    size: request.MaxRecords ?? 50,
    token: request.NextToken,
    refuse: autoScalingBadToken,
  });
  const AutoScalingInstances = items.map(({ group, instance }) => {
    const { HealthStatus, ...rest } = writeGroupInstance(instance);
    return { ...rest, HealthStatus: HealthStatus?.toUpperCase(), AutoScalingGroupName: group.name };
  });
  return { AutoScalingInstances, ...(next && { NextToken: next }) };
}

export function describeActivities(
  { autoScaling }: AutoScalingService,
  request: DescribeScalingActivitiesType,
): ActivitiesType {
  const name = request.AutoScalingGroupName;
  const groups = name === undefined ? autoScaling.all() : [autoScaling.group(name)];
  const all = groups.flatMap((group) => group.activities.map((activity) => ({ group, activity })));
  const asked = all.filter(({ activity }) => request.ActivityIds?.includes(activity.id) ?? true);
  const { items, next } = takePage(asked, {
    size: request.MaxRecords ?? 100,
    token: request.NextToken,
    refuse: autoScalingBadToken,
  });
  return {
    Activities: items.map(({ group, activity }) => activityOnTheWire(group, activity)),
    ...(next && { NextToken: next }),
  };
}

export function setDesiredCapacity({ autoScaling }: AutoScalingService, request: SetDesiredCapacityType): object {
  const desired = request.DesiredCapacity ?? 0;
  const { name, min, max } = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (desired > max)
    throw autoScalingValidationError(
      `New SetDesiredCapacity value ${desired} is above max value ${max} for the AutoScalingGroup.`,
    );
  if (desired < min)
    throw autoScalingValidationError(
      `New SetDesiredCapacity value ${desired} is below min value ${min} for the AutoScalingGroup.`,
    );
  autoScaling.change(name, { desired });
  return {};
}

const mostGroupsOnPage = 100;

/** One instance wherever it is, or several of one group. */
export function terminateInstance(
  service: AutoScalingService,
  request: TerminateInstanceInAutoScalingGroupType,
): ActivityType {
  const { InstanceId: id, InstanceIds, AutoScalingGroupName: name } = request;
  if ((id === undefined) === (InstanceIds === undefined))
    throw autoScalingValidationError('InstanceId or InstanceIds is needed: exactly one of them.');
  const decrement = request.ShouldDecrementDesiredCapacity ?? false;
  if (id !== undefined) return { Activity: terminateGroupInstance(service, id, decrement) };
  const ids = InstanceIds ?? [];
  const group = service.autoScaling.group(name ?? '');
  if (ids.length < 1 || ids.length > mostGroupsOnPage)
    throw autoScalingValidationError(
      `InstanceIds has ${ids.length} entries, from 1 to ${mostGroupsOnPage} are allowed.`,
    );
  const stranger = ids.find((each) => !group.instances.some((instance) => instance.id === each));
  if (stranger !== undefined) throw noSuchInstance(stranger);
  if (decrement && group.desired - ids.length < group.min)
    throw autoScalingValidationError(
      `Terminating ${ids.length} instances without replacement would violate min size ${group.min}.`,
    );
  return { Activities: ids.map((each) => terminateGroupInstance(service, each, decrement)) };
}

function terminateGroupInstance(
  { autoScaling, clock, newId }: AutoScalingService,
  id: string,
  decrement: boolean,
): WireActivity {
  const { group } = autoScaling.holding(id);
  autoScaling.terminate(id, decrement);
  const capacity = decrement
    ? `shrinking the capacity from ${group.desired} to ${group.desired - 1}`
    : 'and is to be replaced';
  const activity = {
    id: newId(),
    description: `Terminating EC2 instance: ${id}`,
    cause: `At ${new Date(clock.now()).toISOString()} instance ${id} was taken out of service in response to a user request, ${capacity}.`,
    startedAt: clock.now(),
    status: 'InProgress' as const,
  };
  return activityOnTheWire(group, activity);
}

export function suspendProcesses({ autoScaling }: AutoScalingService, request: ScalingProcessQuery): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  autoScaling.change(group.name, {
    suspended: [...new Set([...group.suspended, ...askedProcesses(request)])].toSorted(),
  });
  return {};
}

export function resumeProcesses({ autoScaling }: AutoScalingService, request: ScalingProcessQuery): object {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const asked = askedProcesses(request);
  autoScaling.change(group.name, { suspended: group.suspended.filter((process) => !asked.includes(process)) });
  return {};
}

/** None given means all. */
function askedProcesses({ ScalingProcesses: asked = [] }: ScalingProcessQuery): readonly string[] {
  const unknown = asked.find((process) => !scalingProcesses.includes(process));
  if (unknown !== undefined) throw autoScalingValidationError(`Invalid process name: ${unknown}`);
  return asked.length === 0 ? scalingProcesses : asked;
}
