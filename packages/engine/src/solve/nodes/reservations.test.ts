import { expect, test } from 'vitest';
import type { Offering } from '../../instance-types/instance-type.ts';
import { Reservations } from './reservations.ts';

const offering = (id: string, remaining: number): Offering => ({
  zone: 'zone-a',
  capacityType: 'reserved',
  priceMicroUsdPerHour: 0,
  available: true,
  requirements: new Map(),
  reservation: { id, remaining },
});

const some = () => new Reservations([offering('cr-1', 1), offering('cr-2', 2)]);

test('a place can be held while there is one, and by its holder afterwards', () => {
  const reservations = some();
  expect(reservations.canHold('a', 'cr-1')).toBe(true);
  reservations.hold('a', ['cr-1']);
  expect([reservations.canHold('a', 'cr-1'), reservations.canHold('b', 'cr-1')]).toEqual([true, false]);
});

test('a reservation that nobody offers is a mistake of the caller', () => {
  expect(() => some().canHold('a', 'cr-9')).toThrow('cr-9 is not of this round');
});

test('holding again takes no second place', () => {
  const reservations = some();
  reservations.hold('a', ['cr-2']);
  reservations.hold('a', ['cr-2']);
  reservations.hold('b', ['cr-2']);
  expect(reservations.canHold('c', 'cr-2')).toBe(false);
});

test('a node holds several at once', () => {
  const reservations = some();
  reservations.hold('a', ['cr-1', 'cr-2']);
  expect([reservations.canHold('b', 'cr-1'), reservations.canHold('b', 'cr-2')]).toEqual([false, true]);
});

test('more places than there are cannot be held', () => {
  const reservations = some();
  reservations.hold('a', ['cr-1']);
  expect(() => reservations.hold('b', ['cr-1'])).toThrow('cr-1 has no place left for b');
});

test('what a node no longer holds is free for others, again and again', () => {
  const reservations = some();
  for (const host of ['a', 'b', 'c']) {
    reservations.hold(host, ['cr-1', 'cr-2']);
    reservations.hold(host, ['cr-2']);
    reservations.hold(host, []);
  }
  expect([reservations.canHold('d', 'cr-1'), reservations.canHold('d', 'cr-2')]).toEqual([true, true]);
});

test('a node that held nothing has nothing to give back', () => {
  const reservations = some();
  reservations.hold('a', []);
  reservations.hold('b', ['cr-1']);
  expect(reservations.canHold('c', 'cr-1')).toBe(false);
});

test('of different counts for one reservation the least holds', () => {
  const reservations = new Reservations([offering('cr-1', 3), offering('cr-1', 1)]);
  reservations.hold('a', ['cr-1']);
  expect(reservations.canHold('b', 'cr-1')).toBe(false);
});
