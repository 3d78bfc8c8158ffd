import { expect, test } from 'vitest';
import type { JsonValue } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { undeclaredFields } from './undeclared.ts';
import { wrapIntegers } from './wrap-integers.ts';

const plainTextSchema: ValueSchema = { type: 'string' };
const identifiedLists: ValueSchema = {
  type: 'object',
  properties: {
    set: { type: 'array', items: plainTextSchema, 'x-kubernetes-list-type': 'set' },
    map: {
      type: 'array',
      items: { type: 'object', properties: { name: plainTextSchema, note: plainTextSchema } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
};

test.each<{ value: JsonValue; complaint: string }>([
  {
    value: { set: [null] },
    complaint: ".set: element 0: associative list without keys has an element that's an explicit null",
  },
  {
    value: { set: ['a', {}] },
    complaint: ".set: element 1: associative list without keys has an element that's a map type",
  },
  { value: { set: [[]] }, complaint: '.set: element 0: not supported: associative list with lists as elements' },
  { value: { map: [null] }, complaint: '.map: element 0: associative list with keys may not have a null element' },
  { value: { map: ['a'] }, complaint: '.map: element 0: associative list with keys may not have non-map elements' },
  {
    value: { map: [{ name: 'a' }, { note: 'b' }] },
    complaint:
      '.map: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  },
])('an item without an identity is refused: $value', ({ value, complaint }) => {
  expect(undeclaredFields(identifiedLists, value)).toEqual([complaint]);
});

test('whole numbers beyond a type are wrapped around, as conversions do', () => {
  const numbers: ValueSchema = {
    type: 'object',
    properties: { a: { type: 'integer', format: 'int32' }, b: { type: 'integer', format: 'int64' } },
  };
  expect(wrapIntegers(numbers, { a: 2 ** 31, b: 5 })).toEqual({ a: -(2 ** 31), b: 5 });
  expect(wrapIntegers(numbers, { a: 1e21, b: 2 ** 63 })).toEqual({ a: 0, b: -(2 ** 63) });
});
