import { expect, test } from 'vitest';
import { allowAnything, allowsValue, chooseValue, parseRequirement, requireOneOf } from './requirement.ts';
import { parseRequirements, requirementSet, requirementsOfLabels, withoutKeys } from './requirement-set.ts';
import { requirementText } from './requirement-text.ts';
import type { Requirement } from './requirements.ts';

const make = (operator: Parameters<typeof parseRequirement>[0]['operator'], ...values: string[]): Requirement =>
  parseRequirement({ key: 'key', operator, values });

test('several requirements on a label hold together', () => {
  const set = requirementSet([requireOneOf('x', ['a', 'b']), requireOneOf('y', ['a']), requireOneOf('x', ['b', 'c'])]);
  expect([...set].map(([key, { values }]) => [key, [...values]])).toEqual([
    ['x', ['b']],
    ['y', ['a']],
  ]);
});

test('what is not written asks nothing', () => {
  expect([parseRequirements(undefined).size, requirementsOfLabels(undefined).size]).toEqual([0, 0]);
});

test('labels have exactly their values', () => {
  expect(requirementsOfLabels({ x: 'a' }).get('x')).toStrictEqual(requireOneOf('x', ['a']));
});

test('a set without keys has the others, and stays as it is itself', () => {
  const set = requirementSet([requireOneOf('x', ['a']), requireOneOf('y', ['a'])]);
  expect([...withoutKeys(set, new Set(['x', 'z'])).keys()]).toEqual(['y']);
  expect(set.size).toBe(2);
});

for (const [requirement, text] of [
  [make('In', 'b', 'a'), 'a,b;;'],
  [make('In', 'a'), 'a;;'],
  [make('NotIn', 'b', 'a'), '!a,b;;'],
  [make('Exists'), '!;;;defined'],
  [make('DoesNotExist'), ';;'],
  [allowAnything('key'), '!;;'],
  [make('Gt', '1'), '!;2;;defined'],
  [make('Lte', '0'), '!;;0;defined'],
] as const) {
  test(`the text ${text} tells a requirement from those that allow other values`, () => {
    expect(requirementText(requirement)).toBe(text);
    expect(requirementText({ ...requirement, key: 'other', minValues: 2 })).toBe(text);
  });
}

test('with a bound only whole numbers of 64 bits count', () => {
  const values = ['1.5', 'a', '', '0', '9223372036854775808', '-9223372036854775809', '+7', '-7'];
  expect(values.filter((value) => allowsValue(make('Gte', '-9'), value))).toEqual(['0', '+7', '-7']);
});

test('a requirement as written has no member that it does not state', () => {
  expect(make('In', 'a')).toStrictEqual({ key: 'key', complement: false, values: new Set(['a']) });
  expect(make('NotIn')).toStrictEqual({ key: 'key', complement: true, values: new Set(), defined: true });
  expect(make('NotIn', 'a')).toStrictEqual({ key: 'key', complement: true, values: new Set(['a']) });
  expect(parseRequirement({ key: 'key', operator: 'Exists' })).toStrictEqual(make('Exists'));
  expect(parseRequirement({ key: 'key', operator: 'In', values: ['a'], minValues: 2 }).minValues).toBe(2);
});

for (const [requirement, chosen] of [
  [make('In', 'b', 'a'), 'a'],
  [make('Exists'), '0'],
  [make('Gte', '3'), '3'],
  [make('Lte', '-3'), '-3'],
  [make('Lte', '3'), '0'],
  [{ ...make('NotIn', '0', '1'), atMost: 1 }, ''],
  [make('NotIn', '0', '1'), '2'],
] as const) {
  test(`of ${requirementText(requirement)} the value ${chosen === '' ? 'is none' : chosen} stands for all`, () => {
    expect(chooseValue(requirement)).toBe(chosen);
  });
}
