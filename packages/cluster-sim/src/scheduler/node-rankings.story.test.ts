import type { Node, Pod, PodSpec, Taint } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { chooseNode } from './choose.ts';
import { SchedulerCluster } from './cluster.ts';
import { NodeRankings } from './node-rankings.ts';

const random = seededRandom(7);
const names = ['a', 'b', 'c', 'd', 'e'];
const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const unloved: Taint = { key: 'old', effect: 'PreferNoSchedule' };

const aNode = (name: string): Node => ({
  metadata: { name, labels: { arch: random.pick(['arm64', 'amd64']) } },
  spec: { taints: random.pick([[], [], [], [cordon], [unloved]]), unschedulable: random.integer(8) === 0 },
  status: { allocatable: { cpu: random.pick(['2', '4']), memory: '8Gi', pods: '4' } },
});

const aPod = (name: string, cpu: string, spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }], ...spec },
});

const pinned = (name: string): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
      },
    },
  },
});

const apart: Partial<PodSpec> = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'arch', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};

const questions = [
  aPod('small', '500m'),
  aPod('large', '3'),
  aPod('arm', '1', { nodeSelector: { arch: 'arm64' } }),
  aPod('daemon', '100m', pinned('b')),
  aPod('alone', '1', apart),
];

test('a ranking that followed the cluster gives the choices that are made among all nodes', () => {
  const cluster = new SchedulerCluster();
  const rankings = new NodeRankings(cluster);
  const around = { cluster, namespaces: new Map([['default', {}]]) };
  const changes = [
    () => cluster.setNode(aNode(random.pick(names))),
    () => cluster.removeNode(random.pick(names)),
    () =>
      cluster.place(aPod(`pod-${random.integer(20)}`, '1', random.integer(9) === 0 ? apart : {}), random.pick(names)),
    () => cluster.remove(`default/pod-${random.integer(20)}`),
  ];
  for (let step = 0; step < 2_000; step += 1) {
    random.pick(changes)();
    const pod = random.pick(questions);
    expect(chooseNode(pod, { ...around, rankings })).toEqual(chooseNode(pod, around));
  }
});

test('a ranking that missed more changes than are remembered looks at all nodes', () => {
  const cluster = new SchedulerCluster();
  const rankings = new NodeRankings(cluster);
  const pod = aPod('small', '500m');
  cluster.setNode({ ...aNode('a'), spec: {} });
  expect(rankings.choose(pod)).toEqual({ kind: 'node', name: 'a' });
  cluster.removeNode('a');
  cluster.setNode({ ...aNode('b'), spec: {} });
  for (let step = 0; step < 15_000; step += 1) {
    cluster.place(aPod('web', '1'), 'b');
    cluster.remove('default/web');
  }
  expect(rankings.choose(pod)).toEqual({ kind: 'node', name: 'b' });
});
