import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { describe, expect, test } from 'vitest';
import { boughtBy, pointedAt, findTemplateReference, typesWithOwnTemplate } from './template-reference.ts';

const group = (different: Partial<AutoScalingGroup>): AutoScalingGroup => ({
  AutoScalingGroupName: 'workers',
  MinSize: 0,
  MaxSize: 1,
  DesiredCapacity: 1,
  DefaultCooldown: 300,
  AvailabilityZones: [],
  HealthCheckType: 'EC2',
  CreatedTime: new Date(0),
  ...different,
});
const both = { LaunchTemplateId: 'lt-1', LaunchTemplateName: 'workers', Version: '3' };
const mixed = group({
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: both,
      Overrides: [
        { InstanceType: 'm5.large', WeightedCapacity: '2' },
        { InstanceType: 'm6i.large', LaunchTemplateSpecification: both },
        {
          InstanceType: 'm6g.large',
          LaunchTemplateSpecification: { LaunchTemplateId: 'lt-arm', LaunchTemplateName: 'arm', Version: '$Latest' },
        },
      ],
    },
    InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 50, SpotAllocationStrategy: 'capacity-optimized' },
  },
});

describe('SMG-4: a group is pointed at a version where it has its template', () => {
  test('beside the policy, by the id that the service answers with the name', () => {
    expect(pointedAt(group({ LaunchTemplate: both }), '4')).toEqual({
      LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '4' },
    });
  });

  test('by name where no id is told', () => {
    const named = group({ LaunchTemplate: { LaunchTemplateName: 'workers' } });
    expect(findTemplateReference(named)).toEqual({ template: { LaunchTemplateName: 'workers' }, version: '$Default' });
    expect(pointedAt(named, '4')).toEqual({ LaunchTemplate: { LaunchTemplateName: 'workers', Version: '4' } });
  });

  test('in the policy, all of which is said again', () => {
    expect(pointedAt(mixed, '4')).toEqual({
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', Version: '4' },
          Overrides: [
            { InstanceType: 'm5.large', WeightedCapacity: '2' },
            { InstanceType: 'm6i.large', LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', Version: '4' } },
            {
              InstanceType: 'm6g.large',
              LaunchTemplateSpecification: { LaunchTemplateId: 'lt-arm', Version: '$Latest' },
            },
          ],
        },
        InstancesDistribution: {
          OnDemandPercentageAboveBaseCapacity: 50,
          SpotAllocationStrategy: 'capacity-optimized',
        },
      },
    });
  });

  test('nowhere, when it launches from a launch configuration', () => {
    expect(pointedAt(group({ LaunchConfigurationName: 'old' }), '4')).toBe(undefined);
  });
});

test('instance types with another template are told apart', () => {
  expect(typesWithOwnTemplate(mixed)).toEqual(['m6g.large']);
});

for (const { fact, policy, market, bought } of [
  { fact: 'its template', market: 'spot' as const, bought: { spot: 100 } },
  {
    fact: 'its policy',
    policy: { InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 30 } },
    market: 'onDemand' as const,
    bought: { onDemand: 30, spot: 70 },
  },
  { fact: 'a policy without shares', policy: {}, market: 'onDemand' as const, bought: { onDemand: 100 } },
  { fact: 'a template for a block of capacity', bought: {} },
]) {
  test(`SUP-11: ${fact} tells how more instances are bought`, () => {
    const seen = group(policy === undefined ? {} : { MixedInstancesPolicy: policy });
    expect(boughtBy(seen, market)).toEqual(bought);
  });
}
