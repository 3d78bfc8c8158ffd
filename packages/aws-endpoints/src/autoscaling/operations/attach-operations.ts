import type { AttachInstancesQuery, DetachInstancesAnswer, DetachInstancesQuery } from '@aws-sdk/client-auto-scaling';
import type { Ec2Instance } from '../../ec2/instance.ts';
import { autoScalingValidationError } from '../errors.ts';
import type { Activity, AutoScalingGroupRecord } from '../group/group.ts';
import { groupNameTag, adoptInstance } from '../lost-instances.ts';
import type { AutoScalingService } from '../model.ts';
import { activityOnTheWire } from '../wire/group.ts';
import { describeMovement, findGroupInstances } from './standby-operations.ts';

/** Running instances become instances of the group, which grows by them. */
export function attachInstances(service: AutoScalingService, request: AttachInstancesQuery): object {
  const { autoScaling, ec2, clock, newId } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const instances = (request.InstanceIds ?? []).map((id) => findAttachable(service, group, id));
  const desired = group.desired + instances.length;
  if (desired > group.max)
    throw autoScalingValidationError(
      `Trying to add ${instances.length} instances to AutoScalingGroup ${group.name} would exceed its max-size=${group.max}.`,
    );
  const taken = instances.map((instance) => {
    const activity: Activity = {
      id: newId(),
      description: `Attaching an existing EC2 instance: ${instance.id}`,
      cause: `At ${new Date(clock.now()).toISOString()} an instance was attached in response to a user request.`,
      startedAt: clock.now(),
      status: 'InProgress',
    };
    return { activity, member: { ...adoptInstance(instance, group, 'Pending'), activityId: activity.id } };
  });
  for (const { id } of instances) ec2.tags.add(id, { [groupNameTag]: group.name });
  autoScaling.change(group.name, {
    desired,
    instances: [...group.instances, ...taken.map(({ member }) => member)],
    activities: [...taken.map(({ activity }) => activity), ...group.activities],
  });
  autoScaling.converge(group.name);
  return {};
}

/** @throws AwsError for an instance that no group could take, or that one has */
function findAttachable(
  { autoScaling, ec2 }: AutoScalingService,
  group: AutoScalingGroupRecord,
  id: string,
): Ec2Instance {
  const instance = ec2.instances.get(id);
  if (instance === undefined || instance.state === 'terminated')
    throw autoScalingValidationError(`Invalid Instance ID(s): [${id}] specified`);
  if (instance.state !== 'running') throw autoScalingValidationError(`The instance ${id} is not in correct state.`);
  const owner = autoScaling
    .all()
    .find(({ instances, warm = [] }) => [...instances, ...warm].some((each) => each.id === id));
  if (owner !== undefined)
    throw autoScalingValidationError(
      `The instance ${id} is already part of AutoScalingGroup:${owner.name}, so cannot be attached.`,
    );
  if (!group.zones.includes(instance.zone))
    throw autoScalingValidationError(
      `Instance ${id} is in ${instance.zone}, which is none of the availability zones of AutoScalingGroup ${group.name}.`,
    );
  return instance;
}

/** The instances run on without the group, which shrinks by them, or launches others. */
export function detachInstances(service: AutoScalingService, request: DetachInstancesQuery): DetachInstancesAnswer {
  const { autoScaling, ec2 } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const leaving = findGroupInstances(group, request.InstanceIds);
  const desired = request.ShouldDecrementDesiredCapacity === true ? group.desired - leaving.length : group.desired;
  if (desired < group.min)
    throw autoScalingValidationError(
      `AutoScalingGroup ${group.name} has min-size=${group.min}, and cannot get desired-size=${desired}.`,
    );
  const activities = leaving.map(({ id }) => describeMovement(service, `Detaching EC2 instance: ${id}`));
  for (const { id } of leaving) ec2.tags.remove(id, [groupNameTag]);
  autoScaling.change(group.name, {
    desired,
    instances: group.instances.filter((each) => !leaving.includes(each)),
    activities: [...activities, ...group.activities],
  });
  return { Activities: activities.map((activity) => activityOnTheWire(group, activity)) };
}
