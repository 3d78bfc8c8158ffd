import { describe, expect, test } from 'vitest';
import { intersectRequirements } from './intersection.ts';
import { countMinValues, relaxMinValues } from './min-values.ts';
import { parseRequirement } from './requirement.ts';
import { parseRequirements, requirementsOfLabels } from './requirement-set.ts';
import {
  printIncompatibility,
  printRequirement,
  printRequirements,
  writeRequirement,
  writeRequirements,
} from './written-form.ts';

for (const { from, text } of [
  { from: { key: 'k', operator: 'In', values: ['b', 'a'] }, text: 'k In [a b]' },
  { from: { key: 'k', operator: 'NotIn', values: ['a'] }, text: 'k NotIn [a]' },
  { from: { key: 'k', operator: 'Exists' }, text: 'k Exists' },
  { from: { key: 'k', operator: 'DoesNotExist' }, text: 'k DoesNotExist' },
  { from: { key: 'k', operator: 'Gt', values: ['1'], minValues: 2 }, text: 'k >=2 minValues 2' },
  { from: { key: 'k', operator: 'In', values: 'abcdefg'.split('') }, text: 'k In [a b c d e and 2 others]' },
] as const) {
  test(`prints ${text}`, () => {
    expect(printRequirement(parseRequirement(from))).toBe(text);
  });
}

describe('the written form', () => {
  const at = (operator: 'Gte' | 'Lte' | 'NotIn', value: string) =>
    parseRequirement({ key: 'k', operator, values: [value] });
  for (const { fact, of, entries } of [
    {
      fact: 'has one entry per bound, each with minValues',
      of: { ...intersectRequirements(at('Gte', '2'), at('Lte', '8')), minValues: 3 },
      entries: [
        { key: 'k', operator: 'Gte', values: ['2'], minValues: 3 },
        { key: 'k', operator: 'Lte', values: ['8'], minValues: 3 },
      ],
    },
    {
      fact: 'keeps exclusions beside bounds',
      of: intersectRequirements(at('Gte', '6'), at('NotIn', '7')),
      entries: [
        { key: 'k', operator: 'Gte', values: ['6'] },
        { key: 'k', operator: 'NotIn', values: ['7'] },
      ],
    },
    {
      fact: 'demands a label beside exclusions that its absence would satisfy',
      of: intersectRequirements(at('NotIn', '7'), parseRequirement({ key: 'k', operator: 'Exists' })),
      entries: [
        { key: 'k', operator: 'Exists' },
        { key: 'k', operator: 'NotIn', values: ['7'] },
      ],
    },
    {
      fact: 'is one entry for one bound',
      of: at('Gte', '2'),
      entries: [{ key: 'k', operator: 'Gte', values: ['2'] }],
    },
    {
      fact: 'has no values where any will do',
      of: parseRequirement({ key: 'k', operator: 'Exists' }),
      entries: [{ key: 'k', operator: 'Exists' }],
    },
    {
      fact: 'sorts values',
      of: parseRequirement({ key: 'k', operator: 'In', values: ['b', 'a'] }),
      entries: [{ key: 'k', operator: 'In', values: ['a', 'b'] }],
    },
  ] as const) {
    test(fact, () => {
      expect(writeRequirement(of)).toStrictEqual(entries);
    });
  }
});

test('sets print in the order of their keys', () => {
  expect(printRequirements(requirementsOfLabels({ b: '1', a: '2' }))).toBe('a In [2], b In [1]');
});

describe('minValues counting', () => {
  const set = parseRequirements([{ key: 'family', operator: 'Exists', minValues: 2 }]);
  const types = ['c5', 'c5', 'm5', 'r5'].map((family) => ({ requirements: requirementsOfLabels({ family }) }));
  test('tells how many types it takes', () => {
    expect(countMinValues(set, types)).toEqual({ needed: 3, short: [] });
  });
  test('names the keys that fall short', () => {
    expect(countMinValues(set, types.slice(0, 2)).short).toEqual([{ key: 'family', wanted: 2, found: 1 }]);
  });
  test('is met when there is no type at all', () => {
    expect(countMinValues(set, []).short).toEqual([]);
  });
  test('can be lowered to what there is', () => {
    const { short } = countMinValues(set, types.slice(0, 2));
    expect(relaxMinValues(set, short).get('family')?.minValues).toBe(1);
  });
});

test('a set is written by key, and read again it is the same', () => {
  const written = [
    { key: 'a', operator: 'Exists', minValues: 2 },
    { key: 'b', operator: 'In', values: ['x', 'y'] },
    { key: 'c', operator: 'NotIn', values: ['z'], minValues: 3 },
  ] as const;
  expect(writeRequirements(parseRequirements(written.toReversed()))).toEqual(written);
});

test('a single bound that allows one number, and a list of five values, are printed in full', () => {
  expect(printRequirement(parseRequirement({ key: 'k', operator: 'In', values: 'abcde'.split('') }))).toBe(
    'k In [a b c d e]',
  );
});

test('an incompatibility says which label, and what was likely meant', () => {
  expect(printIncompatibility({ kind: 'undefinedLabel', key: 'teem' })).toBe('no node here carries the label "teem"');
  expect(printIncompatibility({ kind: 'undefinedLabel', key: 'teem', didYouMean: 'team' })).toBe(
    'no node here carries the label "teem" (did you mean "team"?)',
  );
  const [base, incoming] = ['a', 'b'].map((value) => parseRequirement({ key: 'k', operator: 'In', values: [value] }));
  if (base === undefined || incoming === undefined) throw new Error('two requirements');
  expect(printIncompatibility({ kind: 'conflict', key: 'k', base, incoming })).toBe('k In [b] excludes k In [a]');
});
