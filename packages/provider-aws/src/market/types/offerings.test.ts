import { fromTimestamp } from '@nodewright/apis';
import type { FoundReservation } from '@nodewright/ports';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { UnavailableOfferings } from '../unavailable-offerings.ts';
import { sharedRequirements } from './label-requirements.ts';
import { offeringsOf } from './offerings.ts';

const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));
const preview = {
  name: 'p9.48xlarge',
  zones: ['us-east-1a', 'us-east-1b'],
  info: { SupportedUsageClasses: ['on-demand' as const] },
};
const nodeClass = {
  metadata: { name: 'default' },
  spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  status: { subnets: [{ id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' }] },
};

const offered = (price: number | undefined, unavailable = new UnavailableOfferings(time.clock)) =>
  offeringsOf(preview, {
    nodeClass,
    prices: { onDemand: () => price, spot: () => undefined },
    unavailable,
    incompatibility: undefined,
    reservations: [],
    requirementsOf: sharedRequirements(),
    remainingIn: () => 0,
  }).map((offering) => ({ available: offering.available, unpriced: offering.unpriced }));

test('a type without a price cannot be bought, and says that it is for want of one alone where it is', () => {
  expect(offered(undefined)).toEqual([
    { available: false, unpriced: true },
    { available: false, unpriced: undefined },
  ]);
  expect(offered(1)[0]).toEqual({ available: true, unpriced: undefined });
});

test('a type that EC2 is out of lacks more than a price', () => {
  const unavailable = new UnavailableOfferings(time.clock);
  unavailable.mark({ instanceType: preview.name, zone: 'us-east-1a', capacityType: 'on-demand' });
  expect(offered(undefined, unavailable)[0]).toEqual({ available: false, unpriced: undefined });
});

const reservation = (traits: Partial<FoundReservation>): FoundReservation => ({
  id: 'cr-1',
  instanceType: preview.name,
  zone: 'us-east-1a',
  ownerId: '1',
  matchCriteria: 'targeted',
  type: 'default',
  interruptible: false,
  state: 'active',
  ...traits,
});

test.each([
  { fact: 'has room', traits: {}, remaining: 1, cause: undefined },
  { fact: 'is used up', traits: {}, remaining: 0, cause: 'capacity reservation cr-1 is used up' },
  {
    fact: 'ends',
    traits: { state: 'expiring' as const },
    remaining: 1,
    cause: 'capacity reservation cr-1 is about to end',
  },
  {
    fact: 'is where the class has no subnet',
    traits: { zone: 'us-east-1b' },
    remaining: 1,
    cause: 'no subnet of EC2NodeClass default',
  },
])('a reservation that $fact says so', ({ traits, remaining, cause }) => {
  const offerings = offeringsOf(preview, {
    nodeClass,
    prices: { onDemand: () => 1, spot: () => undefined },
    unavailable: new UnavailableOfferings(time.clock),
    incompatibility: undefined,
    reservations: [reservation(traits)],
    requirementsOf: sharedRequirements(),
    remainingIn: () => remaining,
  });
  const reserved = offerings.find(({ capacityType }) => capacityType === 'reserved');
  expect([reserved?.available, reserved?.shortage?.cause]).toEqual([cause === undefined, cause]);
});

test('a zone without a subnet of the class says so', () => {
  const [, elsewhere] = offeringsOf(preview, {
    nodeClass,
    prices: { onDemand: () => 1, spot: () => undefined },
    unavailable: new UnavailableOfferings(time.clock),
    incompatibility: undefined,
    reservations: [],
    requirementsOf: sharedRequirements(),
    remainingIn: () => 0,
  });
  expect(elsewhere).toMatchObject({ zone: 'us-east-1b', available: false });
  expect(elsewhere?.shortage).toMatchObject({ cause: 'no subnet of EC2NodeClass default', ofZone: true });
});
