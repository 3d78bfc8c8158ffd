import type { Ec2 } from '../ec2/model.ts';
import type { Instance } from '../ec2/instance.ts';
import type { Group, GroupInstance } from './group.ts';

/** The group with the instances that EC2 granted it just before a restart, and that it had not written down yet. */
export function withLost(group: Group, ec2: Ec2): Group {
  const known = new Set(group.instances.map(({ id }) => id));
  const lost = ec2.instances.all().filter((instance) => isLost(instance, group) && !known.has(instance.id));
  return lost.length === 0
    ? group
    : { ...group, instances: [...group.instances, ...lost.map((each) => taken(each, group))] };
}

const isLost = ({ state, settings }: Instance, { name }: Group): boolean =>
  (state === 'pending' || state === 'running') && settings.instanceTags['aws:autoscaling:groupName'] === name;

const taken = ({ id, zone, launchedAt, settings }: Instance, group: Group): GroupInstance => ({
  id,
  zone,
  launchedAt,
  instanceType: settings.instanceType,
  lifecycle: 'Pending',
  healthy: true,
  protected: group.protectNew,
  template: { ...group.template, version: settings.instanceTags['aws:ec2launchtemplate:version'] ?? '' },
  activityId: '',
});
