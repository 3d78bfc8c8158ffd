import type { RequirementWithMinValues } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasIntersection, intersectRequirements, intersectSets, requirementFor } from './intersection.ts';
import { parseRequirements, requirementSet } from './requirement-set.ts';
import { admitsAbsence, allowAnything, allowsValue, parseRequirement, requireOneOf } from './requirement.ts';
import type { Requirement, Requirements } from './requirements.ts';

const values = ['a', 'b', '1', '2', '3'];
const aRequirement = (key: string): fc.Arbitrary<Requirement> =>
  fc
    .record({
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte' as const),
      chosen: fc.subarray(values),
      minValues: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    })
    .map(({ operator, chosen, minValues }) =>
      parseRequirement({ key, operator, values: chosen, ...(minValues === undefined ? {} : { minValues }) }),
    );
const aSet = (): fc.Arbitrary<Requirements> =>
  fc
    .tuple(fc.option(aRequirement('x')), fc.option(aRequirement('y')))
    .map((parts) => requirementSet(parts.filter((part) => part !== null)));

test('two sets together allow a value of a key when both do, and want the larger number of values', () => {
  fc.assert(
    fc.property(aSet(), aSet(), (a, b) => {
      const both = intersectSets(a, b);
      expect(new Set(both.keys())).toEqual(new Set([...a.keys(), ...b.keys()]));
      for (const key of ['x', 'y']) {
        const [ofA, ofB, ofBoth] = [a, b, both].map((set) => requirementFor(set, key));
        if (ofA === undefined || ofB === undefined || ofBoth === undefined) throw new Error('three sets');
        for (const value of values) {
          expect(allowsValue(ofBoth, value)).toBe(allowsValue(ofA, value) && allowsValue(ofB, value));
        }
        expect(ofBoth.minValues ?? 0).toBe(Math.max(ofA.minValues ?? 0, ofB.minValues ?? 0));
        if (ofA.defined !== undefined) expect(ofBoth.complement && admitsAbsence(ofBoth)).toBe(false);
      }
    }),
    { seed: 7, numRuns: 2000 },
  );
});

const setOf = (...parts: readonly RequirementWithMinValues[]): Requirements => parseRequirements(parts);

for (const { fact, a, b } of [
  { fact: 'nothing', a: setOf({ key: 'x', operator: 'In', values: ['a'] }), b: setOf() },
  {
    fact: 'a list with all its values',
    a: setOf({ key: 'x', operator: 'In', values: ['a'] }),
    b: setOf({ key: 'x', operator: 'In', values: ['a', 'b'] }),
  },
  {
    fact: 'what another label lets through',
    a: setOf({ key: 'x', operator: 'In', values: ['a'] }),
    b: setOf({ key: 'x', operator: 'NotIn', values: ['b'] }),
  },
  {
    fact: 'an existence, for a label that has to exist',
    a: setOf({ key: 'x', operator: 'Gt', values: ['1'] }),
    b: setOf({ key: 'x', operator: 'Exists' }),
  },
  {
    fact: 'anything',
    a: setOf({ key: 'x', operator: 'NotIn', values: ['a'] }),
    b: requirementSet([allowAnything('x')]),
  },
  {
    fact: 'fewer values to choose from',
    a: setOf({ key: 'x', operator: 'In', values: ['a', 'b'], minValues: 2 }),
    b: setOf({ key: 'x', operator: 'In', values: ['a', 'b'], minValues: 1 }),
  },
] as const) {
  test(`a set together with ${fact} is the same set`, () => {
    expect(intersectSets(a, b)).toBe(a);
  });
}

for (const { fact, a, b } of [
  {
    fact: 'fewer values',
    a: setOf({ key: 'x', operator: 'In', values: ['a', 'b'] }),
    b: setOf({ key: 'x', operator: 'In', values: ['a'] }),
  },
  {
    fact: 'an exclusion',
    a: setOf({ key: 'x', operator: 'Exists' }),
    b: setOf({ key: 'x', operator: 'NotIn', values: ['a'] }),
  },
  {
    fact: 'an existence',
    a: setOf({ key: 'x', operator: 'NotIn', values: ['a'] }),
    b: setOf({ key: 'x', operator: 'Exists' }),
  },
  {
    fact: 'a lower bound',
    a: setOf({ key: 'x', operator: 'Exists' }),
    b: setOf({ key: 'x', operator: 'Gte', values: ['1'] }),
  },
  {
    fact: 'an upper bound',
    a: setOf({ key: 'x', operator: 'Exists' }),
    b: setOf({ key: 'x', operator: 'Lte', values: ['1'] }),
  },
  {
    fact: 'a list, for what excludes others',
    a: setOf({ key: 'x', operator: 'NotIn', values: ['b'] }),
    b: setOf({ key: 'x', operator: 'In', values: ['a'] }),
  },
  {
    fact: 'a number of values, where none was asked for',
    a: setOf({ key: 'x', operator: 'In', values: ['a'] }),
    b: setOf({ key: 'x', operator: 'In', values: ['a'], minValues: 1 }),
  },
  { fact: 'another label', a: setOf({ key: 'x', operator: 'Exists' }), b: setOf({ key: 'y', operator: 'Exists' }) },
] as const) {
  test(`a set together with ${fact} is another one, which leaves the first as it is`, () => {
    const before = structuredClone(a);
    const both = intersectSets(a, b);
    expect(both).not.toBe(a);
    expect(both).not.toEqual(a);
    expect(a).toEqual(before);
  });
}

test('an intersection has no member that says nothing', () => {
  const exists = parseRequirement({ key: 'x', operator: 'Exists' });
  const notA = parseRequirement({ key: 'x', operator: 'NotIn', values: ['a'] });
  const notB = parseRequirement({ key: 'x', operator: 'NotIn', values: ['b'] });
  expect(intersectRequirements(notA, notB)).toStrictEqual({ key: 'x', complement: true, values: new Set(['a', 'b']) });
  expect(intersectRequirements(notA, exists)).toStrictEqual({ ...notA, defined: true });
  expect(intersectRequirements(requireOneOf('x', ['a']), exists)).toStrictEqual(requireOneOf('x', ['a']));
});

test('bounds that cross leave nothing, and bounds that meet leave one number unless both exclude it', () => {
  const bound = (operator: 'Gte' | 'Lte', value: string): Requirement =>
    parseRequirement({ key: 'x', operator, values: [value] });
  const meeting = [bound('Gte', '3'), bound('Lte', '3')] as const;
  expect(hasIntersection(...meeting)).toBe(true);
  expect(allowsValue(intersectRequirements(...meeting), '3')).toBe(true);
  const crossing = [bound('Gte', '4'), bound('Lte', '3')] as const;
  expect([hasIntersection(...crossing), intersectRequirements(...crossing)]).toEqual([
    false,
    { key: 'x', complement: false, values: new Set() },
  ]);
  const not3 = parseRequirement({ key: 'x', operator: 'NotIn', values: ['3'] });
  const only3 = intersectRequirements(...meeting);
  expect([hasIntersection(only3, not3), hasIntersection(not3, only3)]).toEqual([false, false]);
});

test('a list and bounds that cross it have nothing in common', () => {
  const list = { ...requireOneOf('x', ['5']), atLeast: 4 };
  const below = parseRequirement({ key: 'x', operator: 'Lte', values: ['3'] });
  expect([hasIntersection(list, below), hasIntersection(below, list)]).toEqual([false, false]);
});
