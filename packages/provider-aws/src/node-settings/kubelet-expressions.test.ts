import { describe, expect, test } from 'vitest';
import { KubeletExpressions, type ExpressionVariables } from './kubelet-expressions.ts';
import { resolveMaxPods, resolveReserved } from './resolved-kubelet.ts';

const large: ExpressionVariables = {
  vcpus: 2,
  memoryMib: 8192,
  defaultEnis: 3,
  ipsPerEni: 10,
  maxPods: 29,
  instanceType: 'm5.large',
};

const expressions = new KubeletExpressions();
const valueOf = (text: string, variables: Partial<ExpressionVariables> = {}) => {
  const result = expressions.evaluate(text, { ...large, ...variables });
  return result.kind === 'number' ? result.value : result.why;
};

describe('an expression', () => {
  test.each<readonly [string, number]>([
    ['110', 110],
    ['((default_enis - 1) * (ips_per_eni - 1)) + 2', 20],
    ['min(110, vcpus * 20)', 40],
    ['max(60, vcpus * 10)', 60],
    ['min(max_pods, 250)', 29],
    ['memory_mib / 1024', 8],
    ['double(vcpus) * 1.9', 3],
    ['max(2, 1.5)', 2],
    ['min(0.5, 3)', 0],
    ["instance_type.startsWith('m5.') ? 58 : 110", 58],
    ['0 - 7', -7],
    ['double(0) - 1.9', -1],
  ])('%s is %d', (text, value) => expect(valueOf(text)).toBe(value));

  test.each([
    ['vcpus / 0', 'division by zero'],
    ['vcpus % (vcpus - 2)', 'modulo by zero'],
    ['double(vcpus) / 0.0', 'it gives Infinity, wanted a finite number'],
    ['0.0 / 0.0', 'it gives NaN, wanted a finite number'],
    ['9223372036854775807 + 1', expect.stringMatching(/overflow/)],
  ])('%s gives no number', (text, why) => expect(valueOf(text)).toEqual(why));

  test.each([
    ['vcpus +', /Unexpected token/],
    ['cores * 2', /Unknown variable: cores/],
    ['vcpus * 1.5', /no such overload: int \* double/],
    ['vcpus > 2', /it gives a value of type bool, wanted a number/],
    ["'110'", /it gives a value of type string, wanted a number/],
    ['', /./],
  ])('%s is refused before any instance type is known', (text, why) => {
    expect(expressions.complaint(text)).toMatch(why);
    expect(valueOf(text)).toMatch(why);
  });
});

describe('maxPods', () => {
  test.each([
    ['a number', 58, 58],
    ['an expression', 'vcpus * 20', 40],
    ['an expression of zero', 'vcpus - 2', 0],
    ['nothing', undefined, undefined],
  ])('is %s', (_fact, maxPods, resolved) => {
    expect(resolveMaxPods({ maxPods }, expressions, large)).toBe(resolved);
  });

  test.each(['vcpus - 3', '2147483648', 'vcpus / 0'])('is not %s', (maxPods) => {
    expect(resolveMaxPods({ maxPods }, expressions, large)).toMatchObject({ field: 'maxPods', text: maxPods });
  });

  test('ignores an expression while the gate is off', () => {
    expect(resolveMaxPods({ maxPods: 'vcpus * 20' }, undefined, large)).toBeUndefined();
  });
});

describe('reserved resources', () => {
  const kubeReserved = {
    cpu: 'vcpus * 31',
    memory: '11 * max_pods + 255',
    'ephemeral-storage': 'vcpus / 2',
    pid: '1000 + vcpus',
  };

  test('have the unit of their resource, and steps', () => {
    expect(resolveReserved({ kubeReserved, systemReserved: { cpu: '100m' } }, expressions, large)).toEqual({
      reserved: {
        kubeReserved: { cpu: '70m', memory: '576Mi', 'ephemeral-storage': '1Gi', pid: '1002' },
        systemReserved: { cpu: '100m' },
      },
      failures: [],
    });
  });

  test('leave out what is negative or fails, and keep zero and the rest', () => {
    const { reserved, failures } = resolveReserved(
      { kubeReserved: { cpu: '0 - vcpus', memory: 'vcpus / 0', pid: 'vcpus - 2', 'ephemeral-storage': '1Gi' } },
      expressions,
      large,
    );
    expect(reserved.kubeReserved).toEqual({ pid: '0', 'ephemeral-storage': '1Gi' });
    expect(failures.map(({ field, why }) => `${field}: ${why}`)).toEqual([
      'kubeReserved[cpu]: it gives -2, wanted 0 or more',
      'kubeReserved[memory]: division by zero',
    ]);
  });

  test('are quantities alone while the gate is off', () => {
    expect(resolveReserved({ kubeReserved: { cpu: 'vcpus', memory: '1Gi' } }, undefined, large).reserved).toEqual({
      kubeReserved: { memory: '1Gi' },
      systemReserved: {},
    });
  });
});
