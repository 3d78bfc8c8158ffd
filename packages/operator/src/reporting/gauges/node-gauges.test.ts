import { fromTimestamp, type KubernetesObject, type Pod } from '@nodewright/apis';
import type { NodeState } from '@nodewright/engine';
import { createMetrics, virtualTime, type KubernetesClient } from '@nodewright/runtime';
import { aNode, aPod } from '@nodewright/testkit';
import { printSeries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { ClusterState } from '../../state/cluster-state.ts';
import { createObjects } from '../../state/objects.ts';
import { UnsyncedTime } from '../../state/unsynced-time.ts';
import { nodeGauges } from './node-gauges.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

/** `cpu 3.9` and so on of the metric, of the node where one is given. */
async function readNodeGauges(states: readonly NodeState[], pods: readonly Pod[] = []) {
  const [metrics, objects] = [createMetrics(), createObjects({} as KubernetesClient)];
  const { clock } = virtualTime(now);
  const state = new ClusterState(objects);
  for (const { node, nodeClaim } of states) {
    if (node !== undefined) objects.nodes.cache.seen(node);
    if (nodeClaim !== undefined) objects.nodeClaims.cache.seen(nodeClaim);
  }
  for (const pod of pods) objects.pods.cache.seen(pod);
  const unsynced = new UnsyncedTime(objects, state, clock);
  const gauges = nodeGauges({ metrics, state, unsynced, clock });
  gauges.refresh();
  const lines = await printSeries(metrics, 'karpenter_');
  const read = (metric: string, node?: string): readonly string[] =>
    lines
      .filter((line) => new RegExp(`^karpenter_${metric}[ {]`).test(line))
      .filter((line) => node === undefined || line.includes(`node_name="${node}"`))
      .map((line) => `${/resource_type="([^"]*)"/.exec(line)?.[1] ?? ''} ${line.split(' ').at(-1) ?? ''}`.trim());
  return { read, lines };
}

const withLimits = (pod: Pod, limits: Readonly<Record<string, string>>): Pod => ({
  ...pod,
  spec: { ...pod.spec, containers: [{ name: 'main', resources: { requests: { cpu: '100m' }, limits } }] },
});

test('what nodes have is told in cores and bytes, less what the system keeps', async () => {
  const plain = aNode('a', { allocatable: { cpu: '3920m', memory: '1Ki', 'ephemeral-storage': '5' } });
  const state: NodeState = {
    ...plain,
    ...(plain.node === undefined
      ? {}
      : { node: { ...plain.node, status: { ...plain.node.status, capacity: { cpu: '4', memory: '2Ki' } } } }),
  };
  const { read } = await readNodeGauges([state]);
  expect(read('nodes_allocatable', 'a')).toEqual(['cpu 3.92', 'ephemeral_storage 5', 'memory 1024']);
  expect(read('nodes_system_overhead', 'a')).toContain('cpu 0.08');
  expect(read('nodes_system_overhead', 'a')).toContain('memory 1024');
});

test('what pods take is told apart from what daemons take; pods that have ended take nothing', async () => {
  const on = { nodeName: 'a' };
  const { read } = await readNodeGauges(
    [aNode('a')],
    [
      aPod('one', { ...on, requests: { cpu: '250m' } }),
      aPod('two', { ...on, requests: { cpu: '1' } }),
      aPod('ended', { ...on, phase: 'Succeeded', requests: { cpu: '2' } }),
      aPod('daemon', { ...on, ownerKind: 'DaemonSet', requests: { cpu: '100m' } }),
    ],
  );
  expect(read('nodes_total_pod_requests', 'a')).toEqual(['cpu 1.25', 'pods 2']);
  expect(read('nodes_total_daemon_requests', 'a')).toEqual(['cpu 0.1', 'pods 1']);
  expect(read('cluster_utilization_percent')).toEqual(['cpu 33.75', 'memory 0', 'pods 2.727272727272727']);
});

test('limits add up without counting pods', async () => {
  const { read } = await readNodeGauges(
    [aNode('a')],
    [
      withLimits(aPod('one', { nodeName: 'a' }), { cpu: '500m' }),
      withLimits(aPod('two', { nodeName: 'a' }), { cpu: '1', memory: '1Ki' }),
      withLimits(aPod('daemon', { nodeName: 'a', ownerKind: 'DaemonSet' }), { cpu: '200m' }),
    ],
  );
  expect(read('nodes_total_pod_limits', 'a')).toEqual(['cpu 1.5', 'memory 1024']);
  expect(read('nodes_total_daemon_limits', 'a')).toEqual(['cpu 0.2']);
});

test('an empty cluster has no node, no utilization and nothing to wait for', async () => {
  const { lines } = await readNodeGauges([]);
  expect(lines).toEqual([
    'karpenter_cluster_state_node_count 0',
    'karpenter_cluster_state_synced 1',
    'karpenter_cluster_state_unsynced_time_seconds 0',
  ]);
});

test('a machine without a node counts as known, and has no series of a node', async () => {
  const { read } = await readNodeGauges([aNode('a', { stage: 'inFlight' }), aNode('b')]);
  expect(read('cluster_state_node_count')).toEqual(['2']);
  expect(read('nodes_allocatable', 'a-claim')).toEqual([]);
  expect(read('nodes_allocatable', 'b')).toHaveLength(3);
});

test('a claim without an instance makes the picture incomplete', async () => {
  const launching = aNode('a', { stage: 'inFlight' });
  const { read } = await readNodeGauges([
    { ...launching, ...(launching.nodeClaim && { nodeClaim: { ...launching.nodeClaim, status: {} } }) },
  ]);
  expect(read('cluster_state_synced')).toEqual(['0']);
});

test('the series of a node carry its well-known labels, its name and whether it is managed', async () => {
  const born = <T extends KubernetesObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, creationTimestamp: '2024-01-28T15:00:00Z' },
  });
  const [managed, foreign] = [aNode('a'), aNode('b', { managed: false })];
  const { lines } = await readNodeGauges([
    { ...managed, ...(managed.node && { node: born(managed.node) }) },
    { ...foreign, ...(foreign.node && { node: born(foreign.node) }) },
  ]);
  const ages = lines.filter((line) => line.startsWith('karpenter_nodes_current_lifetime_seconds'));
  expect(ages).toHaveLength(2);
  for (const label of ['arch="amd64"', 'capacity_type="on-demand"', 'instance_type="c4"', 'nodepool="default"'])
    expect(ages[0]).toContain(label);
  expect(ages[0]).toMatch(/node_name="a",phase="",managed="true"\} 3600$/);
  expect(ages[1]).toMatch(/nodepool="".*node_name="b",phase="",managed="false"\} 3600$/);
});
