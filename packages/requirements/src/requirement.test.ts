import { describe, expect, test } from 'vitest';
import { allowsValue, operatorOfRequirement, chooseValue, parseRequirement } from './requirement.ts';

const shape = (operator: Parameters<typeof parseRequirement>[0]['operator'], ...values: string[]) =>
  parseRequirement({ key: 'key', operator, values });

// Which of A, B, 1, 2, 9 each shape admits.
const membership = [
  { of: shape('Exists'), admits: 'AB129' },
  { of: shape('DoesNotExist'), admits: '' },
  { of: shape('In', 'A'), admits: 'A' },
  { of: shape('In', 'B'), admits: 'B' },
  { of: shape('In', 'A', 'B'), admits: 'AB' },
  { of: shape('NotIn', 'A'), admits: 'B129' },
  { of: shape('In', '1'), admits: '1' },
  { of: shape('In', '9'), admits: '9' },
  { of: shape('In', '1', '9'), admits: '19' },
  { of: shape('NotIn', '1', '2'), admits: 'AB9' },
  { of: shape('Gt', '1'), admits: '29' },
  { of: shape('Gt', '9'), admits: '' },
  { of: shape('Lt', '1'), admits: '' },
  { of: shape('Lt', '9'), admits: '12' },
] as const;

for (const { of, admits } of membership) {
  test(`${operatorOfRequirement(of)} ${[...of.values].join(',')} admits ${admits === '' ? 'none of A B 1 2 9' : admits}`, () => {
    expect(
      'AB129'
        .split('')
        .filter((value) => allowsValue(of, value))
        .join(''),
    ).toBe(admits);
  });
}

for (const [old, current] of [
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ['topology.ebs.csi.aws.com/zone', 'topology.kubernetes.io/zone'],
] as const) {
  test(`a requirement on ${old} is one on ${current}`, () => {
    expect(parseRequirement({ key: old, operator: 'Exists' }).key).toBe(current);
  });
}

describe('corners of construction', () => {
  for (const { fact, made, operator } of [
    { fact: 'In without values is absence', made: shape('In'), operator: 'DoesNotExist' },
    { fact: 'NotIn without values is presence', made: shape('NotIn'), operator: 'Exists' },
    { fact: 'bounds are presence', made: shape('Gt', '1'), operator: 'Exists' },
    {
      fact: 'nothing exceeds the greatest integer',
      made: shape('Gt', '9223372036854775807'),
      operator: 'DoesNotExist',
    },
  ] as const) {
    test(fact, () => {
      expect(operatorOfRequirement(made)).toBe(operator);
    });
  }
  test('values that are left out are none', () => {
    expect(operatorOfRequirement(parseRequirement({ key: 'key', operator: 'In' }))).toBe('DoesNotExist');
    expect(operatorOfRequirement(parseRequirement({ key: 'key', operator: 'NotIn' }))).toBe('Exists');
  });
  test('what nothing exceeds keeps its minValues', () => {
    const made = parseRequirement({ key: 'key', operator: 'Gt', values: ['9223372036854775807'], minValues: 3 });
    expect(made.minValues).toBe(3);
    expect(operatorOfRequirement(made)).toBe('DoesNotExist');
  });
  test('bounds are inclusive inside', () => {
    expect(shape('Gt', '1')).toMatchObject({ atLeast: 2 });
    expect(shape('Lt', '0')).toMatchObject({ atMost: -1 });
    expect(shape('Gte', '0')).toMatchObject({ atLeast: 0 });
    expect(shape('Lte', 'seven')).toMatchObject({ atMost: 0 });
  });
});

describe('a representative', () => {
  for (const made of [
    shape('In', 'B', 'A'),
    shape('NotIn', '0'),
    shape('Exists'),
    shape('Gt', '4'),
    shape('Lt', '0'),
  ]) {
    test(`of ${operatorOfRequirement(made)} ${[...made.values].join(',')} is allowed`, () => {
      expect(allowsValue(made, chooseValue(made))).toBe(true);
    });
  }
  test('of absence is empty', () => {
    expect(chooseValue(shape('DoesNotExist'))).toBe('');
  });
});
