import type { DaemonSet, Node, Pod, PodSpec, Taint } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { nodeOfDaemon, pinnedTo } from './placement.ts';
import { revisionLabel } from '../revisions/revisions.ts';
import { DaemonTally, revisionOfDaemonSet } from './daemon-tally.ts';
import { type DaemonPlan, planDaemons } from './daemons.ts';

const aSet = (spec: Partial<PodSpec> = {}): DaemonSet => ({
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent' }], ...spec } },
  },
});

const aNode = (name: string, taints: readonly Taint[] = [], labels: Record<string, string> = {}): Node => ({
  metadata: { name, labels },
  spec: { taints },
});

const aDaemon = (
  name: string,
  set: DaemonSet,
  nodeName: string,
  { revision = revisionOfDaemonSet(set), ready = true } = {},
): Pod => ({
  metadata: { name, namespace: 'kube-system', labels: { [revisionLabel]: revision } },
  spec: pinnedTo(nodeName, set.spec.template).spec,
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const planOn = (set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]): DaemonPlan =>
  planDaemons(set, tallyOf(set, nodes, pods));

function tallyOf(set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]): DaemonTally {
  const tally = new DaemonTally(set);
  for (const name of [...nodes.map(({ metadata }) => metadata.name), ...pods.flatMap((pod) => nodeOfDaemon(pod) ?? [])])
    judge(tally, name, { nodes, pods });
  return tally;
}

type Cluster = { readonly nodes: readonly Node[]; readonly pods: readonly Pod[] };

const judge = (tally: DaemonTally, name: string, { nodes, pods }: Cluster): void =>
  tally.judge(
    name,
    nodes.find(({ metadata }) => metadata.name === name),
    pods.filter((pod) => nodeOfDaemon(pod) === name),
  );

const manyAtOnce = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } };

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const silent: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
const dedicated: Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const closed: Taint = { key: 'maintenance', effect: 'NoExecute' };

for (const { fact, set = aSet(), nodes, create } of [
  { fact: 'on every node without one', nodes: [aNode('a'), aNode('b')], create: ['a', 'b'] },
  {
    fact: 'on cordoned and on silent nodes, too',
    nodes: [aNode('a', [cordon]), aNode('b', [silent])],
    create: ['a', 'b'],
  },
  { fact: 'not where a taint is not tolerated', nodes: [aNode('a', [dedicated]), aNode('b')], create: ['b'] },
  {
    fact: 'everywhere when it tolerates all',
    set: aSet({ tolerations: [{ operator: 'Exists' }] }),
    nodes: [aNode('a', [dedicated, closed])],
    create: ['a'],
  },
  {
    fact: 'where its selector points',
    set: aSet({ nodeSelector: { gpu: 'yes' } }),
    nodes: [aNode('a'), aNode('b', [], { gpu: 'yes' })],
    create: ['b'],
  },
]) {
  test(`a daemon is started ${fact}`, () => {
    expect(planOn(set, nodes, []).create).toEqual(create);
  });
}

for (const { fact, taints, stays } of [
  { fact: 'stays on a node that turns away new pods', taints: [dedicated], stays: true },
  { fact: 'leaves a node that turns away running pods', taints: [closed], stays: false },
]) {
  test(`a daemon ${fact}`, () => {
    const set = aSet();
    const { remove, create } = planOn(set, [aNode('a', taints)], [aDaemon('agent-1', set, 'a')]);
    expect(remove).toHaveLength(stays ? 0 : 1);
    expect(create).toEqual([]);
  });
}

test('of two daemons on a node the one that is ready stays', () => {
  const set = aSet();
  const pods = [aDaemon('agent-1', set, 'a', { ready: false }), aDaemon('agent-2', set, 'a')];
  expect(planOn(set, [aNode('a')], pods).remove.map(({ metadata }) => metadata.name)).toEqual(['agent-1']);
});

test('a pod that waits for a node that is gone is deleted, one that ran there is left to the pod garbage collector', () => {
  const set = aSet();
  const waiting = aDaemon('waiting', set, 'gone');
  const bound = { ...aDaemon('bound', set, 'gone'), spec: { ...waiting.spec, nodeName: 'gone' } };
  expect(planOn(set, [aNode('a')], [waiting, bound]).remove).toEqual([waiting]);
});

test('of two daemons with an earlier template on one node, each is deleted once', () => {
  const set = aSet();
  const old = { revision: 'old' };
  const pods = [aDaemon('2', set, 'a', old), aDaemon('1', set, 'a', old)];
  const { remove } = planOn({ ...set, spec: { ...set.spec, updateStrategy: manyAtOnce } }, [aNode('a')], pods);
  expect(remove.map(({ metadata }) => metadata.name)).toEqual(['2', '1']);
});

test('a new template replaces one ready daemon at a time, and all that are not ready', () => {
  const set = aSet();
  const nodes = ['a', 'b', 'c'].map((name) => aNode(name));
  const old = (name: string, node: string, ready = true): Pod => aDaemon(name, set, node, { revision: 'old', ready });
  const removed = (pods: readonly Pod[]): readonly string[] =>
    planOn(set, nodes, pods).remove.map(({ metadata }) => metadata.name);
  expect(removed([old('1', 'a'), old('2', 'b'), old('3', 'c')])).toEqual(['1']);
  expect(removed([old('1', 'a'), old('2', 'b', false), old('3', 'c')])).toEqual(['2']);
});

test('the status counts nodes, not pods', () => {
  const set = aSet();
  const pods = [aDaemon('1', set, 'a'), aDaemon('2', set, 'b', { ready: false })];
  expect(planOn(set, [aNode('a'), aNode('b'), aNode('c')], pods).status).toEqual({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberReady: 1,
    numberAvailable: 1,
    numberUnavailable: 2,
    numberMisscheduled: 0,
  });
});

test('a tally that followed a cluster node by node says what a new one says', () => {
  const set = aSet();
  const old = { revision: 'old' };
  const tally = new DaemonTally(set);
  const history: readonly Cluster[] = [
    { nodes: [aNode('a'), aNode('b')], pods: [] },
    { nodes: [aNode('a'), aNode('b')], pods: [aDaemon('1', set, 'a'), aDaemon('2', set, 'b', { ready: false })] },
    { nodes: [aNode('a', [dedicated]), aNode('b')], pods: [aDaemon('1', set, 'a'), aDaemon('2', set, 'b', old)] },
    {
      nodes: [aNode('b', [closed])],
      pods: [aDaemon('1', set, 'a'), aDaemon('2', set, 'b', old), aDaemon('3', set, 'b')],
    },
    { nodes: [aNode('b')], pods: [aDaemon('3', set, 'b')] },
    { nodes: [], pods: [] },
  ];
  for (const cluster of history) {
    for (const name of ['a', 'b']) judge(tally, name, cluster);
    expect(planDaemons(set, tally)).toEqual(planOn(set, cluster.nodes, cluster.pods));
  }
});
