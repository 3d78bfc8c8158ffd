import type { Node, Pod, PodSpec } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { admitsPod, chooseNode } from './choose.ts';
import { SchedulerCluster } from './cluster.ts';

const zoneKey = 'topology.kubernetes.io/zone';

type NodeSketch = {
  readonly cpu?: string;
  readonly zone?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: NonNullable<Node['spec']>;
};

const aNode = (name: string, { cpu = '4', zone = 'a', labels = {}, spec = {} }: NodeSketch = {}): Node => ({
  metadata: { name, labels: { 'kubernetes.io/hostname': name, [zoneKey]: zone, ...labels } },
  spec,
  status: { allocatable: { cpu, memory: '8Gi', pods: '10' } },
});

const aPod = (name: string, spec: Partial<PodSpec> = {}, labels: Record<string, string> = { app: 'web' }): Pod => ({
  metadata: { name, namespace: 'default', uid: name, labels },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }], ...spec },
});

function clusterOf(nodes: readonly Node[], placed: readonly (readonly [Pod, string])[] = []): SchedulerCluster {
  const cluster = new SchedulerCluster();
  for (const node of nodes) cluster.setNode(node);
  for (const [pod, nodeName] of placed) cluster.place(pod, nodeName);
  return cluster;
}

const chosen = (pod: Pod, cluster: SchedulerCluster): string => {
  const choice = chooseNode(pod, { cluster, namespaces: new Map([['default', {}]]) });
  return choice.kind === 'node' ? choice.name : choice.message;
};

const web = { matchLabels: { app: 'web' } };
const apart = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: web }],
  },
};
const together = {
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zoneKey, labelSelector: web }] },
};
const byRevision = (keys: 'matchLabelKeys' | 'mismatchLabelKeys') => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zoneKey, labelSelector: web, [keys]: ['revision'] }],
});
const spread = [{ maxSkew: 1, topologyKey: zoneKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: web }] as const;

