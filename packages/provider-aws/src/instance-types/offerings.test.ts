import { fromTimestamp } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { UnavailableOfferings } from '../instances/unavailable-offerings.ts';
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
