import type {
  EnterStandbyAnswer,
  EnterStandbyQuery,
  ExitStandbyAnswer,
  ExitStandbyQuery,
  SetInstanceHealthQuery,
  SetInstanceProtectionAnswer,
  SetInstanceProtectionQuery,
} from '@aws-sdk/client-auto-scaling';
import { autoScalingValidationError } from '../errors.ts';
import { type Activity, type AutoScalingGroupRecord, type GroupInstance, isStandby } from '../group/group.ts';
import { activityOnTheWire } from '../wire/group.ts';
import type { AutoScalingService } from '../model.ts';

/** Out of service, but not ended; the group shrinks by it, or launches another one. */
export function enterStandby(service: AutoScalingService, request: EnterStandbyQuery): EnterStandbyAnswer {
  const group = service.autoScaling.group(request.AutoScalingGroupName ?? '');
  const chosen = findGroupInstances(group, request.InstanceIds);
  const unfit = chosen.find(({ lifecycle }) => lifecycle !== 'InService');
  if (unfit !== undefined) throw notInState(unfit, 'InService');
  const desired = request.ShouldDecrementDesiredCapacity === true ? group.desired - chosen.length : group.desired;
  if (desired < group.min)
    throw autoScalingValidationError(
      `AutoScalingGroup ${group.name} has min-size=${group.min}, and cannot get desired-size=${desired}.`,
    );
  const activities = chosen.map(({ id }) => describeMovement(service, `Moving EC2 instance to Standby: ${id}`));
  keep(service, group, { chosen, change: { lifecycle: 'Standby' }, desired, activities });
  return { Activities: activities.map((activity) => activityOnTheWire(group, activity)) };
}

/** Back into service; the group grows by it. */
export function exitStandby(service: AutoScalingService, request: ExitStandbyQuery): ExitStandbyAnswer {
  const group = service.autoScaling.group(request.AutoScalingGroupName ?? '');
  const chosen = findGroupInstances(group, request.InstanceIds);
  const unfit = chosen.find((instance) => !isStandby(instance));
  if (unfit !== undefined) throw notInState(unfit, 'Standby');
  const desired = group.desired + chosen.length;
  if (desired > group.max)
    throw autoScalingValidationError(
      `AutoScalingGroup ${group.name} has max-size=${group.max}, and cannot get desired-size=${desired}.`,
    );
  const activities = chosen.map(({ id }) => describeMovement(service, `Moving EC2 instance out of Standby: ${id}`));
  keep(service, group, { chosen, change: { lifecycle: 'InService' }, desired, activities });
  return { Activities: activities.map((activity) => activityOnTheWire(group, activity)) };
}

export function setProtection(
  service: AutoScalingService,
  request: SetInstanceProtectionQuery,
): SetInstanceProtectionAnswer {
  const group = service.autoScaling.group(request.AutoScalingGroupName ?? '');
  const chosen = findGroupInstances(group, request.InstanceIds);
  const change = { protected: request.ProtectedFromScaleIn ?? false };
  keep(service, group, { chosen, change, desired: group.desired, activities: [] });
  return {};
}

/** An unhealthy instance is replaced, unless the group's process for it is suspended. */
export function setHealth({ autoScaling }: AutoScalingService, request: SetInstanceHealthQuery): object {
  const { InstanceId: id = '', HealthStatus: status = '' } = request;
  if (status !== 'Healthy' && status !== 'Unhealthy')
    throw autoScalingValidationError(`The health status ${status} is invalid. Valid values are: Healthy, Unhealthy.`);
  const { group } = autoScaling.holding(id);
  const healthy = status === 'Healthy';
  autoScaling.change(group.name, {
    instances: group.instances.map((each) => (each.id === id ? { ...each, healthy } : each)),
  });
  if (!healthy && !group.suspended.includes('ReplaceUnhealthy')) autoScaling.terminate(id, false);
  return {};
}

export function findGroupInstances(
  group: AutoScalingGroupRecord,
  ids: readonly string[] = [],
): readonly GroupInstance[] {
  return ids.map((id) => {
    const instance = group.instances.find((each) => each.id === id);
    if (instance === undefined)
      throw autoScalingValidationError(`The instance ${id} is not part of Auto Scaling group ${group.name}.`);
    return instance;
  });
}

const notInState = ({ id, lifecycle }: GroupInstance, wanted: string) =>
  autoScalingValidationError(`The instance ${id} is not in ${wanted}. It is in ${lifecycle}.`);

/** The activity of an instance that has moved. */
export function describeMovement({ clock, newId }: AutoScalingService, description: string): Activity {
  const at = clock.now();
  const cause = `At ${new Date(at).toISOString()} an instance was moved in response to a user request.`;
  return { id: newId(), description, cause, startedAt: at, endedAt: at, status: 'Successful' };
}

type StandbyChange = {
  readonly chosen: readonly GroupInstance[];
  readonly change: Partial<GroupInstance>;
  readonly desired: number;
  readonly activities: readonly Activity[];
};

function keep(
  { autoScaling }: AutoScalingService,
  group: AutoScalingGroupRecord,
  { chosen, change, desired, activities }: StandbyChange,
): void {
  autoScaling.change(group.name, {
    desired,
    instances: group.instances.map((each) => (chosen.includes(each) ? { ...each, ...change } : each)),
    activities: [...activities, ...group.activities],
  });
}
