import { fromTimestamp, type NodeGroup } from '@nodewright/apis';
import { aClusterReading, aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { listAttention } from '../attention/list-attention.ts';
import { viewDashboard } from './dashboard.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const heldSince = '2024-03-01T10:00:00Z';

/** Node `a` of the managed node group `system`, on the old image. */
function aGroupNode(image = 'ami-1') {
  const state = aNode('a', { managed: false });
  if (state.node === undefined) throw new Error('a node without a Node');
  const { metadata } = state.node;
  const labels = {
    ...metadata.labels,
    'eks.amazonaws.com/nodegroup': 'system',
    'eks.amazonaws.com/nodegroup-image': image,
    'eks.amazonaws.com/capacityType': 'ON_DEMAND',
  };
  return { ...state, node: { ...state.node, metadata: { ...metadata, labels } } };
}

function viewGroupWith(status: NonNullable<NodeGroup['status']>, image?: string) {
  const group: NodeGroup = {
    metadata: { name: 'workers' },
    spec: { eks: { name: 'system' } },
    status: { target: { image: 'ami-2', release: 'v2' }, nodes: { total: 3, updated: 1, ready: 3 }, ...status },
  };
  const reading = aClusterReading({ nodes: [aGroupNode(image)], nodeGroups: [group] });
  const dashboard = viewDashboard({ reading, reports: [], now });
  const attention = listAttention(dashboard).map(({ urgency, what, why }) => [urgency, what, why]);
  return { ...dashboard, attention };
}

const blockedReason = 'PodDisruptionBudget web/api never lets pod web/api-1 leave a';

test('a node that its group cannot replace is held by the PodDisruptionBudget, and the group says how far it is', () => {
  const blocker = {
    reason: 'PodDisruptionBudget',
    message: blockedReason,
    namespace: 'web',
    podDisruptionBudget: 'api',
    since: heldSince,
  };
  const blockedBy = [
    { ...blocker, node: 'a' },
    { ...blocker, node: 'b' },
  ];
  const { nodes, blockers, attention } = viewGroupWith({ phase: 'Blocked', reason: blockedReason, blockedBy });
  expect(nodes).toMatchObject([{ stage: 'toMove', group: 'NodeGroup/workers', capacityType: 'on-demand' }]);
  const object = { kind: 'PodDisruptionBudget', name: 'web/api' };
  expect(blockers).toMatchObject([
    {
      node: 'a',
      because: 'NodeGroup workers: v2',
      since: heldSince,
      causes: [{ cause: 'eviction', message: blockedReason, object }],
    },
  ]);
  expect(attention).toEqual([
    ['waitsForPerson', 'NodeGroup workers is blocked: 1 of 3 nodes updated, to v2', blockedReason],
    ['waitsForPerson', '1 node is held by PodDisruptionBudget web/api', blockedReason],
  ]);
});

test('the nodes of a group that no NodeGroup is about are named by the group in AWS', () => {
  const reading = aClusterReading({ nodes: [aGroupNode()], nodeGroups: [] });
  const { nodes, spending } = viewDashboard({ reading, reports: [], now });
  expect([...nodes, ...spending].map(({ group }) => group)).toEqual(Array(2).fill('managed node group system'));
  expect(spending[0]?.explain).toBeUndefined();
});

test('a group that waits for its release holds its old nodes by itself', () => {
  const waits = 'v2 is too young until 2024-03-05T00:00:00Z';
  const { nodes, blockers, attention } = viewGroupWith({ phase: 'Outdated', reason: waits });
  expect(nodes.map(({ stage }) => stage)).toEqual(['toMove']);
  expect(blockers.map(({ causes }) => causes.map(({ cause, message }) => [cause, message]))).toEqual([
    [['nodeGroup', waits]],
  ]);
  expect(attention).toEqual([['goesOn', '1 node is held by NodeGroup workers', waits]]);
});

test('a group at work goes on, one that has failed does not, and one that is up to date is not told of', () => {
  const update = { number: 1, target: 'v2', startedAt: heldSince };
  const going = viewGroupWith({ phase: 'Updating', reason: 'drains 1 node', update });
  expect([going.blockers, going.attention]).toEqual([
    [],
    [['goesOn', 'NodeGroup workers: 1 of 3 nodes updated, to v2', 'drains 1 node']],
  ]);
  const failed = viewGroupWith({ phase: 'Failed', reason: 'the update failed: PodEvictionFailure' });
  expect(failed.attention[0]?.slice(0, 2)).toEqual([
    'broken',
    'NodeGroup workers has failed: 1 of 3 nodes updated, to v2',
  ]);
  const done = viewGroupWith({ phase: 'UpToDate', reason: 'all nodes run v2' }, 'ami-2');
  expect([done.nodes[0]?.stage, done.blockers, done.attention]).toEqual(['ready', [], []]);
});
