import { type Condition, instant, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { RunWatch } from './watch-run.ts';

const isTrue = (type: string, reason: string): Condition => ({ type, status: 'True', reason });

const labels = {
  'karpenter.sh/nodepool': 'default',
  'node.kubernetes.io/instance-type': 'm5.large',
  'topology.kubernetes.io/zone': 'us-east-1a',
};

const claim = (conditions: readonly Condition[], metadata: object = {}) => ({
  kind: 'NodeClaim',
  apiVersion: 'karpenter.sh/v1',
  metadata: { name: 'a', labels, ...metadata },
  status: { nodeName: 'node-a', conditions },
});

function follow() {
  let now = instant(0);
  const priceOf = () => ({ vcpus: 2, microUsdPerHour: 96_000 });
  const watch = new RunWatch({ now: () => now, groupOf: () => undefined, priceOf });
  const see = (type: 'MODIFIED' | 'DELETED', object: ReturnType<typeof claim>): void => {
    now = instant(now + minutes(1));
    watch.see({ type, collection: 'nodeclaims.karpenter.sh', object });
  };
  see('MODIFIED', claim([]));
  watch.begin();
  return { see, results: () => watch.results() };
}

const drifted = isTrue('Drifted', 'AMIDrift');
const chosen = isTrue('DisruptionReason', 'Drifted');

test('a node that goes has its reason and the instants of its replacement', () => {
  const { see, results } = follow();
  see('MODIFIED', claim([drifted, chosen]));
  see('MODIFIED', claim([drifted, chosen], { deletionTimestamp: '2025-01-01T00:00:00Z' }));
  see('DELETED', claim([drifted, chosen], { deletionTimestamp: '2025-01-01T00:00:00Z' }));
  const { nodes, fleet } = results();
  expect(nodes).toMatchObject([{ reason: 'AMIDrift', chosenAt: minutes(2), leavesAt: minutes(3), goneAt: minutes(4) }]);
  expect(fleet.map(({ nodes: count }) => count)).toEqual([1, 0]);
});

test('a node has the command by which it leaves', () => {
  const { see, results } = follow();
  const annotations = { 'nodewright.dev/disruption-command': '{"id":"c-1","replacements":1}' };
  see('MODIFIED', claim([drifted, chosen], { annotations }));
  see('MODIFIED', claim([], { name: 'b', annotations: { 'nodewright.dev/replacement-for': 'c-1' } }));
  expect(results().nodes.map(({ command, launchedBy }) => [command, launchedBy])).toEqual([
    ['c-1', undefined],
    [undefined, 'c-1'],
  ]);
});

test('a node whose replacement is called off, and that is as it should be again, has no reason to go', () => {
  const { see, results } = follow();
  see('MODIFIED', claim([drifted, chosen]));
  see('MODIFIED', claim([]));
  const [node] = results().nodes;
  expect([node?.reason, node?.chosenAt]).toEqual([undefined, undefined]);
});
