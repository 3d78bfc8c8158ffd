import type { Node, Taint } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { correctedTaints } from './taints.ts';

const at = '2024-01-28T16:00:00Z';
const own: Taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };

const aNode = (ready: 'True' | 'False' | 'Unknown', taints: readonly Taint[], unschedulable = false): Node => ({
  metadata: { name: 'a' },
  spec: { taints, unschedulable },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

const taint = (name: string, effect: Taint['effect']): Taint => ({ key: `node.kubernetes.io/${name}`, effect });

for (const { fact, node, taints } of [
  { fact: 'a ready node keeps its own taints', node: aNode('True', [own]), taints: undefined },
  {
    fact: 'a node that is not ready takes no pods and keeps none for ever',
    node: aNode('False', [own, taint('not-ready', 'NoSchedule')]),
    taints: [own, taint('not-ready', 'NoSchedule'), { ...taint('not-ready', 'NoExecute'), timeAdded: at }],
  },
  {
    fact: 'a node that becomes ready loses what said that it was not',
    node: aNode('True', [taint('not-ready', 'NoSchedule'), own, taint('not-ready', 'NoExecute')]),
    taints: [own],
  },
  {
    fact: 'a silent node is unreachable, not just not ready',
    node: aNode('Unknown', [taint('not-ready', 'NoSchedule')]),
    taints: [
      { ...taint('unreachable', 'NoSchedule'), timeAdded: at },
      { ...taint('unreachable', 'NoExecute'), timeAdded: at },
    ],
  },
  {
    fact: 'a cordoned node says so',
    node: aNode('True', [], true),
    taints: [{ ...taint('unschedulable', 'NoSchedule'), timeAdded: at }],
  },
]) {
  test(fact, () => {
    expect(correctedTaints(node, at)).toEqual(taints);
  });
}
