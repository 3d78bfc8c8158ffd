import { type Condition, fromTimestamp, type PodDisruptionBudget } from '@nodewright/apis';
import { aClusterReading, aLoosePool, aNode, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { viewBlockers } from '../views/blockers.ts';
import { explainNode } from './explain-node.ts';
import { explainNodePool } from './explain-node-pool.ts';
import { createNodeJudges } from './node-judges.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const claimConditions: readonly Condition[] = [
  { type: 'Drifted', status: 'True', reason: 'AMIDrift', lastTransitionTime: '2024-03-01T10:00:00Z' },
];
const labels = { app: 'web' };
const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
const budget: PodDisruptionBudget = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { matchLabels: labels }, maxUnavailable: 0 },
};
const protectedPods = ['web-1', 'web-2'].map((name) => aPod(name, { nodeName: 'a', labels, annotations }));

describe('a pod that is protected twice', () => {
  test.each([
    { fact: 'on a node that has drifted', traits: { claimConditions } },
    { fact: 'on a node that is leaving', traits: { markedForDeletion: true } },
  ])('$fact: both protections are told', ({ traits }) => {
    const reading = aClusterReading({
      nodes: [aNode('a', { ...traits, pods: protectedPods.slice(0, 1) })],
      podDisruptionBudgets: [budget],
    });
    const [row] = viewBlockers(reading, createNodeJudges(reading, now), now);
    expect(row?.causes.map(({ cause, object }) => `${cause} ${object?.name}`)).toEqual([
      'protectedPod default/web-1',
      'eviction default/web',
    ]);
    const { answer, reasons } = explainNode('a', reading, now);
    for (const { message } of row?.causes ?? []) expect([answer, ...reasons].join('\n')).toContain(message);
  });

  test('each protected pod is told, and a budget once', () => {
    const reading = aClusterReading({
      nodes: [aNode('a', { claimConditions, pods: protectedPods })],
      podDisruptionBudgets: [budget],
    });
    const [row] = viewBlockers(reading, createNodeJudges(reading, now), now);
    expect(row?.causes.map(({ object }) => object?.name)).toEqual(['default/web-1', 'default/web-2', 'default/web']);
  });
});

describe('where AWS does not tell the instance types of a pool', () => {
  const withoutTypes = (traits: Parameters<typeof aClusterReading>[0]) => {
    const reading = aClusterReading(traits);
    return {
      ...reading,
      disruption: { ...reading.disruption, supplies: [] },
      unsuppliedPools: new Map([['default', 'no credentials']]),
    };
  };

  test('a drifted node that nothing holds is to move, and nobody says when', () => {
    const reading = withoutTypes({ nodes: [aNode('a', { claimConditions })] });
    expect(explainNode('a', reading, now).answer).toBe(
      'has drifted, and nothing in the cluster holds it; where its pods could go is not known here, because AWS does not tell the instance types of NodePool default',
    );
    expect(viewBlockers(reading, createNodeJudges(reading, now), now)).toEqual([]);
  });

  test.each([
    {
      holder: 'a PodDisruptionBudget',
      traits: { nodes: [aNode('a', { claimConditions, pods: [aPod('web-1', { nodeName: 'a', labels })] })] },
      cause: 'eviction default/web',
    },
    {
      holder: 'the budget of its pool',
      traits: {
        nodes: [aNode('a', { claimConditions })],
        pool: aLoosePool('default', { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } }),
      },
      cause: 'budget default',
    },
  ])('a drifted node is held by $holder all the same', ({ traits, cause }) => {
    const reading = withoutTypes({ ...traits, podDisruptionBudgets: [budget] });
    const [row] = viewBlockers(reading, createNodeJudges(reading, now), now);
    expect(row?.causes.map(({ cause: kind, object }) => `${kind} ${object?.name}`)).toEqual([cause]);
  });

  test('neither the pool nor a node that stays is said to be at fault', () => {
    const reading = withoutTypes({ nodes: [aNode('a')] });
    expect(explainNode('a', reading, now).reasons.join('\n')).not.toContain('cannot be launched from');
    expect(explainNode('a', reading, now).reasons.join('\n')).toContain('because AWS does not tell');
    expect(explainNodePool('default', reading, now).answer).not.toContain('0 instance types');
  });
});
