import type { Pod, PodDisruptionBudget } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { allowsEviction, isObservedBudget, isReadyPod, letsUnhealthyPodGo } from './eviction-api.ts';
import { fullyBlockingRule } from './fully-blocking-budget.ts';

const budgetWith = (
  status: Partial<NonNullable<PodDisruptionBudget['status']>> | undefined,
  spec: PodDisruptionBudget['spec'] = {},
  generation?: number,
): PodDisruptionBudget =>
  ({
    metadata: { name: 'web', ...(generation === undefined ? {} : { generation }) },
    spec,
    ...(status === undefined ? {} : { status }),
  }) as PodDisruptionBudget;

const podWith = (conditions: NonNullable<Pod['status']>['conditions']): Pod => ({
  ...aPod('web-1'),
  status: { phase: 'Running', ...(conditions === undefined ? {} : { conditions }) },
});
const unready = podWith([{ type: 'Ready', status: 'False' }]);

describe('a pod is ready', () => {
  for (const { fact, pod, ready } of [
    {
      fact: 'by its condition, whatever others say',
      pod: podWith([
        { type: 'Ready', status: 'True' },
        { type: 'x', status: 'False' },
      ]),
      ready: true,
    },
    { fact: 'not by another condition', pod: podWith([{ type: 'Initialized', status: 'True' }]), ready: false },
    { fact: 'not without conditions', pod: podWith(undefined), ready: false },
    { fact: 'not without a status', pod: { metadata: { name: 'a' }, spec: { containers: [] } }, ready: false },
  ]) {
    test(`${ready ? '' : 'or not: '}${fact}`, () => {
      expect(isReadyPod(pod)).toBe(ready);
    });
  }
});

describe('a budget lets a pod that is not ready go', () => {
  for (const { fact, status, goes } of [
    { fact: 'when it has all that it wants', status: { currentHealthy: 1, desiredHealthy: 1 }, goes: true },
    { fact: 'not when it has fewer', status: { currentHealthy: 1, desiredHealthy: 2 }, goes: false },
    { fact: 'not when it wants none', status: { currentHealthy: 3, desiredHealthy: 0 }, goes: false },
    { fact: 'not when it does not say what it wants', status: { currentHealthy: 3 }, goes: false },
    { fact: 'not when it does not say what it has', status: { desiredHealthy: 1 }, goes: false },
    { fact: 'not without a status', status: undefined, goes: false },
  ]) {
    test(fact, () => {
      expect(letsUnhealthyPodGo(budgetWith(status), unready)).toBe(goes);
    });
  }
});

describe('a budget is observed', () => {
  for (const { observed, generation, is } of [
    { observed: 2, generation: 2, is: true },
    { observed: 1, generation: 2, is: false },
    { observed: undefined, generation: 1, is: false },
    { observed: undefined, generation: undefined, is: true },
    { observed: 0, generation: undefined, is: true },
  ]) {
    test(`${is ? '' : 'not '}when ${observed} of ${generation} is`, () => {
      const status = observed === undefined ? {} : { observedGeneration: observed };
      expect(isObservedBudget(budgetWith(status, {}, generation))).toBe(is);
    });
  }
  test('not without a status, once it has a generation', () => {
    expect([isObservedBudget(budgetWith(undefined, {}, 1)), isObservedBudget(budgetWith(undefined))]).toEqual([
      false,
      true,
    ]);
  });
});

describe('an eviction is granted', () => {
  const disrupted = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`pod-${at}`, '2024-03-01T12:00:00Z']));
  for (const { fact, status, granted } of [
    { fact: 'while one is allowed', status: { disruptionsAllowed: 1 }, granted: true },
    { fact: 'not when none is', status: { disruptionsAllowed: 0 }, granted: false },
    { fact: 'not when it is not said', status: {}, granted: false },
    { fact: 'not without a status', status: undefined, granted: false },
    { fact: 'while 2000 wait', status: { disruptionsAllowed: 1, disruptedPods: disrupted(2000) }, granted: true },
    { fact: 'not while 2001 wait', status: { disruptionsAllowed: 1, disruptedPods: disrupted(2001) }, granted: false },
  ]) {
    test(fact, () => {
      expect(allowsEviction(budgetWith(status))).toBe(granted);
    });
  }
});

describe('a budget blocks for good', () => {
  for (const { fact, spec, status, rule } of [
    { fact: 'a share below all does not', spec: { minAvailable: '91%' }, status: {}, rule: undefined },
    {
      fact: 'that wants its only pod',
      spec: { minAvailable: 1 },
      status: { desiredHealthy: 1, expectedPods: 1 },
      rule: 'it wants 1 healthy pods of 1 (minAvailable: 1)',
    },
    {
      fact: 'one that wants fewer than it has does not',
      spec: { minAvailable: 1 },
      status: { desiredHealthy: 1, expectedPods: 2 },
      rule: undefined,
    },
    { fact: 'one without pods does not', spec: { minAvailable: 1 }, status: { desiredHealthy: 1 }, rule: undefined },
    {
      fact: 'one that does not say what it wants does not',
      spec: { minAvailable: 1 },
      status: { expectedPods: 1 },
      rule: undefined,
    },
    { fact: 'one without a status does not', spec: { minAvailable: 1 }, status: undefined, rule: undefined },
  ]) {
    test(fact, () => {
      expect(fullyBlockingRule(budgetWith(status, spec))).toBe(rule);
    });
  }
});
