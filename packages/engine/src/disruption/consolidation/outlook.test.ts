import { aLoosePool, aQuietNode, aRunningPod, aSnapshot, searchTime } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { consolidationOutlook } from './outlook.ts';

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] };
const pool = aLoosePool('default', { requirements: [onDemand] });
const large = aQuietNode('n', { instanceType: 'c16', pods: [aRunningPod('web', 'n', 3)] });
const small = aQuietNode('n', { pods: [aRunningPod('web', 'n', 3)] });

for (const { fact, nodes, around = {}, outlook } of [
  {
    fact: 'a node for which there is a cheaper one',
    nodes: [large],
    outlook: 'it can be replaced by one of c4, c8, saving $0.4800 per hour',
  },
  {
    fact: 'a node whose pods fit elsewhere',
    nodes: [small, aQuietNode('roomy', { managed: false })],
    outlook: 'it can be deleted: its pods fit on roomy, saving $0.1600 per hour',
  },
  {
    fact: 'a node that is the cheapest already',
    nodes: [small],
    outlook:
      'it is not consolidated: a replacement would not be cheaper: the node costs $0.1600 per hour, the cheapest that its pods fit, c4, up to $0.1600 per hour',
  },
  {
    fact: 'a pod that fits nowhere else',
    nodes: [aQuietNode('n', { pods: [aRunningPod('web', 'n', 3, { nodeSelector: { rack: '7' } })] })],
    outlook: /^it is not consolidated: pod default\/web would have no place: /,
  },
  {
    fact: 'a budget that is used up',
    nodes: [large],
    around: {
      pool: aLoosePool('default', {
        requirements: [onDemand],
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] },
      }),
    },
    outlook:
      'it can be replaced by one of c4, c8, saving $0.4800 per hour, but the disruption budgets of NodePool default allow 0 nodes, 0 are away',
  },
  { fact: 'an empty node', nodes: [aQuietNode('n')], outlook: 'it is empty and can be deleted' },
  {
    fact: 'an empty node with room for a buffer',
    nodes: [{ ...aQuietNode('n'), bufferPods: 2 }],
    outlook: 'it is not deleted as empty: capacity buffers hold room on it: 2 units',
  },
  {
    fact: 'a node whose pods have just come',
    nodes: [aQuietNode('n', { claimConditions: [], pods: [aRunningPod('web', 'n', 3)] })],
    outlook: 'it is not consolidated: pods have come or gone within consolidateAfter',
  },
  {
    fact: 'a node that may not be disrupted, which says enough',
    nodes: [aQuietNode('n', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })],
    outlook: undefined,
  },
]) {
  test(fact, () => {
    const [node] = nodes;
    if (node === undefined) throw new Error('no node');
    const told = consolidationOutlook(node, aSnapshot(nodes, { pool, ...around }), {
      now: searchTime,
      spotToSpot: false,
    });
    if (outlook instanceof RegExp) expect(told).toMatch(outlook);
    else expect(told).toBe(outlook);
  });
}
