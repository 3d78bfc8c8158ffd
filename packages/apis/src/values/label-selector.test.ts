import { describe, expect, test } from 'vitest';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector-text.ts';
import { labelSelectorPredicate, matchesAll, printLabelTerms } from './label-selector.ts';
import { labelValueComplaint, qualifiedNameComplaint } from './label-syntax.ts';

const labels = { app: 'web', tier: 'front', 'example.com/size': '3', empty: '' };

describe('a label selector as text', () => {
  for (const [text, selects] of [
    ['', true],
    ['app=web', true],
    ['app==web,tier!=back', true],
    ['app = web , tier in (front, back)', true],
    ['tier notin (front,back)', false],
    ['missing notin (a)', true],
    ['missing!=a', true],
    ['missing=a', false],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['example.com/size>2', true],
    ['example.com/size<3', false],
    ['app>1', false],
    ['empty=', true],
    ['empty in (,x)', true],
  ] as const) {
    test(`'${text}' ${selects ? 'selects' : 'does not select'}`, () => {
      expect(matchesAll(parseLabelSelector(text))(labels)).toBe(selects);
    });
  }

  test('is refused where it breaks the grammar', () => {
    expect(() => parseLabelSelector('app in web')).toThrow("expected '(' before 'web'");
    expect(() => parseLabelSelector('app=web,')).toThrow('expected a label key at its end');
    expect(() => parseLabelSelector('=web')).toThrow("expected a label key before '='");
    expect(() => parseLabelSelector('app web')).toThrow("before 'web'");
    expect(() => parseLabelSelector('app>many')).toThrow('operator greaterThan of app');
    expect(() => parseLabelSelector('a/b/c=d')).toThrow('more than one slash');
    expect(() => parseLabelSelector('app=-x')).toThrow('"-x" is not a value for app');
  });

  test('is printed in the form it is read in', () => {
    const text = 'a=b,c!=d,e in (x,y),f notin (x,y),g,!h,i>3,j<4';
    expect(printLabelTerms(parseLabelSelector(text))).toBe(text);
  });
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

test('a field selector compares fields with texts', () => {
  expect(parseFieldSelector('metadata.name=web,spec.nodeName!=a,status.phase==Running')).toEqual([
    { path: 'metadata.name', operator: '=', value: 'web' },
    { path: 'spec.nodeName', operator: '!=', value: 'a' },
    { path: 'status.phase', operator: '=', value: 'Running' },
  ]);
  expect(parseFieldSelector('')).toEqual([]);
  expect(parseFieldSelector(String.raw`a=b\,c\=d`)).toEqual([{ path: 'a', operator: '=', value: 'b,c=d' }]);
  expect(() => parseFieldSelector('metadata.name')).toThrow('is not a field selector');
  expect(() => parseFieldSelector(String.raw`a=\b`)).toThrow('a backslash goes before');
});
