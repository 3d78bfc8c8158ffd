import type { Pod, PodDisruptionBudget } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { groupPods } from './group-pods.ts';

const labels = { app: 'web' };
const whole: PodDisruptionBudget = {
  metadata: { name: 'web', namespace: 'default', generation: 1 },
  spec: { selector: { matchLabels: labels }, maxUnavailable: 0 },
  status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 3, expectedPods: 3 },
};
const pod = (phase: 'Running' | 'Pending'): Pod =>
  aPod('web-1', { nodeName: 'n', labels, ownerKind: 'ReplicaSet', phase });
const seen = (of: Pod, budget = whole) => groupPods([of], [budget])[0];

test('a ready pod is held for good by a budget that never allows an eviction', () => {
  expect(seen(pod('Running'))).toMatchObject({ budgets: [{ name: 'web', disruptionsAllowed: 0 }], heldForGood: 'web' });
});

test('a pod that has not started is held by no budget', () => {
  expect(seen(pod('Pending'))).toMatchObject({ budgets: [] });
  expect(seen(pod('Pending'))?.heldForGood).toBeUndefined();
});

test('a budget with a selector that cannot be read holds nothing', () => {
  const selector = { matchExpressions: [{ key: 'app', operator: 'Like', values: ['web'] }] };
  const unreadable = { ...whole, spec: { ...whole.spec, selector } } as unknown as PodDisruptionBudget;
  expect(seen(pod('Running'), unreadable)).toMatchObject({ budgets: [] });
});
