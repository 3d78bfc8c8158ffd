import { events, type Node, type Pod, type PodDisruptionBudget, type PodSpec, pods } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { SchedulerCluster } from './cluster.ts';
import { choosePreemption } from './preemption.ts';

const aNode = (name: string, spec: NonNullable<Node['spec']> = {}): Node => ({
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  spec,
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
});

type Traits = { readonly cpu?: number; readonly startTime?: string; readonly app?: string } & Partial<PodSpec>;

const aPod = (name: string, priority: number, { cpu = 2, startTime, app = 'x', ...spec }: Traits = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, labels: { app } },
  spec: {
    priority,
    containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: String(cpu) } } }],
    ...spec,
  },
  ...(startTime !== undefined && { status: { startTime } }),
});

const aBudget = (app: string, disruptionsAllowed: number): PodDisruptionBudget => ({
  metadata: { name: app, namespace: 'default' },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
});

type Placed = readonly [pod: Pod, nodeName: string];

const chosen = (
  pod: Pod,
  nodes: readonly Node[],
  placed: readonly Placed[],
  budgets: readonly PodDisruptionBudget[],
) => {
  const cluster = new SchedulerCluster();
  for (const node of nodes) cluster.setNode(node);
  for (const [other, nodeName] of placed) cluster.place(other, nodeName);
  const before = cluster.generation;
  const found = choosePreemption(pod, { cluster, namespaces: new Map() }, budgets);
  expect(cluster.generation).toBe(before);
  for (const [other, nodeName] of placed)
    expect(cluster.placement(`default/${other.metadata.name}`)?.nodeName).toBe(nodeName);
  return found === undefined
    ? 'nobody'
    : `${found.nodeName}: ${found.victims.map(({ metadata }) => metadata.name).join(' ')}`;
};

const oneNode = [aNode('a')];
const twoNodes = [aNode('a'), aNode('b')];

for (const { fact, pod, nodes = twoNodes, placed, budgets = [], answer } of [
  {
    fact: 'pods of lower priority make room, no more of them than have to',
    pod: aPod('p', 10, { cpu: 2 }),
    nodes: oneNode,
    placed: [
      [aPod('old', 0, { startTime: '2024-01-01T00:00:00Z' }), 'a'],
      [aPod('young', 0, { startTime: '2024-01-02T00:00:00Z' }), 'a'],
    ] satisfies readonly Placed[],
    answer: 'a: young',
  },
  {
    fact: 'pods of equal priority stay',
    pod: aPod('p', 10),
    nodes: oneNode,
    placed: [[aPod('q', 10, { cpu: 4 }), 'a']] satisfies readonly Placed[],
    answer: 'nobody',
  },
  {
    fact: 'a pod that never preempts waits',
    pod: aPod('p', 10, { preemptionPolicy: 'Never' }),
    nodes: oneNode,
    placed: [[aPod('q', 0, { cpu: 4 }), 'a']] satisfies readonly Placed[],
    answer: 'nobody',
  },
  {
    fact: 'a node that would not take the pod if it were empty keeps its pods',
    pod: aPod('p', 10, { nodeSelector: { disk: 'ssd' } }),
    placed: [[aPod('q', 0, { cpu: 4 }), 'a']] satisfies readonly Placed[],
    answer: 'nobody',
  },
  {
    fact: 'a cordoned node keeps its pods',
    pod: aPod('p', 10),
    nodes: [aNode('a', { unschedulable: true })],
    placed: [[aPod('q', 0, { cpu: 4 }), 'a']] satisfies readonly Placed[],
    answer: 'nobody',
  },
  {
    fact: 'the node whose most important victim matters least is chosen',
    pod: aPod('p', 10),
    placed: [
      [aPod('q', 5, { cpu: 4 }), 'a'],
      [aPod('r', 1), 'b'],
      [aPod('s', 1), 'b'],
    ] satisfies readonly Placed[],
    answer: 'b: s',
  },
  {
    fact: 'fewer victims are better',
    pod: aPod('p', 10, { cpu: 4 }),
    placed: [
      [aPod('q', 1), 'a'],
      [aPod('r', 1), 'a'],
      [aPod('s', 1, { cpu: 4 }), 'b'],
    ] satisfies readonly Placed[],
    answer: 'b: s',
  },
  {
    fact: 'of equal nodes the one whose victims are youngest',
    pod: aPod('p', 10, { cpu: 4 }),
    placed: [
      [aPod('q', 1, { cpu: 4, startTime: '2024-01-01T00:00:00Z' }), 'a'],
      [aPod('r', 1, { cpu: 4, startTime: '2024-01-02T00:00:00Z' }), 'b'],
    ] satisfies readonly Placed[],
    answer: 'b: r',
  },
  {
    fact: 'a budget is spared where another pod can leave',
    pod: aPod('p', 10),
    nodes: oneNode,
    placed: [
      [aPod('kept', 0, { app: 'web', startTime: '2024-01-02T00:00:00Z' }), 'a'],
      [aPod('other', 5), 'a'],
    ] satisfies readonly Placed[],
    budgets: [aBudget('web', 0)],
    answer: 'a: other',
  },
  {
    fact: 'a node without broken budgets comes before one with lesser pods',
    pod: aPod('p', 10, { cpu: 4 }),
    placed: [
      [aPod('q', 0, { cpu: 4, app: 'web' }), 'a'],
      [aPod('r', 5, { cpu: 4 }), 'b'],
    ] satisfies readonly Placed[],
    budgets: [aBudget('web', 0)],
    answer: 'b: r',
  },
  {
    fact: 'a budget is broken where nothing else helps',
    pod: aPod('p', 10, { cpu: 4 }),
    nodes: oneNode,
    placed: [[aPod('q', 0, { cpu: 4, app: 'web' }), 'a']] satisfies readonly Placed[],
    budgets: [aBudget('web', 0)],
    answer: 'a: q',
  },
]) {
  test(`preemption: ${fact}`, () => {
    expect(chosen(pod, nodes, placed, budgets)).toBe(answer);
  });
}

/** Its priority is that of its class. */
const asCreated = (name: string, priorityClassName?: string): Pod => {
  const { metadata, spec } = aPod(name, 0, { cpu: 3, ...(priorityClassName !== undefined && { priorityClassName }) });
  const { priority: _, ...asked } = spec;
  return { metadata, spec: asked };
};

test('a pod of higher priority takes the room of a lesser one, which nobody else gets meanwhile', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.after(120);
  await cluster.create(pods, asCreated('lesser'));
  await cluster.after(30);
  await cluster.create(pods, asCreated('greater', 'system-cluster-critical'));
  await cluster.after(0.2);
  await cluster.create(pods, asCreated('quick'));
  const greater = await cluster.get(pods, 'greater', 'default');
  const lesser = await cluster.get(pods, 'lesser', 'default');
  expect(greater?.status?.nominatedNodeName).toBe(lesser?.spec.nodeName);
  expect(lesser?.metadata.deletionTimestamp).toBeDefined();
  expect(lesser?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }),
  );
  await cluster.after(60);
  const left = await cluster.list(pods, 'default');
  expect(left.map(({ metadata, spec }) => [metadata.name, spec.nodeName !== undefined])).toEqual([
    ['greater', true],
    ['quick', false],
  ]);
  const told = (await cluster.list(events, 'default')).filter(({ reason }) => reason === 'Preempted');
  expect(told.map(({ involvedObject }) => involvedObject.name)).toEqual(['lesser']);
  expect(cluster.complaints).toEqual([]);
});
