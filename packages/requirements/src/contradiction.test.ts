import { expect, test } from 'vitest';
import { contradictedKey } from './contradiction.ts';
import { parseRequirement } from './requirement.ts';

const about = (key: string, operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]) =>
  parseRequirement({ key, operator, values });

for (const { fact, parts, key } of [
  { fact: 'nothing is asked', parts: [], key: undefined },
  { fact: 'two lists share a value', parts: [about('x', 'In', 'a', 'b'), about('x', 'In', 'b')], key: undefined },
  { fact: 'two lists share none', parts: [about('x', 'In', 'a'), about('x', 'In', 'b')], key: 'x' },
  { fact: 'a label is to be there and not', parts: [about('x', 'Exists'), about('x', 'DoesNotExist')], key: 'x' },
  { fact: 'a label is not to be there', parts: [about('x', 'DoesNotExist')], key: undefined },
  {
    fact: 'a label is not to be there, nor to have a value',
    parts: [about('x', 'DoesNotExist'), about('x', 'NotIn', 'a')],
    key: undefined,
  },
  {
    fact: 'only the second label has no value left',
    parts: [about('x', 'In', 'a'), about('y', 'In', 'a'), about('y', 'NotIn', 'a')],
    key: 'y',
  },
] as const) {
  test(`when ${fact}, ${key === undefined ? 'no label is' : `${key} is`} contradicted`, () => {
    expect(contradictedKey(parts)).toBe(key);
  });
}
