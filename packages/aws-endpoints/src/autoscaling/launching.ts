import { AwsError } from '../codec/aws-error.ts';
import { admitLaunch } from '../ec2/admit-launch.ts';
import type { Ec2Instance } from '../ec2/instance.ts';
import { launchSettings, withOverride } from '../ec2/launch-settings.ts';
import type { Ec2 } from '../ec2/model.ts';
import type { AutoScalingGroupRecord } from './group/group.ts';
import type { GroupLaunchTemplate } from './group/launch-configuration.ts';

/** An instance that EC2 granted, or why it granted none in the zone. */
export type LaunchResult =
  | { readonly instance: Ec2Instance; readonly template: GroupLaunchTemplate }
  | { readonly refusal: AwsError };

/** Tries the group's types in their order, in one zone. */
export function launchIn(zone: string, group: AutoScalingGroupRecord, ec2: Ec2, { isCold = false } = {}): LaunchResult {
  const types = group.instanceTypes.length === 0 ? [undefined] : group.instanceTypes;
  let refusal = new AwsError('InvalidParameterValue', `No subnet of the group is in ${zone}.`);
  for (const SubnetId of subnetsIn(zone, group, ec2)) {
    for (const InstanceType of types) {
      try {
        return launchAt({ SubnetId, InstanceType, isCold }, group, ec2);
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

function launchAt({ isCold, ...place }: GroupLaunchPlace, group: AutoScalingGroupRecord, ec2: Ec2): LaunchResult {
  const { capacityType } = group;
  const { number, data } = ec2.templates.version({
    LaunchTemplateId: group.template.id,
    Version: group.template.version,
  });
  const override = {
    SubnetId: place.SubnetId,
    ...(place.InstanceType !== undefined && { InstanceType: place.InstanceType as 'm5.large' }),
  };
  const settings = launchSettings(withOverride(data, override), { capacityType }, ec2.surroundings());
  admitLaunch(settings, ec2);
  const template = { ...group.template, version: String(number) };
  const instance = ec2.instances.launch(
    { ...settings, instanceTags: { ...settings.instanceTags, ...tagsAtLaunch(group), ...originTags(group, template) } },
    { reservationId: `r-0${ec2.random.hex(16)}`, ...(isCold && { isCold }) },
  );
  return { instance, template };
}

const tagsAtLaunch = ({ tags }: AutoScalingGroupRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.filter(({ atLaunch }) => atLaunch).map(({ key, value }) => [key, value]));

const originTags = (
  { name }: AutoScalingGroupRecord,
  { id, version }: GroupLaunchTemplate,
): Readonly<Record<string, string>> => ({
  'aws:autoscaling:groupName': name,
  'aws:ec2launchtemplate:id': id,
  'aws:ec2launchtemplate:version': version,
});
