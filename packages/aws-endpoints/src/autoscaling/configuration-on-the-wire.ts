import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import type { LaunchConfiguration, TemplateReference } from './launch-configuration.ts';

export const reference = ({ id, name, version }: TemplateReference) => ({
  LaunchTemplateId: id,
  LaunchTemplateName: name,
  Version: version,
});

/** One with several types names its template inside the policy, and only there. */
export const configurationOnTheWire = (
  configuration: LaunchConfiguration,
): Pick<AutoScalingGroup, 'LaunchTemplate' | 'MixedInstancesPolicy'> =>
  configuration.mixed
    ? {
        MixedInstancesPolicy: {
          LaunchTemplate: {
            LaunchTemplateSpecification: reference(configuration.template),
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
    : { LaunchTemplate: reference(configuration.template) };
