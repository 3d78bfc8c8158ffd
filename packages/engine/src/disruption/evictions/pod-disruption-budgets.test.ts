import { fromTimestamp, type PodDisruptionBudget } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { printedEviction } from '../candidates/disruption-blocker.ts';
import { EvictionRules } from './pod-disruption-budgets.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const web = { app: 'web' };
type Figures = Partial<NonNullable<PodDisruptionBudget['status']>> & {
  readonly name?: string;
  readonly namespace?: string;
};
const budget = (
  spec: PodDisruptionBudget['spec'],
  { name = 'web', namespace = 'default', ...status }: Figures = {},
): PodDisruptionBudget => ({
  metadata: { name, namespace, generation: 2 },
  spec: { selector: { matchLabels: web }, ...spec },
  status: {
    observedGeneration: 2,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 2,
    expectedPods: 3,
    ...status,
  },
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
        budget({ maxUnavailable: 1 }, { disruptionsAllowed: 1 }),
        budget({ maxUnavailable: 1 }, { name: 'b', disruptionsAllowed: 1 }),
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
      fact: 'that has not started',
      of: pod({ phase: 'Pending' }),
      budgets: [budget({ maxUnavailable: 0 })],
      moves: true,
    },
    {
      fact: 'that is not ready, and whose budget has all it wants',
      of: broken,
      budgets: [budget({ maxUnavailable: 0 }, { currentHealthy: 3, desiredHealthy: 3 })],
      moves: true,
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

const withReady = (status: 'True' | 'False' | 'Unknown') => ({
  ...pod(),
  status: { phase: 'Running' as const, conditions: [{ type: 'Ready', status }] },
});
const unready = { ...pod(), status: { phase: 'Running' as const } };
const kept = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 };

describe('the answer of the Eviction API', () => {
  for (const { fact, of, budgets, answer } of [
    {
      fact: 'a ready pod whose budget has nothing left',
      of: pod(),
      budgets: [budget({ maxUnavailable: 1 })],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a ready pod whose budget has one left',
      of: pod(),
      budgets: [budget({ maxUnavailable: 1 }, { disruptionsAllowed: 1 })],
      answer: 'granted',
    },
    {
      fact: 'a Pending pod',
      of: pod({ phase: 'Pending' }),
      budgets: [budget({ maxUnavailable: 0 })],
      answer: 'granted',
    },
    {
      fact: 'a Pending pod of two budgets',
      of: pod({ phase: 'Pending' }),
      budgets: [budget({ maxUnavailable: 0 }), budget({ maxUnavailable: 0 }, { name: 'b' })],
      answer: 'granted',
    },
    {
      fact: 'a pod that is not ready, of two budgets',
      of: broken,
      budgets: [
        budget({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
        budget({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }, { name: 'b' }),
      ],
      answer: 'severalBudgets',
    },
    {
      fact: 'a pod that is not ready, below what its budget wants',
      of: broken,
      budgets: [budget({ minAvailable: 2 })],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a pod that is not ready, where its budget has all it wants',
      of: broken,
      budgets: [budget({ minAvailable: 2 }, kept)],
      answer: 'granted',
    },
    {
      fact: 'a pod that is not ready, where its budget, named IfHealthyBudget, has all it wants',
      of: broken,
      budgets: [budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'IfHealthyBudget' }, kept)],
      answer: 'granted',
    },
    {
      fact: 'a pod that is not ready, where its budget wants no healthy pod',
      of: broken,
      budgets: [budget({ maxUnavailable: '100%' }, { currentHealthy: 0, desiredHealthy: 0 })],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a ready pod, where its budget has just what it wants',
      of: pod(),
      budgets: [budget({ minAvailable: 2 }, kept)],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a pod that is not ready, below what its budget wants, with AlwaysAllow',
      of: broken,
      budgets: [budget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      answer: 'granted',
    },
    {
      fact: 'a ready pod with AlwaysAllow',
      of: pod(),
      budgets: [budget({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a pod of a node that fell silent, with AlwaysAllow',
      of: withReady('Unknown'),
      budgets: [budget({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      answer: 'granted',
    },
    {
      fact: 'a pod without the condition Ready, with AlwaysAllow',
      of: unready,
      budgets: [budget({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })],
      answer: 'granted',
    },
    {
      fact: 'a pod that has ended',
      of: pod({ phase: 'Succeeded' }),
      budgets: [budget({ maxUnavailable: 0 })],
      answer: 'granted',
    },
    {
      fact: 'a pod that is ending',
      of: pod({ deleting: true }),
      budgets: [budget({ maxUnavailable: 0 })],
      answer: 'granted',
    },
    {
      fact: 'a pod whose budget changed since its status was written',
      of: pod(),
      budgets: [budget({ maxUnavailable: 1 }, { disruptionsAllowed: 1, observedGeneration: 1 })],
      answer: 'unobservedBudget',
    },
    {
      fact: 'a pod whose budget waits for too many evictions to be confirmed',
      of: pod(),
      budgets: [
        budget(
          { maxUnavailable: '50%' },
          {
            disruptionsAllowed: 5,
            disruptedPods: Object.fromEntries(
              Array.from({ length: 2_001 }, (_, n) => [`w-${n}`, '2024-03-01T11:59:00Z']),
            ),
          },
        ),
      ],
      answer: 'exhaustedBudget',
    },
    {
      fact: 'a pod whose budget is never met by fewer pods, and has one too many now',
      of: pod(),
      budgets: [budget({ maxUnavailable: 0 }, { disruptionsAllowed: 1, currentHealthy: 4, desiredHealthy: 3 })],
      answer: 'granted',
    },
  ]) {
    test(`to ${fact} is ${answer}`, () => {
      expect(new EvictionRules(budgets).blockerOf(of, now)?.kind ?? 'granted').toBe(answer);
    });
  }
});

describe('a budget that can never allow an eviction is told apart', () => {
  const all = { desiredHealthy: 3, expectedPods: 3, currentHealthy: 2 };
  const blocker = (of: PodDisruptionBudget) => new EvictionRules([of]).blockerOf(pod(), now);
  for (const { of, rule } of [
    { of: budget({ maxUnavailable: 0 }), rule: 'its maxUnavailable is 0' },
    { of: budget({ maxUnavailable: '0%' }), rule: 'its maxUnavailable is 0%' },
    { of: budget({ minAvailable: '100%' }), rule: 'its minAvailable is 100%' },
    { of: budget({ minAvailable: 3 }, all), rule: 'it wants 3 healthy pods of 3 (minAvailable: 3)' },
    {
      of: budget({ minAvailable: 4 }, { ...all, desiredHealthy: 4 }),
      rule: 'it wants 4 healthy pods of 3 (minAvailable: 4)',
    },
    { of: budget({ minAvailable: '90%' }, all), rule: 'it wants 3 healthy pods of 3 (minAvailable: 90%)' },
  ]) {
    test(rule, () => {
      const found = blocker(of);
      expect(found).toEqual({ kind: 'fullyBlockingBudget', budgets: ['default/web'], rule });
      expect(found && printedEviction(pod(), found)).toBe(
        `PodDisruptionBudget default/web never allows an eviction of pod default/web-1 as it is: ${rule}`,
      );
    });
  }

  test('from one that allows none now', () => {
    const found = blocker(budget({ minAvailable: 2 }));
    expect(found).toEqual({
      kind: 'exhaustedBudget',
      budgets: ['default/web'],
      desiredHealthy: 2,
      currentHealthy: 1,
    });
    expect(found && printedEviction(pod(), found)).toBe(
      'PodDisruptionBudget default/web allows no eviction of pod default/web-1 now: it needs 2 healthy pods and has 1',
    );
  });

  test('and old figures do not make it one', () => {
    expect(blocker(budget({ minAvailable: 1 }, { ...all, observedGeneration: 1 }))?.kind).toBe('unobservedBudget');
  });
});

describe('names and namespaces', () => {
  test('several budgets are named in the order of their names', () => {
    const rules = new EvictionRules([budget({}, { name: 'b' }), budget({}, { name: 'a' })]);
    expect(rules.blockerOf(pod(), now)).toEqual({ kind: 'severalBudgets', budgets: ['default/a', 'default/b'] });
  });

  test('a budget and a pod without a namespace are of the default one', () => {
    const { namespace: _ofPod, ...metadata } = pod().metadata;
    const { namespace: _ofBudget, ...named } = budget({}).metadata;
    const rules = new EvictionRules([{ ...budget({}), metadata: named }]);
    expect(rules.blockerOf({ ...pod(), metadata }, now)).toMatchObject({ budgets: ['default/web'] });
    expect(rules.blockerOf(pod(), now)).toMatchObject({ budgets: ['default/web'] });
  });

  test('a budget whose selector cannot be read selects nothing', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Like', values: ['web'] }] } as never;
    expect(new EvictionRules([budget({ selector })]).blockerOf(pod(), now)).toBeUndefined();
  });

  test('a budget without figures allows nothing, and wants and has none', () => {
    const { status: _status, ...unseen } = budget({ maxUnavailable: 1 });
    const rules = new EvictionRules([{ ...unseen, metadata: { name: 'web', namespace: 'default' } }]);
    expect(rules.blockerOf(pod(), now)).toEqual({
      kind: 'exhaustedBudget',
      budgets: ['default/web'],
      desiredHealthy: 0,
      currentHealthy: 0,
    });
  });

  test('a pod that a drain leaves with its node is not blocked', () => {
    const tolerant = pod();
    const stays = { ...tolerant, spec: { ...tolerant.spec, tolerations: [{ operator: 'Exists' as const }] } };
    expect(new EvictionRules([budget({ maxUnavailable: 0 })]).blockerOf(stays, now)).toBeUndefined();
  });
});

test('without any budget there are no rules', () => {
  expect(new EvictionRules([]).areNone).toBe(true);
  expect(new EvictionRules([budget({ maxUnavailable: 1 })]).areNone).toBe(false);
});
