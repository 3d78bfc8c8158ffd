import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { evictionCost, rescheduleCost } from './disruption-cost.ts';

const withCost = (cost: string) => aPod('p', { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } });

test('an ordinary pod costs 1', () => {
  expect(evictionCost(aPod('p'))).toBe(1);
});

test('deletion cost and priority raise and lower it, within -10 and 10', () => {
  expect(evictionCost(withCost('134217728'))).toBe(2);
  expect(evictionCost(withCost('-134217728'))).toBe(0);
  expect(evictionCost(aPod('p', { priority: 33_554_432 }))).toBe(2);
  expect(evictionCost(aPod('p', { priority: 2_000_000_000 }))).toBe(10);
  expect(evictionCost(aPod('p', { priority: -2_000_000_000 }))).toBe(-10);
});

test('a deletion cost that is no number is ignored', () => {
  expect(evictionCost(withCost('much'))).toBe(1);
});

test('a node costs 1 and its pods that have to move', () => {
  const daemon = aPod('d', { nodeName: 'n', ownerKind: 'DaemonSet' });
  expect(rescheduleCost([])).toBe(1);
  expect(rescheduleCost([daemon, aPod('p', { nodeName: 'n' }), withCost('-2000000000')])).toBe(2);
});
