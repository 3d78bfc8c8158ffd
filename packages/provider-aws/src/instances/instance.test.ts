import { describe, expect, test } from 'vitest';
import { toInstance } from './instance.ts';

const [own, primary, second] = ['sg-own', 'sg-primary', 'sg-second'].map((GroupId) => ({ GroupId })) as [
  { GroupId: string },
  { GroupId: string },
  { GroupId: string },
];
const interfaces = [
  { Attachment: { DeviceIndex: 1 }, Groups: [second] },
  { Attachment: { DeviceIndex: 0 }, Groups: [primary] },
];

describe('how an instance was bought', () => {
  const wish = (CapacityReservationPreference: 'open' | 'capacity-reservations-only') => ({
    CapacityReservationSpecification: { CapacityReservationPreference },
  });
  const asked = wish('capacity-reservations-only');
  test.each([
    ['reserved, in the reservation it asked for', { ...asked, CapacityReservationId: 'cr-1' }, true, 'reserved'],
    ['on-demand, once the reservation is gone', asked, true, 'on-demand'],
    ['on-demand, in an open one that took it', { ...wish('open'), CapacityReservationId: 'cr-1' }, true, 'on-demand'],
    ['on-demand, while reservations are off', { ...asked, CapacityReservationId: 'cr-1' }, false, 'on-demand'],
  ] as const)('%s', (_, described, reservedCapacity, bought) => {
    expect(toInstance(described, { reservedCapacity }).capacityType).toBe(bought);
  });
});

describe('the security groups of an instance', () => {
  test.each([
    ['are its own', { SecurityGroups: [own], NetworkInterfaces: interfaces }, ['sg-own']],
    ['are those of its primary interface where none are told', { NetworkInterfaces: interfaces }, ['sg-primary']],
    ['are none when nothing tells of any', {}, []],
  ])('%s', (_, described, groups) => {
    expect(toInstance(described).securityGroupIds).toEqual(groups);
  });
});
