import { fromTimestamp, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { type BudgetSnapshot, plan } from './budget.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

const aBudget = (
  spec: Partial<PodDisruptionBudget['spec']>,
  granted: Readonly<Record<string, string>> = {},
): PodDisruptionBudget => ({
  metadata: { name: 'web', namespace: 'default', generation: 1 },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptedPods: granted, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
});

const ready = (...names: readonly string[]): readonly Pod[] => names.map((name) => aPod(name, { nodeName: 'node-1' }));
const pending = (name: string): Pod => aPod(name);

const statusFor = (snapshot: Pick<BudgetSnapshot, 'budget' | 'pods' | 'expectedCount'>) =>
  plan({ ...snapshot, now }).actions[0]?.status;

for (const { fact, spec, pods, expectedCount, status } of [
  {
    fact: 'a number that has to stay counts the pods that are there',
    spec: { minAvailable: 2 },
    pods: ready('a', 'b', 'c'),
    expectedCount: 5,
    status: { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 },
  },
  {
    fact: 'a share refers to what the controllers want',
    spec: { minAvailable: '50%' },
    pods: ready('a', 'b', 'c'),
    expectedCount: 5,
    status: { expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 0 },
  },
  {
    fact: 'what may be missing is missing already',
    spec: { maxUnavailable: 1 },
    pods: ready('a', 'b'),
    expectedCount: 3,
    status: { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 0 },
  },
  {
    fact: 'a pod that is not ready is not healthy',
    spec: { maxUnavailable: 1 },
    pods: [...ready('a', 'b'), pending('c')],
    expectedCount: 3,
    status: { currentHealthy: 2, disruptionsAllowed: 0 },
  },
  {
    fact: 'a share that may be missing rounds up',
    spec: { maxUnavailable: '10%' },
    pods: ready('a', 'b', 'c'),
    expectedCount: 3,
    status: { desiredHealthy: 2, disruptionsAllowed: 1 },
  },
  {
    fact: 'more may be missing than there are',
    spec: { maxUnavailable: 9 },
    pods: ready('a'),
    expectedCount: 1,
    status: { desiredHealthy: 0, disruptionsAllowed: 1 },
  },
  {
    fact: 'without a limit every pod may go',
    spec: {},
    pods: ready('a', 'b'),
    expectedCount: 2,
    status: { disruptionsAllowed: 2 },
  },
  {
    fact: 'without pods none may go',
    spec: { maxUnavailable: 1 },
    pods: [],
    expectedCount: 0,
    status: { expectedPods: 0, disruptionsAllowed: 0 },
  },
]) {
  test(`a budget: ${fact}`, () => {
    expect(statusFor({ budget: aBudget(spec), pods, expectedCount })).toMatchObject(status);
  });
}

test('a pod whose eviction was granted is not healthy, until it is gone or two minutes have passed', () => {
  const granted = { a: '2024-01-28T15:59:00Z', b: '2024-01-28T15:58:00Z', gone: '2024-01-28T15:59:30Z' };
  const decision = plan({
    budget: aBudget({ maxUnavailable: 1 }, granted),
    pods: ready('a', 'b', 'c'),
    expectedCount: 3,
    now,
  });
  expect(decision.actions[0]?.status).toMatchObject({ currentHealthy: 2, disruptedPods: { a: granted.a } });
  expect(Object.keys(decision.actions[0]?.status.disruptedPods ?? {})).toEqual(['a']);
  expect(decision.recheckAt).toBe(fromTimestamp('2024-01-28T16:01:00Z'));
});

test('a status that holds already is not written again', () => {
  const budget = aBudget({ maxUnavailable: 1 });
  const status = statusFor({ budget, pods: ready('a'), expectedCount: 1 });
  if (status === undefined) throw new Error('the first status is written');
  expect(plan({ budget: { ...budget, status }, pods: ready('a'), expectedCount: 1, now })).toEqual({
    actions: [],
    recheckAt: undefined,
  });
});
