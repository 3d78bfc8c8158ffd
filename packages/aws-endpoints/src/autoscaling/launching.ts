import { AwsError } from '../codec/aws-error.ts';
import { admitLaunch } from '../ec2/admit-launch.ts';
import type { Ec2Instance } from '../ec2/instance.ts';
import { launchSettings, withOverride } from '../ec2/launch-settings.ts';
import type { Ec2 } from '../ec2/model.ts';
import type { AutoScalingDeps } from './deps.ts';
import type { AutoScalingGroupRecord } from './group/group.ts';
import { groupNameTag } from './lost-instances.ts';
import { type GroupLaunchTemplate, isLaunchConfiguration } from './group/launch-configuration.ts';

/** An instance that EC2 granted, or why it granted none in the zone. */
export type LaunchResult =
  | { readonly instance: Ec2Instance; readonly template: GroupLaunchTemplate }
  | { readonly refusal: AwsError };

type LaunchDeps = Pick<AutoScalingDeps, 'ec2' | 'configurations'>;

/** Tries the group's types in their order, in one zone. */
export function launchIn(
  zone: string,
  group: AutoScalingGroupRecord,
  deps: LaunchDeps,
  { isCold = false } = {},
): LaunchResult {
  const types = group.instanceTypes.length === 0 ? [undefined] : group.instanceTypes;
  let refusal = new AwsError('InvalidParameterValue', `No subnet of the group is in ${zone}.`);
  for (const SubnetId of subnetsIn(zone, group, deps.ec2)) {
    for (const InstanceType of types) {
      try {
        return launchAt({ SubnetId, InstanceType, isCold }, group, deps);
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        refusal = error;
      }
    }
  }
  return { refusal };
}

const subnetsIn = (zone: string, { subnetIds }: AutoScalingGroupRecord, { network }: Ec2): readonly string[] =>
  subnetIds.filter((id) => network.subnets.some((subnet) => subnet.id === id && subnet.zone === zone));

type GroupLaunchPlace = {
  readonly SubnetId: string;
  readonly InstanceType: string | undefined;
  readonly isCold: boolean;
};

function launchAt(
  { isCold, ...place }: GroupLaunchPlace,
  group: AutoScalingGroupRecord,
  deps: LaunchDeps,
): LaunchResult {
  const { ec2 } = deps;
  const { capacityType } = group;
  const { template, data } = readLaunchSource(group, deps);
  const override = {
    SubnetId: place.SubnetId,
    ...(place.InstanceType !== undefined && { InstanceType: place.InstanceType as 'm5.large' }),
  };
  const settings = launchSettings(withOverride(data, override), { capacityType }, ec2.surroundings());
  admitLaunch(settings, ec2);
  const instance = ec2.instances.launch(
    { ...settings, instanceTags: { ...settings.instanceTags, ...tagsAtLaunch(group), ...originTags(group, template) } },
    { reservationId: `r-0${ec2.random.hex(16)}`, ...(isCold && { isCold }) },
  );
  return { instance, template };
}

/** What the group launches now: the data of its launch configuration, or of the version that its template has. */
function readLaunchSource({ template }: AutoScalingGroupRecord, { ec2, configurations }: LaunchDeps) {
  if (isLaunchConfiguration(template)) return { template, data: configurations.named(template.name).data };
  const { number, data } = ec2.templates.version({ LaunchTemplateId: template.id, Version: template.version });
  const { id, name } = template;
  return { template: { id, name, version: String(number) }, data };
}

const tagsAtLaunch = ({ tags }: AutoScalingGroupRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.filter(({ atLaunch }) => atLaunch).map(({ key, value }) => [key, value]));

const originTags = (
  { name }: AutoScalingGroupRecord,
  template: GroupLaunchTemplate,
): Readonly<Record<string, string>> => ({
  [groupNameTag]: name,
  ...(!isLaunchConfiguration(template) && {
    'aws:ec2launchtemplate:id': template.id,
    'aws:ec2launchtemplate:version': template.version,
  }),
});
