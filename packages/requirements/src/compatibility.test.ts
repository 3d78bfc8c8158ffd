import { describe, expect, test } from 'vitest';
import { findIncompatibleLabel, isCompatible } from './compatibility.ts';
import { wellKnownLabels } from '@nodewright/apis';
import { parseRequirements } from './requirement-set.ts';
import type { Requirements } from './requirements.ts';
import { printIncompatibility } from './written-form.ts';

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt';

const about = (key: string, operator: Operator | 'undefined', ...values: string[]): Requirements =>
  operator === 'undefined' ? new Map() : parseRequirements([{ key, operator, values }]);

const incomings: readonly (readonly [Operator | 'undefined', ...string[]])[] = [
  ['In', '1'],
  ['NotIn', '1'],
  ['Exists'],
  ['DoesNotExist'],
  ['undefined'],
];

// Each row: the base, and what it says to In 1, NotIn 1, Exists, DoesNotExist and an undefined key.
const rows: readonly { readonly base: readonly [Operator | 'undefined', ...string[]]; readonly passes: string }[] = [
  { base: ['undefined'], passes: 'nynyy' },
  { base: ['In', '1'], passes: 'ynyny' },
  { base: ['In', '2'], passes: 'nyyny' },
  { base: ['In', '1', '2'], passes: 'yyyny' },
  { base: ['NotIn', '1'], passes: 'nyyyy' },
  { base: ['NotIn', '2'], passes: 'yyyyy' },
  { base: ['Exists'], passes: 'yyyny' },
  { base: ['DoesNotExist'], passes: 'nynyy' },
  { base: ['Gt', '0'], passes: 'yyyny' },
  { base: ['Gt', '1'], passes: 'nyyny' },
];

for (const { base, passes } of rows) {
  for (const [index, incoming] of incomings.entries()) {
    const verdict = passes[index] === 'y';
    test(`base ${base.join(' ')} ${verdict ? 'meets' : 'refuses'} incoming ${incoming.join(' ')}`, () => {
      expect(isCompatible(about('key', ...base), about('key', ...incoming))).toBe(verdict);
    });
  }
}

describe('well-known labels', () => {
  for (const [operator, ...values] of incomings) {
    test(`may be undefined where that is allowed (${operator})`, () => {
      const zone = about('topology.kubernetes.io/zone', operator, ...values);
      expect(isCompatible(new Map(), zone, wellKnownLabels)).toBe(true);
    });
  }
  test('may not be undefined on a node', () => {
    expect(isCompatible(new Map(), about('topology.kubernetes.io/zone', 'In', 'a'))).toBe(false);
  });
});

describe('a mistyped label names the one that was meant', () => {
  for (const [typed, meant] of [
    ['zone', 'topology.kubernetes.io/zone'],
    ['region', 'topology.kubernetes.io/region'],
    ['nodepool', 'karpenter.sh/nodepool'],
    ['instance-type', 'node.kubernetes.io/instance-type'],
    ['arch', 'kubernetes.io/arch'],
    ['capacity-type', 'karpenter.sh/capacity-type'],
    ['topology.kubernetesio/zone', 'topology.kubernetes.io/zone'],
    ['kubernetes.io/capacity-type', 'karpenter.sh/capacity-type'],
  ] as const) {
    test(`${typed} means ${meant}`, () => {
      const why = findIncompatibleLabel(new Map(), about(typed, 'Exists'), wellKnownLabels);
      expect(why).toEqual({ kind: 'undefinedLabel', key: typed, didYouMean: meant });
    });
  }
  test('a label of the same name is meant before one whose key contains the text', () => {
    const known = new Set(['example.com/arch-family', 'kubernetes.io/arch']);
    const why = findIncompatibleLabel(new Map(), about('arch', 'Exists'), known);
    expect(why).toMatchObject({ didYouMean: 'kubernetes.io/arch' });
  });
  test('an unknown one gets no hint', () => {
    const why = findIncompatibleLabel(new Map(), about('deployment', 'Exists'), wellKnownLabels);
    expect(why && printIncompatibility(why)).toBe('no node here carries the label "deployment"');
  });
});
