import { fromTimestamp, type Node, type Taint, type Toleration } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { plan } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const since = '2024-01-28T15:58:00Z';

const maintenance: Taint = { key: 'maintenance', effect: 'NoExecute', timeAdded: since };
const unreachable: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: since };
const noSchedule: Taint = { key: 'dedicated', effect: 'NoSchedule', timeAdded: since };

const aNode = (...taints: readonly Taint[]): Node => ({ metadata: { name: 'node-1' }, spec: { taints } });
const tolerated = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

for (const { fact, node, tolerations = [], expected } of [
  { fact: 'stays on a node without taints', node: aNode(), expected: undefined },
  { fact: 'stays on a node that only turns new pods away', node: aNode(noSchedule), expected: undefined },
  { fact: 'leaves at once for a taint that it does not tolerate', node: aNode(maintenance), expected: 'evict' },
  {
    fact: 'stays when it tolerates the taint for ever',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance')],
    expected: undefined,
  },
  {
    fact: 'leaves when its time is over',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance', 120)],
    expected: 'evict',
  },
  {
    fact: 'stays until its time is over',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance', 180)],
    expected: '2024-01-28T16:01:00Z',
  },
  {
    fact: 'leaves by the shortest of several tolerations',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance', 600), tolerated('maintenance', 150)],
    expected: '2024-01-28T16:00:30Z',
  },
  {
    fact: 'leaves by the limited one of two tolerations',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance'), tolerated('maintenance', 150)],
    expected: '2024-01-28T16:00:30Z',
  },
  {
    fact: 'leaves at once for a negative time',
    node: aNode(maintenance),
    tolerations: [tolerated('maintenance', -1)],
    expected: 'evict',
  },
  { fact: 'has five minutes on an unreachable node', node: aNode(unreachable), expected: '2024-01-28T16:03:00Z' },
  {
    fact: 'has the time that it asks for on an unreachable node',
    node: aNode(unreachable),
    tolerations: [tolerated(unreachable.key, 30)],
    expected: 'evict',
  },
  { fact: 'leaves by the first of several taints', node: aNode(unreachable, maintenance), expected: 'evict' },
]) {
  test(`a pod ${fact}`, () => {
    const { actions, recheckAt } = plan({ pod: aPod('web', { nodeName: 'node-1', tolerations }), node, now });
    const isEvicted = expected === 'evict';
    expect(actions).toEqual(isEvicted ? ['evict'] : []);
    expect(recheckAt).toBe(isEvicted || expected === undefined ? undefined : fromTimestamp(expected));
  });
}
