import { describe, expect, test } from 'vitest';
import { checkTerm, labelSelectorPredicate, type LabelTerm, matchesAll, printLabelTerms } from './label-selector.ts';
import { labelValueComplaint, qualifiedNameComplaint } from './label-syntax.ts';

const labels = { app: 'web', tier: 'front', 'example.com/size': '3', empty: '' };

type TermCase = readonly [
  key: string,
  operator: LabelTerm['operator'],
  values: readonly string[],
  text: string,
  selects: boolean,
];

test.each<TermCase>([
  ['app', 'in', ['web'], 'app=web', true],
  ['tier', 'in', ['front', 'back'], 'tier in (back,front)', true],
  ['tier', 'notIn', ['back'], 'tier!=back', true],
  ['tier', 'notIn', ['front', 'back'], 'tier notin (back,front)', false],
  ['missing', 'notIn', ['a'], 'missing!=a', true],
  ['missing', 'in', ['a'], 'missing=a', false],
  ['app', 'exists', [], 'app', true],
  ['app', 'notExists', [], '!app', false],
  ['missing', 'notExists', [], '!missing', true],
  ['example.com/size', 'greaterThan', ['2'], 'example.com/size>2', true],
  ['example.com/size', 'lessThan', ['3'], 'example.com/size<3', false],
  ['app', 'greaterThan', ['1'], 'app>1', false],
  ['empty', 'in', [''], 'empty=', true],
])('a term %s %s %j is %s', (key, operator, values, text, selects) => {
  const term = checkTerm({ key, operator, values });
  expect(matchesAll([term])(labels)).toBe(selects);
  expect(printLabelTerms([term])).toBe(text);
});

test('a term is refused with what is wrong with it', () => {
  const check =
    (key: string, operator: LabelTerm['operator'], ...values: readonly string[]) =>
    () =>
      checkTerm({ key, operator, values });
  expect(check('app', 'greaterThan', 'many')).toThrow('operator greaterThan of app');
  expect(check('a/b/c', 'exists')).toThrow('more than one slash');
  expect(check('app', 'in', '-x')).toThrow('"-x" is not a value for app');
});

describe('a label selector in a manifest', () => {
  test('selects what all of its parts select', () => {
    const selects = labelSelectorPredicate({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front'] },
        { key: 'missing', operator: 'DoesNotExist' },
      ],
    });
    expect([selects(labels), selects({ app: 'web' }), selects(undefined)]).toEqual([true, false, false]);
  });

  test('selects everything when empty and nothing when absent', () => {
    expect([labelSelectorPredicate({})(labels), labelSelectorPredicate(undefined)(labels)]).toEqual([true, false]);
  });

  test('is refused when values do not suit the operator', () => {
    expect(() => labelSelectorPredicate({ matchExpressions: [{ key: 'a', operator: 'In' }] })).toThrow(
      'operator in of a',
    );
    expect(() =>
      labelSelectorPredicate({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
    ).toThrow('operator exists of a');
  });
});

test('a label key is an optional DNS subdomain and a name', () => {
  const good = ['app', 'karpenter.sh/nodepool', 'A_b.c-9', `x/${'a'.repeat(63)}`];
  const bad = ['', '/', 'a/', '/a', 'a/b/c', 'UP.example/a', '-a', 'a-', 'a'.repeat(64), 'a b'];
  expect(good.filter((key) => qualifiedNameComplaint(key) !== undefined)).toEqual([]);
  expect(bad.filter((key) => qualifiedNameComplaint(key) === undefined)).toEqual([]);
});

test('a label value may be empty, and has at most 63 characters', () => {
  expect(['', 'a', 'A.b_c-9', 'a'.repeat(63)].filter((value) => labelValueComplaint(value) !== undefined)).toEqual([]);
  expect(['a/b', '-a', 'a ', 'a'.repeat(64)].filter((value) => labelValueComplaint(value) === undefined)).toEqual([]);
});
