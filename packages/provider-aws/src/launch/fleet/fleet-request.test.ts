import type { CapacityType, InstanceType } from '@nodewright/engine';
import { describe, expect, test } from 'vitest';
import { requirementsFrom } from '../../market/types/label-requirements.ts';
import { fleetRequest } from './fleet-request.ts';
import type { LaunchOption } from '../options/launch-option.ts';

const reservation = { id: 'cr-1', remaining: 3 };

const anOption = (
  name: string,
  capacityType: CapacityType,
  dollars: number,
  reservationType?: string,
): LaunchOption => {
  const offering = {
    zone: 'us-east-1a',
    capacityType,
    priceMicroUsdPerHour: dollars * 1e6,
    available: true,
    requirements: requirementsFrom(
      reservationType === undefined ? [] : [['karpenter.k8s.aws/capacity-reservation-type', [reservationType]]],
    ),
    ...(reservationType === undefined ? {} : { reservation }),
  };
  const type: InstanceType = {
    name,
    requirements: requirementsFrom([]),
    offerings: [offering],
    capacity: {},
    allocatable: {},
  };
  return { type, offering, image: { id: 'ami-1', requirements: [] } };
};

const requested = (capacityType: CapacityType, inOrder: boolean, reservationType?: string) =>
  fleetRequest({
    choice: {
      capacityType,
      options: [
        anOption('m5.large', capacityType, 0.096, reservationType),
        anOption('c5.large', capacityType, 0.085, reservationType),
      ],
    },
    subnets: new Map([['us-east-1a', { id: 'subnet-a', zone: 'us-east-1a', zoneId: 'use1-az1', freeAddresses: 9 }]]),
    templateOf: () => 'template',
    tags: {},
    clientToken: 'token',
    inOrder,
  });

describe('one instance is asked for', () => {
  test.each([
    { capacityType: 'on-demand', inOrder: false, OnDemandOptions: { AllocationStrategy: 'lowest-price' } },
    { capacityType: 'on-demand', inOrder: true, OnDemandOptions: { AllocationStrategy: 'prioritized' } },
    { capacityType: 'spot', inOrder: false, SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } },
    { capacityType: 'spot', inOrder: true, SpotOptions: { AllocationStrategy: 'capacity-optimized-prioritized' } },
    {
      capacityType: 'reserved',
      reservationType: 'default',
      inOrder: true,
      OnDemandOptions: { AllocationStrategy: 'prioritized' },
    },
    { capacityType: 'reserved', reservationType: 'capacity-block', inOrder: true },
  ] as const)('$capacityType, in order: $inOrder', ({ capacityType, inOrder, ...expected }) => {
    const reservationType = 'reservationType' in expected ? expected.reservationType : undefined;
    const { SpotOptions, OnDemandOptions } = requested(capacityType, inOrder, reservationType) ?? {};
    expect(OnDemandOptions).toEqual('OnDemandOptions' in expected ? expected.OnDemandOptions : undefined);
    expect(SpotOptions).toEqual('SpotOptions' in expected ? expected.SpotOptions : undefined);
  });

  test('with prices as priorities when they are ours, and without when they are those of EC2', () => {
    const prioritiesOf = (inOrder: boolean) =>
      requested('on-demand', inOrder)?.LaunchTemplateConfigs?.[0]?.Overrides?.map(({ Priority }) => Priority);
    expect(prioritiesOf(true)).toEqual([0.096, 0.085]);
    expect(prioritiesOf(false)).toEqual([undefined, undefined]);
  });
});
