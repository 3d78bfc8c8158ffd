import { fromTimestamp, type PodDisruptionBudget } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { EvictionRules } from './pod-disruption-budgets.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const web = { app: 'web' };
const budget = (
  spec: PodDisruptionBudget['spec'],
  { name = 'web', namespace = 'default', allowed = 0 } = {},
): PodDisruptionBudget => ({
  metadata: { name, namespace },
  spec: { selector: { matchLabels: web }, ...spec },
  status: { disruptionsAllowed: allowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
});
const pod = (more: Parameters<typeof aPod>[1] = {}) =>
  aPod('web-1', { labels: web, nodeName: 'n', ownerKind: 'ReplicaSet', ...more });
const broken = {
  ...pod(),
  status: { phase: 'Running' as const, conditions: [{ type: 'Ready', status: 'False' as const }] },
};

describe('a pod of a node that leaves', () => {
  for (const { fact, of, budgets, moves } of [
    { fact: 'that nothing holds', of: pod(), budgets: [], moves: true },
    { fact: 'whose budget is used up just now', of: pod(), budgets: [budget({ maxUnavailable: 1 })], moves: true },
    { fact: 'of which none may ever be missing', of: pod(), budgets: [budget({ maxUnavailable: 0 })], moves: false },
    { fact: 'of which no part may be missing', of: pod(), budgets: [budget({ maxUnavailable: '0%' })], moves: false },
    { fact: 'of which all have to be there', of: pod(), budgets: [budget({ minAvailable: '100%' })], moves: false },
    {
      fact: 'that two budgets select, whatever they allow',
      of: pod(),
      budgets: [
        budget({ maxUnavailable: 1 }, { allowed: 1 }),
        budget({ maxUnavailable: 1 }, { name: 'b', allowed: 1 }),
      ],
      moves: false,
    },
    {
      fact: 'whose budget is of another namespace',
      of: pod(),
      budgets: [budget({ maxUnavailable: 0 }, { namespace: 'other' })],
      moves: true,
    },
    {
      fact: 'that is not ready, and whose budget lets such pods go',
      of: broken,
      budgets: [budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      moves: true,
    },
    {
      fact: 'that is not ready, and whose budget says nothing of that',
      of: broken,
      budgets: [budget({ maxUnavailable: 0 })],
      moves: false,
    },
    {
      fact: 'that no drain evicts, whatever its budget says',
      of: pod({ tolerations: [{ operator: 'Exists' }] }),
      budgets: [budget({ maxUnavailable: 0 })],
      moves: true,
    },
    {
      fact: 'that must not be disrupted',
      of: pod({ annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
      budgets: [],
      moves: false,
    },
    { fact: 'that has ended', of: pod({ phase: 'Succeeded' }), budgets: [], moves: false },
    { fact: 'that is ending', of: pod({ deleting: true }), budgets: [], moves: false },
    {
      fact: 'that is ending and comes back under its name',
      of: pod({ deleting: true, ownerKind: 'StatefulSet' }),
      budgets: [budget({ maxUnavailable: 0 })],
      moves: true,
    },
    { fact: 'of a DaemonSet', of: pod({ ownerKind: 'DaemonSet' }), budgets: [], moves: false },
  ]) {
    test(`${moves ? 'gets' : 'does not get'} a place elsewhere beforehand: one ${fact}`, () => {
      expect(new EvictionRules(budgets).canMove(of, now)).toBe(moves);
    });
  }
});

test('a budget that is used up blocks an eviction now, and is named', () => {
  const rules = new EvictionRules([budget({ maxUnavailable: 1 })]);
  expect(rules.blockerOf(pod(), now)).toEqual({ kind: 'exhaustedBudget', budgets: ['default/web'] });
  expect(new EvictionRules([budget({ maxUnavailable: 1 }, { allowed: 1 })]).blockerOf(pod(), now)).toBeUndefined();
});
