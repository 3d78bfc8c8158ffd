import { fromTimestamp } from '@nodewright/apis';
import type { ClusterReading } from '@nodewright/operator';
import { aClusterReading, aLoosePool, aNode, aQuietNode, aRunningPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { viewKeptNodes } from './kept-nodes.ts';
import { planSavings, viewSavings } from './savings.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const since = '2024-03-01T10:00:00Z';

test('savings are told where they come next, and where something holds them', () => {
  const protectedPod = aRunningPod('kept', 'held', 1, { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
  const nodes = [aQuietNode('empty'), aQuietNode('held', { pods: [protectedPod] })];
  const reading = aClusterReading({ nodes });
  const rows = viewSavings(reading, planSavings(reading, now));
  expect(rows.map(({ id, isNext, microUsdPerHour, message }) => [id, isNext, microUsdPerHour, message])).toEqual([
    ['empty', true, 160_000, 'it is empty and is deleted next'],
    ['held', false, 160_000, 'pod default/kept carries the annotation karpenter.sh/do-not-disrupt'],
  ]);
});

describe('nodes that consolidation leaves alone', () => {
  const busyNode = (name: string) => aQuietNode(name, { pods: [aRunningPod(`web-${name}`, name, 1)] });
  const viewOf = (reading: ClusterReading) => {
    const plans = planSavings(reading, now);
    return { savings: viewSavings(reading, plans), kept: viewKeptNodes(reading, plans) };
  };

  test('are told together, with what they cost and why, where their pool forbids it', () => {
    const never = aLoosePool('default', { disruption: { consolidateAfter: 'Never' } });
    const reading = aClusterReading({ nodes: [busyNode('a'), busyNode('b'), aQuietNode('c')], pool: never });
    expect(viewOf(reading)).toEqual({
      savings: [],
      kept: [
        {
          id: 'NodePool/default|NodePool "default" has consolidation disabled: its consolidateAfter is Never',
          group: 'NodePool/default',
          nodes: 3,
          microUsdPerHour: 480_000,
          message: 'NodePool "default" has consolidation disabled: its consolidateAfter is Never',
          explain: 'nodepool/default',
        },
      ],
    });
  });

  test('tell that they wait where pods have come or gone, and leave out those that start or leave', () => {
    const claimConditions = [{ type: 'Initialized', status: 'True', lastTransitionTime: since }] as const;
    const nodes = [
      aNode('a', { pods: [aRunningPod('web', 'a', 1)], claimConditions }),
      aNode('b', { stage: 'inFlight' }),
      aNode('c', { markedForDeletion: true, claimConditions }),
    ];
    expect(viewOf(aClusterReading({ nodes })).kept.map((row) => [row.nodes, row.message, row.explain])).toEqual([
      [1, 'pods have come or gone within consolidateAfter, 0s', 'node/a'],
    ]);
  });

  test('are not among those that could be saved, and every other eligible node says whether it was tried', () => {
    const nodes = Array.from({ length: 30 }, (_, index) => busyNode(`n${String(index).padStart(2, '0')}`));
    const { savings, kept } = viewOf(aClusterReading({ nodes }));
    const saved = new Set(savings.flatMap((row) => row.nodes));
    expect(kept.reduce((sum, row) => sum + row.nodes, 0) + saved.size).toBe(30);
  });
});
