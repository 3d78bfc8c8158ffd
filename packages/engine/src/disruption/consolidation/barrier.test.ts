import { aLoosePool, aQuietNode, aRunningPod, aSnapshot, judgementOfTest } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { isBarrierReported, printedBarrier } from './barrier.ts';
import { gatherCandidates } from './gather.ts';

const gathered = (traits: Parameters<typeof aQuietNode>[1] = {}, pool = aLoosePool()) =>
  gatherCandidates(
    judgementOfTest(aSnapshot([aQuietNode('n', { pods: [aRunningPod('web', 'n', 1)], ...traits })], { pool })),
  );

test('a quiet node with pods in a pool that consolidates may go', () => {
  const { candidates, barred, blocked } = gathered();
  expect([candidates.length, barred, blocked]).toEqual([1, [], []]);
});

for (const { fact, traits = {}, pool = aLoosePool(), because, isTold } of [
  {
    fact: 'a type that nobody knows',
    traits: { instanceType: 'old' },
    because: 'no instance type "old"',
    isTold: true,
  },
  {
    fact: 'no capacity type',
    traits: { labels: { 'karpenter.sh/capacity-type': undefined } },
    because: 'no label karpenter.sh/capacity-type',
    isTold: true,
  },
  {
    fact: 'no zone',
    traits: { labels: { 'topology.kubernetes.io/zone': undefined } },
    because: 'no label topology.kubernetes.io/zone',
    isTold: true,
  },
  {
    fact: 'consolidateAfter: Never',
    pool: aLoosePool('default', { disruption: { consolidateAfter: 'Never' } }),
    because: 'NodePool default has consolidation disabled',
    isTold: true,
  },
  {
    fact: 'consolidationPolicy: WhenEmpty',
    pool: aLoosePool('default', { disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' } }),
    because: 'has non-empty consolidation disabled',
    isTold: true,
  },
  { fact: 'pods that came or went a moment ago', traits: { claimConditions: [] }, because: 'within consolidateAfter' },
  { fact: 'no pods: emptiness takes it', traits: { pods: [] }, because: 'no pod on it needs another place' },
  { fact: 'a fixed number of nodes', pool: aLoosePool('default', { replicas: 3 }), because: 'a fixed number of nodes' },
] as readonly {
  fact: string;
  traits?: Parameters<typeof aQuietNode>[1];
  pool?: ReturnType<typeof aLoosePool>;
  because: string;
  isTold?: boolean;
}[]) {
  test(`not with ${fact}`, () => {
    const { candidates, barred } = gathered(traits, pool);
    expect(candidates).toEqual([]);
    expect(barred.map(({ barrier }) => printedBarrier(barrier)).join()).toContain(because);
    expect(barred.map(({ barrier }) => isBarrierReported(barrier))).toEqual([isTold ?? false]);
  });
}

test('pods that cost less than nothing to evict do not make a node busy', () => {
  const worthless = { 'controller.kubernetes.io/pod-deletion-cost': '-2147483648' };
  const { barred } = gathered({ pods: [aRunningPod('batch', 'n', 1, { annotations: worthless })] });
  expect(barred.map(({ barrier }) => barrier.kind)).toEqual(['empty']);
});
