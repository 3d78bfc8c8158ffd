import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import {
  isLaunchConfiguration,
  type LaunchConfiguration,
  type GroupLaunchTemplate,
} from '../group/launch-configuration.ts';

export const writeTemplateReference = ({ id, name, version }: GroupLaunchTemplate) => ({
  LaunchTemplateId: id,
  LaunchTemplateName: name,
  Version: version,
});

/** Writes what a group, or one instance of it, was launched from. */
export const writeLaunchSource = (
  template: GroupLaunchTemplate,
): Pick<AutoScalingGroup, 'LaunchConfigurationName' | 'LaunchTemplate'> =>
  isLaunchConfiguration(template)
    ? { LaunchConfigurationName: template.name }
    : { LaunchTemplate: writeTemplateReference(template) };

/** One with several types names its template inside the policy, and only there. */
export const configurationOnTheWire = (
  configuration: LaunchConfiguration,
): Pick<AutoScalingGroup, 'LaunchConfigurationName' | 'LaunchTemplate' | 'MixedInstancesPolicy'> =>
  configuration.mixed
    ? {
        MixedInstancesPolicy: {
          LaunchTemplate: {
            LaunchTemplateSpecification: writeTemplateReference(configuration.template),
            Overrides: configuration.instanceTypes.map((InstanceType) => ({ InstanceType })),
          },
          InstancesDistribution: {
            OnDemandAllocationStrategy: 'prioritized',
            OnDemandBaseCapacity: 0,
            OnDemandPercentageAboveBaseCapacity: configuration.capacityType === 'spot' ? 0 : 100,
            SpotAllocationStrategy: configuration.allocation ?? 'lowest-price',
          },
        },
      }
    : writeLaunchSource(configuration.template);
