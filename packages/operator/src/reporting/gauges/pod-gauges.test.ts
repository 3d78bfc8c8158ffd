import {
  fromTimestamp,
  instant,
  karpenterLabels,
  kubernetesLabels,
  seconds,
  type Node,
  type Pod,
} from '@nodewright/apis';
import { createMetrics, virtualTime, type KubernetesClient } from '@nodewright/runtime';
import { aPod } from '@nodewright/testkit';
import { printSeries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { PodTimes } from '../../state/pod-times.ts';
import { podGauges } from './pod-gauges.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const ago = (count: number) => instant(now - seconds(count));

const node: Node = {
  metadata: {
    name: 'n',
    labels: {
      [karpenterLabels.nodePool]: 'default',
      [karpenterLabels.capacityType]: 'spot',
      [kubernetesLabels.zone]: 'zone-a',
      [kubernetesLabels.arch]: 'arm64',
      [kubernetesLabels.instanceType]: 'c4',
    },
  },
};
const foreign: Node = { metadata: { name: 'foreign' } };

const createdAt = (pod: Pod, creationTimestamp: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, creationTimestamp },
});

function gaugesOf(pod: Pod, prepare: (times: PodTimes) => void = () => undefined) {
  const [metrics, objects, podTimes] = [createMetrics(), createObjects({} as KubernetesClient), new PodTimes()];
  for (const each of [node, foreign]) objects.nodes.cache.seen(each);
  objects.pods.cache.seen(pod);
  prepare(podTimes);
  const gauges = podGauges({ metrics, objects, podTimes, clock: virtualTime(now).clock });
  gauges.refresh();
  return printSeries(metrics, 'karpenter_pods_');
}

/** The labels of the one series of the state. */
async function stateOf(pod: Pod): Promise<Readonly<Record<string, string>>> {
  const [line = ''] = (await gaugesOf(pod)).filter((each) => each.startsWith('karpenter_pods_state{'));
  return Object.fromEntries([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}

const waiting = {
  name: 'web',
  namespace: 'default',
  owner: '',
  node: '',
  scheduled: 'false',
  nodepool: '',
  zone: '',
  arch: '',
  capacity_type: '',
  instance_type: '',
  phase: 'Pending',
  ready: 'False',
  managed: 'false',
};
const running = {
  ...waiting,
  node: 'n',
  scheduled: 'true',
  nodepool: 'default',
  zone: 'zone-a',
  arch: 'arm64',
  capacity_type: 'spot',
  instance_type: 'c4',
  phase: 'Running',
  ready: 'True',
  managed: 'true',
};
const onForeign = { ...waiting, node: 'foreign', scheduled: 'true', phase: 'Running', ready: 'True' };

test.each<readonly [string, Pod, Readonly<Record<string, string>>]>([
  ['that waits for a node', aPod('web'), waiting],
  ['that runs on a node of a NodePool', aPod('web', { nodeName: 'n' }), running],
  ['that runs on a node of no NodePool', aPod('web', { nodeName: 'foreign' }), onForeign],
  ['whose node is not known', aPod('web', { nodeName: 'gone' }), { ...onForeign, node: 'gone' }],
  [
    'that has ended',
    aPod('web', { nodeName: 'n', phase: 'Succeeded' }),
    { ...running, phase: 'Succeeded', ready: 'False' },
  ],
  [
    'of a ReplicaSet',
    aPod('web', { ownerKind: 'ReplicaSet', namespace: 'team' }),
    { ...waiting, namespace: 'team', owner: '/apis/apps/v1/namespaces/team/replicasets/owner' },
  ],
  [
    'of a kind in the core group',
    aPod('web', { ownerKind: 'Node' }),
    { ...waiting, owner: '/api/v1/namespaces/default/nodes/owner' },
  ],
])('the labels tell where a pod is %s', async (_, pod, labels) => {
  expect(await stateOf(pod)).toEqual(labels);
});

const waits = (name: string, value: number): string =>
  `karpenter_pods_${name}_time_seconds{name="web",namespace="default"} ${value}`;
const hasWaited = (pod: Pod): Pod => createdAt(pod, '2024-01-28T15:58:00Z');
const bound = aPod('web', { nodeName: 'n', phase: 'Pending' });
const scheduled: Pod = {
  ...bound,
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
};
const started: Pod = {
  ...bound,
  status: {
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

for (const [fact, plain, prepare, ...lines] of [
  ['no place has been sought for yet', aPod('web'), () => undefined, waits('unbound', 120), waits('unstarted', 120)],
  [
    'no round has decided on',
    aPod('web'),
    (times, pod) => times.acknowledge(pod, ago(30)),
    waits('unbound', 120),
    waits('unstarted', 120),
    waits('provisioning_scheduling_undecided', 30),
  ],
  [
    'a round found a place for',
    aPod('web'),
    (times, pod) => {
      times.acknowledge(pod, ago(30));
      times.decide(pod, 'place', ago(20));
    },
    waits('unbound', 120),
    waits('unstarted', 120),
    waits('provisioning_unbound', 20),
    waits('provisioning_unstarted', 20),
  ],
  [
    'a round found no place for',
    aPod('web'),
    (times, pod) => times.decide(pod, 'nothing', ago(20)),
    waits('unbound', 120),
    waits('unstarted', 120),
  ],
  [
    'there is a node',
    scheduled,
    (times, pod) => times.decide(pod, 'place', ago(20)),
    waits('unstarted', 120),
    waits('provisioning_unstarted', 20),
  ],
  ['that has started', started, (times, pod) => times.decide(pod, 'place', ago(20))],
  ['that has ended', aPod('web', { phase: 'Failed' }), () => undefined],
] satisfies readonly (readonly [string, Pod, (times: PodTimes, pod: Pod) => void, ...(readonly string[])])[]) {
  test(`what a pod waits for when it is one ${fact}`, async () => {
    const pod = hasWaited(plain);
    const all = await gaugesOf(pod, (times) => prepare(times, pod));
    expect(all.filter((line) => !line.startsWith('karpenter_pods_state{'))).toEqual(lines);
  });
}
