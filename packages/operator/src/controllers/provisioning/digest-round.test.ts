import { fromTimestamp } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { digestRound } from './digest-round.ts';
import type { RoundPlan } from './plan.ts';

test('a round is told in few words: new nodes, nodes that pods wait for, and the first pods without a place', () => {
  const pods = Array.from({ length: 25 }, (_, index) => aPod(`p${index}`));
  const plan = {
    create: [
      { newNode: { nodePool: aNodePool('a'), pods: pods.slice(0, 2), instanceTypes: [anInstanceType('m5.large')] } },
    ],
    nominate: [{ node: aNode('z'), pods: pods.slice(2, 3) }],
    waiting: [{ node: aNode('b'), pods: pods.slice(3, 5) }],
    unschedulable: pods.map((pod) => ({ pod, because: 'no type is large enough' })),
    deferred: [],
    unreached: 4,
  } as unknown as RoundPlan;
  const begun = fromTimestamp('2026-01-01T00:00:00Z');
  const digest = digestRound({ plan, pending: pods, begun, tookMs: 12 });
  expect(digest).toMatchObject({
    at: '2026-01-01T00:00:00Z',
    tookMs: 12,
    pendingPods: 25,
    newNodes: [{ nodePool: 'a', pods: 2, instanceTypes: 1 }],
    onNodes: [
      { node: 'b', pods: 2 },
      { node: 'z', pods: 1 },
    ],
    unschedulablePods: 25,
    deferredPods: 0,
    unreachedPods: 4,
  });
  expect(digest.unschedulable).toHaveLength(20);
  expect(digest.unschedulable[0]).toEqual({ pod: 'default/p0', because: 'no type is large enough' });
});
