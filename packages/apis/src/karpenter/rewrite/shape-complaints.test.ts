import { describe, expect, test } from 'vitest';
import type { StructuralSchema } from '../../schema/structural.ts';
import { fieldPatterns } from '../v1/patterns.ts';
import { shapeComplaints } from './shape-complaints.ts';

const complaintsAbout = (schema: StructuralSchema, value: unknown, field = 'spec'): readonly string[] =>
  shapeComplaints(schema, value, field).map((complaint) => `${complaint.field} ${complaint.remedy}`);

const aText: StructuralSchema = { type: 'string' };
const aNumber: StructuralSchema = { type: 'integer', minimum: 1, maximum: 100 };

describe('what a field holds is as its schema says', () => {
  for (const { schema, right, wrong } of [
    { schema: aText, right: ['', 'a'], wrong: [[null, 'must be a text']] },
    {
      schema: aText,
      right: [],
      wrong: [
        [1, 'must be a text: put it in quotes'],
        [true, 'must be a text: put it in quotes'],
        [['a'], 'must be a text'],
      ],
    },
    {
      schema: { type: 'boolean' },
      right: [true, false],
      wrong: [
        ['true', 'must be true or false'],
        [0, 'must be true or false'],
      ],
    },
    {
      schema: aNumber,
      right: [1, 50, 100],
      wrong: [
        [0, 'must be at least 1'],
        [101, 'must be at most 100'],
        [1.5, 'must be a whole number'],
        ['1', 'must be a whole number'],
      ],
    },
    { schema: { type: 'integer' }, right: [-7, 0, 1_000], wrong: [[2 ** 53, 'must be a whole number']] },
    {
      schema: { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+Gi$' },
      right: [7, 1.5, '10Gi'],
      wrong: [
        ['10', 'must be a text that matches ^[0-9]+Gi$'],
        [true, 'must be a quantity such as 1000 or 10Gi'],
      ],
    },
    {
      schema: { type: 'string', enum: ['a', 'b'] },
      right: ['a', 'b'],
      wrong: [['c', 'must be one of "a", "b"']],
    },
    {
      schema: { type: 'string', pattern: fieldPatterns.age },
      right: ['10d'],
      wrong: [['10x', 'must be an age such as 10d, 2w or 36h']],
    },
    {
      schema: { type: 'string', maxLength: 3 },
      right: ['abc'],
      wrong: [['abcd', 'must have at most 3 characters']],
    },
    {
      schema: { type: 'array', items: aText, minItems: 1, maxItems: 2 },
      right: [['a'], ['a', 'b']],
      wrong: [
        [[], 'needs at least 1 items'],
        [['a', 'b', 'c'], 'has 3 items, at most 2 may be'],
        ['a', 'must be a list'],
        [{ 0: 'a' }, 'must be a list'],
      ],
    },
    { schema: { type: 'array' }, right: [[], [1, 'a', {}]], wrong: [] },
    {
      schema: { type: 'object', properties: { a: aText } },
      right: [{}, { a: 'x' }],
      wrong: [
        [null, 'must be a map'],
        [['a'], 'must be a map'],
        ['a', 'must be a map'],
      ],
    },
    { schema: {}, right: [1, 'a', null, {}], wrong: [] },
    {
      schema: { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true },
      right: [{ b: 1 }, 'a'],
      wrong: [],
    },
  ] as readonly {
    schema: StructuralSchema;
    right: readonly unknown[];
    wrong: readonly (readonly [unknown, string])[];
  }[]) {
    for (const value of right)
      test(`${JSON.stringify(value)} for ${JSON.stringify(schema)}`, () => {
        expect(complaintsAbout(schema, value)).toEqual([]);
      });
    for (const [value, remedy] of wrong)
      test(`${JSON.stringify(value)} is refused for ${JSON.stringify(schema)}`, () => {
        expect(shapeComplaints(schema, value, 'spec').map((each) => [each.field, each.remedy])).toEqual([
          ['spec', remedy],
        ]);
      });
  }
});

test('a complaint has the value that is wrong; a list that is too long has none', () => {
  const list: StructuralSchema = { type: 'array', items: aText, maxItems: 1 };
  expect(shapeComplaints(aNumber, 0, 'spec.weight')).toEqual([
    { field: 'spec.weight', value: 0, remedy: 'must be at least 1' },
  ]);
  expect(shapeComplaints(list, ['a', 1], 'spec.ids')).toEqual([
    { field: 'spec.ids', remedy: 'has 2 items, at most 1 may be' },
    { field: 'spec.ids[1]', value: 1, remedy: 'must be a text: put it in quotes' },
  ]);
});

const anObject: StructuralSchema = {
  type: 'object',
  required: ['name', 'size'],
  properties: { size: { ...aNumber, default: 3 }, name: aText, tags: { type: 'object', additionalProperties: aText } },
};

test('a member that is required may be missing where it has a default', () => {
  expect(complaintsAbout(anObject, {})).toEqual(['spec.name is missing']);
  expect(complaintsAbout(anObject, { name: 'a' })).toEqual([]);
});

test('a member that the schema does not have is refused with those that it has', () => {
  expect(complaintsAbout(anObject, { name: 'a', colour: 'red' })).toEqual([
    'spec.colour is not known here; spec has name, size, tags',
  ]);
  expect(complaintsAbout(anObject, { name: 'a', colour: 'red' }, '')).toEqual([
    'colour is not known here; the object has name, size, tags',
  ]);
});

test('members of a map are looked at one by one; names that are no words are written in brackets', () => {
  expect(complaintsAbout(anObject, { name: 'a', tags: { team: 1, 'a/b': 2 } })).toEqual([
    'spec.tags.team must be a text: put it in quotes',
    'spec.tags["a/b"] must be a text: put it in quotes',
  ]);
  expect(complaintsAbout({ type: 'object', additionalProperties: aText }, { 'a/b': 2 }, '')).toEqual([
    '["a/b"] must be a text: put it in quotes',
  ]);
});

test('a map without a schema for its members may have any', () => {
  expect(complaintsAbout({ type: 'object' }, { a: 1 })).toEqual([]);
});
