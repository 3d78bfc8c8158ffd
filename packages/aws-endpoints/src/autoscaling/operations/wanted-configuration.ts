import type { DesiredConfiguration } from '@aws-sdk/client-auto-scaling';
import { isImageReference } from '../../ec2/image-reference.ts';
import type { Ec2 } from '../../ec2/model.ts';
import { autoScalingValidationError } from '../errors.ts';
import type { AutoScalingGroupRecord, GroupInstance } from '../group/group.ts';
import { isLaunchConfiguration, type LaunchConfiguration } from '../group/launch-configuration.ts';
import { launchConfigurationOf, type GroupLaunchSources } from './new-group.ts';

/** What a refresh is to move a group to. @throws AwsError when it is not one configuration, or names what is not there */
export function wantedOf(asked: DesiredConfiguration, sources: GroupLaunchSources): LaunchConfiguration {
  if ((asked.LaunchTemplate === undefined) === (asked.MixedInstancesPolicy === undefined))
    throw autoScalingValidationError(
      'DesiredConfiguration takes a LaunchTemplate or a MixedInstancesPolicy: exactly one of them.',
    );
  return launchConfigurationOf(asked, sources);
}

/** Why a refresh cannot go back to what the group launches; nothing when it can. */
export function whyIrreversible(
  { template }: AutoScalingGroupRecord,
  wanted: LaunchConfiguration | undefined,
  ec2: Ec2,
): string | undefined {
  if (wanted === undefined) return 'the instance refresh has no desired configuration';
  if (isLaunchConfiguration(template)) return undefined;
  if (template.version.startsWith('$'))
    return `the group uses version ${template.version} of launch template ${template.id}, not one by its number`;
  const { data } = ec2.templates.version({ LaunchTemplateId: template.id, Version: template.version });
  if (data.ImageId === undefined || !isImageReference(data.ImageId)) return undefined;
  return `launch template ${template.id} names its image by a parameter`;
}

/** Whether an instance is what the configuration launches. */
export function hasConfiguration(
  instance: GroupInstance,
  { template, instanceTypes }: LaunchConfiguration,
  ec2: Ec2,
): boolean {
  if (isLaunchConfiguration(template))
    return isLaunchConfiguration(instance.template) && instance.template.name === template.name;
  const { id, version } = template;
  const number = String(ec2.templates.version({ LaunchTemplateId: id, Version: version }).number);
  const isOfType = instanceTypes.length === 0 || instanceTypes.includes(instance.instanceType);
  return instance.template.id === id && instance.template.version === number && isOfType;
}