for (const { fact, pod, nodes, placed = [], answer } of [
  {
    fact: 'goes to the emptiest node',
    pod: aPod('p'),
    nodes: [aNode('b', { cpu: '2' }), aNode('c')],
    placed: [
      [aPod('q'), 'c'],
      [aPod('r'), 'c'],
      [aPod('s'), 'c'],
    ],
    answer: 'b',
  },
  { fact: 'goes to the first by name among equals', pod: aPod('p'), nodes: [aNode('c'), aNode('b')], answer: 'b' },
  {
    fact: 'avoids a node that would rather not have it',
    pod: aPod('p'),
    nodes: [aNode('a', { spec: { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] } }), aNode('b', { cpu: '2' })],
    answer: 'b',
  },
  {
    fact: 'goes where it would rather be',
    pod: aPod('p', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: zoneKey, operator: 'In', values: ['b'] }] } },
          ],
        },
      },
    }),
    nodes: [aNode('a'), aNode('b', { zone: 'b', cpu: '2' })],
    answer: 'b',
  },
  { fact: 'has nowhere to go without nodes', pod: aPod('p'), nodes: [], answer: 'no nodes available to schedule pods' },
  {
    fact: 'counts what pods before it took',
    pod: aPod('p'),
    nodes: [aNode('a', { cpu: '1' })],
    placed: [[aPod('q'), 'a']],
    answer: '0/1 nodes are available: 1 Insufficient cpu.',
  },
  {
    fact: 'stays away from a taint it does not tolerate',
    pod: aPod('p'),
    nodes: [
      aNode('a', { spec: { taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] } }),
      aNode('b', { cpu: '500m' }),
    ],
    answer:
      '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {karpenter.sh/unregistered: }.',
  },
  {
    fact: 'goes where it tolerates every taint',
    pod: aPod('p', { tolerations: [{ operator: 'Exists' }] }),
    nodes: [aNode('a', { spec: { unschedulable: true, taints: [{ key: 'x', effect: 'NoSchedule' }] } })],
    answer: 'a',
  },
  {
    fact: 'stays away from a cordoned node',
    pod: aPod('p'),
    nodes: [aNode('a', { spec: { unschedulable: true } })],
    answer: '0/1 nodes are available: 1 node(s) were unschedulable.',
  },
  {
    fact: 'goes where its selector points',
    pod: aPod('p', { nodeSelector: { team: 'mine' } }),
    nodes: [aNode('a'), aNode('b', { labels: { team: 'mine' } })],
    answer: 'b',
  },
  {
    fact: 'of a daemon goes to the node it is pinned to by name',
    pod: aPod('p', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    }),
    nodes: [aNode('a'), aNode('b')],
    answer: 'b',
  },
  {
    fact: 'keeps away from its like',
    pod: aPod('p', { affinity: apart }),
    nodes: [aNode('a'), aNode('b', { cpu: '2' })],
    placed: [[aPod('q'), 'a']],
    answer: 'b',
  },
  {
    fact: 'is kept away by those that want to be alone',
    pod: aPod('p'),
    nodes: [aNode('a')],
    placed: [[aPod('q', { affinity: apart }), 'a']],
    answer: "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.",
  },
  {
    fact: 'may be the first of those that want company',
    pod: aPod('p', { affinity: together }),
    nodes: [aNode('a')],
    answer: 'a',
  },
  {
    fact: 'joins the zone of its company',
    pod: aPod('p', { affinity: together }),
    nodes: [aNode('a'), aNode('b', { zone: 'b' }), aNode('c', { zone: 'b' })],
    placed: [[aPod('q'), 'b']],
    answer: 'c',
  },
  {
    fact: 'joins the company of its own revision',
    pod: aPod('p', { affinity: { podAffinity: byRevision('matchLabelKeys') } }, { app: 'web', revision: '2' }),
    nodes: [aNode('a'), aNode('b', { zone: 'b' })],
    placed: [
      [aPod('q', {}, { app: 'web', revision: '1' }), 'a'],
      [aPod('r', {}, { app: 'web', revision: '2' }), 'b'],
    ],
    answer: 'b',
  },
  {
    fact: 'keeps away from other revisions alone',
    pod: aPod('p', { affinity: { podAntiAffinity: byRevision('mismatchLabelKeys') } }, { app: 'web', revision: '2' }),
    nodes: [aNode('a'), aNode('b', { zone: 'b', cpu: '2' })],
    placed: [
      [aPod('q', {}, { app: 'web', revision: '1' }), 'a'],
      [aPod('r', {}, { app: 'web', revision: '2' }), 'b'],
    ],
    answer: 'b',
  },
  {
    fact: 'that has to join two kinds waits for one pod that is both',
    pod: aPod('p', {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: ['q', 'r'].map((name) => ({
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { name } },
          })),
        },
      },
    }),
    nodes: [aNode('a')],
    placed: [
      [aPod('q', {}, { name: 'q' }), 'a'],
      [aPod('r', {}, { name: 'r' }), 'a'],
    ],
    answer: "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
  },
  {
    fact: 'goes to the zone that has fewest of its like',
    pod: aPod('p', { topologySpreadConstraints: spread }),
    nodes: [aNode('a'), aNode('b', { zone: 'b', cpu: '1' })],
    placed: [[aPod('q'), 'a']],
    answer: 'b',
  },
  {
    fact: 'waits when the zone with fewest has no room',
    pod: aPod('p', { topologySpreadConstraints: spread }),
    nodes: [aNode('a'), aNode('b', { zone: 'b', cpu: '500m' })],
    placed: [[aPod('q'), 'a']],
    answer: "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology spread constraints.",
  },
  {
    fact: 'finds its host port taken',
    pod: aPod('p', { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 80 }] }] }),
    nodes: [aNode('a')],
    placed: [[aPod('q', { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 80 }] }] }), 'a']],
    answer: "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
  },
] as { fact: string; pod: Pod; nodes: Node[]; placed?: [Pod, string][]; answer: string }[]) {
  test(`a pod ${fact}`, () => {
    expect(chosen(pod, clusterOf(nodes, placed))).toBe(answer);
  });
}

test('room that a removed pod leaves can be taken again', () => {
  const cluster = clusterOf([aNode('a', { cpu: '1' })], [[aPod('q'), 'a']]);
  cluster.remove('default/q');
  expect(chosen(aPod('p'), cluster)).toBe('a');
});

for (const { fact, node, pod, answer } of [
  { fact: 'has room for', node: aNode('n'), pod: aPod('p'), answer: true },
  { fact: 'is too small for', node: aNode('n', { cpu: '500m' }), pod: aPod('p'), answer: false },
  {
    fact: 'is still tainted for',
    node: aNode('n', { spec: { taints: [{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }] } }),
    pod: aPod('p'),
    answer: false,
  },
  { fact: 'is cordoned for', node: aNode('n', { spec: { unschedulable: true } }), pod: aPod('p'), answer: false },
  { fact: 'is not asked for by', node: aNode('n'), pod: aPod('p', { nodeSelector: { gpu: 'yes' } }), answer: false },
]) {
  test(`a node that ${fact} a pod is ${answer ? '' : 'no '}reason for another try`, () => {
    const state = clusterOf([node]).node('n');
    expect(state && admitsPod(state, pod)).toBe(answer);
  });
}
