import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

test('the same seed gives the same sequence, another seed another one', () => {
  const sequence = (seed: number | string): readonly number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(sequence(1)).toEqual(sequence('1'));
  expect(sequence(1)).not.toEqual(sequence(2));
});

test('a fork does not depend on what its parent was asked before, and leaves the parent alone', () => {
  const fresh = seededRandom('world');
  const used = seededRandom('world');
  used.next();
  expect(used.fork('pods').uuid()).toBe(fresh.fork('pods').uuid());
  expect(fresh.fork('nodes').uuid()).not.toBe(fresh.fork('pods').uuid());
  fresh.next();
  expect(fresh.next()).toBe(used.next());
});

test('integers stay below their bound and reach everything under it', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 5 }), (seed, below) => {
      const random = seededRandom(seed);
      const drawn = new Set(Array.from({ length: 200 }, () => random.integer(below)));
      expect(drawn).toEqual(new Set(Array.from({ length: below }, (_, index) => index)));
    }),
  );
});

test('digits are those that integers below 16 would be', () => {
  const [text, numbers] = [seededRandom('digits'), seededRandom('digits')];
  const digits = Array.from({ length: 400 }, () => numbers.integer(16).toString(16)).join('');
  expect(text.hex(400)).toBe(digits);
  expect(text.next()).toBe(numbers.next());
});

test('texts have the shapes that Kubernetes and AWS use', () => {
  const random = seededRandom(7);
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(random.nameSuffix(5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(random.hex(17)).toMatch(/^[0-9a-f]{17}$/);
});

test('asking for the impossible is an error that says what is possible', () => {
  expect(() => seededRandom(1).integer(0)).toThrow('at least 1');
  expect(() => seededRandom(1).pick([])).toThrow('empty list');
});
