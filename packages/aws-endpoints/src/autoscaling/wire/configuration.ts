import type { AutoScalingGroup, InstancesDistribution } from '@aws-sdk/client-auto-scaling';
import {
  isLaunchConfiguration,
  type LaunchConfiguration,
  type GroupLaunchTemplate,
} from '../group/launch-configuration.ts';

/** Auto Scaling tells no version where none was named. */
export const writeTemplateReference = ({ id, name, version, isUnversioned }: GroupLaunchTemplate) => ({
  LaunchTemplateId: id,
  LaunchTemplateName: name,
  ...(isUnversioned !== true && { Version: version }),
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
            Overrides: [
              ...(configuration.policy?.overrides ??
                configuration.instanceTypes.map((InstanceType) => ({ InstanceType }))),
            ],
          },
          InstancesDistribution: writeDistribution(configuration),
        },
      }
    : writeLaunchSource(configuration.template);

/** What was sent, and Auto Scaling's own choice of the rest. */
function writeDistribution({ policy, capacityType, allocation }: LaunchConfiguration): InstancesDistribution {
  const strategy = allocation ?? 'lowest-price';
  return {
    OnDemandAllocationStrategy: 'prioritized',
    OnDemandBaseCapacity: 0,
    OnDemandPercentageAboveBaseCapacity: capacityType === 'spot' ? 0 : 100,
    SpotAllocationStrategy: strategy,
    ...(strategy === 'lowest-price' && { SpotInstancePools: 2 }),
    ...policy?.distribution,
  };
}
