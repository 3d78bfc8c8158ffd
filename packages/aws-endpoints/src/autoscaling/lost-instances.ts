import type { Ec2 } from '../ec2/model.ts';
import type { Ec2Instance } from '../ec2/instance.ts';
import type { AutoScalingGroupRecord, GroupInstance } from './group/group.ts';

/** The group with the instances that EC2 granted it just before a restart, and that it had not written down yet. */
export function withLost(group: AutoScalingGroupRecord, ec2: Ec2): AutoScalingGroupRecord {
  const { instances, warm = [] } = group;
  const known = new Set([...instances, ...warm].map(({ id }) => id));
  const lost = ec2.instances.all().filter((instance) => isLost(instance, group, ec2) && !known.has(instance.id));
  if (lost.length === 0) return group;
  const cold = lost.filter(({ isCold }) => isCold === true).map((each) => adoptInstance(each, group, 'Warmed:Pending'));
  const others = lost.filter(({ isCold }) => isCold !== true).map((each) => adoptInstance(each, group, 'Pending'));
  return { ...group, instances: [...instances, ...others], ...(cold.length > 0 && { warm: [...warm, ...cold] }) };
}

/** Auto Scaling tags the instances of a group with its name, and takes the tag from one that is detached. */
export const groupNameTag = 'aws:autoscaling:groupName';

const isLost = ({ id, state }: Ec2Instance, { name }: AutoScalingGroupRecord, { tags }: Ec2): boolean =>
  (state === 'pending' || state === 'running') && tags.of(id)[groupNameTag] === name;

/** Makes a running instance an instance of the group. */
export const adoptInstance = (
  { id, zone, launchedAt, settings }: Ec2Instance,
  group: AutoScalingGroupRecord,
  lifecycle: GroupInstance['lifecycle'],
): GroupInstance => ({
  id,
  zone,
  launchedAt,
  instanceType: settings.instanceType,
  lifecycle,
  healthy: true,
  protected: group.protectNew,
  template: {
    ...group.template,
    id: settings.instanceTags['aws:ec2launchtemplate:id'] ?? group.template.id,
    version: settings.instanceTags['aws:ec2launchtemplate:version'] ?? '',
  },
  activityId: '',
});
