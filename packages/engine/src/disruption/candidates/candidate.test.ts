import { fromTimestamp, type PodDisruptionBudget } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../cluster/node-state.ts';
import { candidacyOf, type CandidateContext, type DisruptionClass } from './candidate.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

const aBudget = (name: string, namespace = 'default'): PodDisruptionBudget => ({
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 0 },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
});

const context = (disruptionClass: DisruptionClass, budgets: readonly PodDisruptionBudget[] = []): CandidateContext => ({
  supplies: [{ nodePool: aNodePool(), instanceTypes: [anInstanceType('c4', { cpu: 4 })] }],
  queued: new Set(),
  rules: new EvictionRules(budgets),
  disruptionClass,
  reason: 'Underutilized',
  now,
});

type PodTraits = NonNullable<Parameters<typeof aPod>[1]>;
const held = { 'karpenter.sh/do-not-disrupt': 'true' };
const web = (traits: PodTraits = {}) =>
  aPod('web', { nodeName: 'n', labels: { app: 'web' }, ownerKind: 'ReplicaSet', ...traits });
const withPod = (traits: PodTraits, forced = false): NodeState =>
  aNode('n', { pods: [web(traits)], ...(forced ? { terminationGracePeriod: '1h' } : {}) });

const blocks = (
  state: NodeState,
  disruptionClass: DisruptionClass,
  budgets?: readonly PodDisruptionBudget[],
): string => {
  const candidacy = candidacyOf(state, context(disruptionClass, budgets));
  return candidacy.kind === 'candidate' ? 'candidate' : candidacy.blocker.kind;
};

describe('a pod', () => {
  for (const { fact, pod, budgets, blocked } of [
    { fact: 'that must not be disrupted', pod: { annotations: held }, blocked: 'protectedPod' },
    {
      fact: 'of a DaemonSet that must not be disrupted',
      pod: { annotations: held, ownerKind: 'DaemonSet' },
      blocked: 'protectedPod',
    },
    {
      fact: 'of the kubelet that must not be disrupted',
      pod: { annotations: held, ownerKind: 'Node' },
      blocked: 'protectedPod',
    },
    { fact: 'whose budget allows no eviction', pod: {}, budgets: [aBudget('web')], blocked: 'eviction' },
    {
      fact: 'of a DaemonSet whose budget allows no eviction',
      pod: { ownerKind: 'DaemonSet' },
      budgets: [aBudget('web')],
      blocked: 'eviction',
    },
    {
      fact: 'that has not started and whose budget allows no eviction',
      pod: { phase: 'Pending' },
      budgets: [aBudget('web')],
      blocked: 'candidate',
    },
    { fact: 'with two budgets', pod: {}, budgets: [aBudget('a'), aBudget('b')], blocked: 'eviction' },
    {
      fact: 'of the kubelet',
      pod: { ownerKind: 'Node' },
      budgets: [aBudget('web')],
      blocked: 'candidate',
    },
    { fact: 'with a budget of another namespace', pod: {}, budgets: [aBudget('web', 'other')], blocked: 'candidate' },
    { fact: 'that ends', pod: { annotations: held, deleting: true }, budgets: [aBudget('web')], blocked: 'candidate' },
    {
      fact: 'that has ended',
      pod: { annotations: held, phase: 'Failed' },
      budgets: [aBudget('web')],
      blocked: 'candidate',
    },
  ] as readonly { fact: string; pod: PodTraits; budgets?: readonly PodDisruptionBudget[]; blocked: string }[]) {
    const verb = blocked === 'candidate' ? 'holds nothing back' : 'holds its node back';
    test(`${fact} ${verb}`, () => {
      for (const each of ['graceful', 'eventual'] as const) expect(blocks(withPod(pod), each, budgets)).toBe(blocked);
    });
    test(`${fact} ${verb} only from what can wait, where the node has a terminationGracePeriod`, () => {
      expect(blocks(withPod(pod, true), 'graceful', budgets)).toBe(blocked);
      expect(blocks(withPod(pod, true), 'eventual', budgets)).toBe('candidate');
    });
  }
});

test('a node lacking the labels that tell its price is a candidate all the same', () => {
  const labels = { 'karpenter.sh/capacity-type': '', 'topology.kubernetes.io/zone': '' };
  const candidacy = candidacyOf(aNode('n', { instanceType: 'gone', labels }), context('graceful'));
  expect(candidacy).toMatchObject({ kind: 'candidate', candidate: { priceMicroUsdPerHour: 0 } });
  expect(candidacy.kind === 'candidate' && candidacy.candidate.instanceType).toBe(undefined);
});
