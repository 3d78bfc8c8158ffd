import { expect, test } from 'vitest';
import { nearestKey } from './nearest-key.ts';

for (const { fact, key, known, nearest } of [
  {
    fact: 'the same letters',
    key: 'Instance_Type',
    known: ['instance-typo', 'instance-type'],
    nearest: 'instance-type',
  },
  { fact: 'one letter too many', key: 'zonee', known: ['region', 'zone'], nearest: 'zone' },
  { fact: 'one letter too few', key: 'regon', known: ['region', 'zone'], nearest: 'region' },
  { fact: 'two other letters', key: 'rigeon', known: ['region', 'zone'], nearest: 'region' },
  { fact: 'two letters too many', key: 'zoneab', known: ['zone'], nearest: 'zone' },
  { fact: 'three other letters are too many', key: 'abcion', known: ['region'], nearest: undefined },
  { fact: 'three letters too many are too many', key: 'zoneabc', known: ['zone'], nearest: undefined },
  { fact: 'fewest slips', key: 'abcd', known: ['abax', 'abcx'], nearest: 'abcx' },
  { fact: 'the first by name of several as near', key: 'abcx', known: ['abcz', 'abcy'], nearest: 'abcy' },
  { fact: 'the first by name of several with the same letters', key: 'a.b', known: ['a_b', 'A-b'], nearest: 'A-b' },
  { fact: 'not the key itself', key: 'zone', known: ['zone'], nearest: undefined },
  { fact: 'nothing where nothing is known', key: 'zone', known: [], nearest: undefined },
] as const) {
  test(`nearest is ${fact}: ${key} is ${nearest ?? 'none'} of ${known.join(', ')}`, () => {
    expect(nearestKey(key, known)).toBe(nearest);
  });
}
