import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { byText, byTextOf, inOrder } from './order.ts';

test('texts are ordered by code units, whatever the locale', () => {
  expect(['b', 'B', 'ä', 'a', 'Z', '10', '9'].toSorted(byText)).toEqual(['10', '9', 'B', 'Z', 'a', 'b', 'ä']);
});

test('the order of texts is antisymmetric, and equal texts are equal', () => {
  assert(
    property(string(), string(), (a, b) => {
      expect(byText(a, b) + byText(b, a)).toBe(0);
      expect(byText(a, b) === 0).toBe(a === b);
    }),
  );
});

test('the first comparison that tells two items apart decides', () => {
  const items = [
    { name: 'b', zone: '1' },
    { name: 'a', zone: '2' },
    { name: 'a', zone: '1' },
  ];
  const sorted = items.toSorted(
    inOrder(
      byTextOf(({ zone }) => zone),
      byTextOf(({ name }) => name),
    ),
  );
  expect(sorted.map(({ name, zone }) => zone + name)).toEqual(['1a', '1b', '2a']);
});
