import { fromTimestamp, instant, leases, nodes, type Pod, pods } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import type { ImageRelease, MachineBehavior } from '@nodewright/aws-endpoints';
import { isReadyWorkloadPod } from '../objects/pod-health.ts';

const bottlerocket = `[settings.kubernetes]
cluster-name = "sandbox"
[settings.kubernetes.node-taints]
"karpenter.sh/unregistered" = [":NoExecute"]`;

const aPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'main' }], tolerations: [{ operator: 'Exists' }] },
});

async function statusOf(cluster: SmallCluster, name: string): Promise<string | undefined> {
  const node = await cluster.get(nodes, name);
  return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

test('a node says what its machine, its image and its user data say', async () => {
  const cluster = new SmallCluster();
  const { privateDnsName, providerId } = cluster.launch(
    { family: 'Bottlerocket', osImage: 'Bottlerocket OS 1.18.0 (aws-k8s-1.29)', kubeletVersion: 'v1.29.0-eks-a5ec690' },
    bottlerocket,
  );
  await cluster.after(18);
  expect(await cluster.get(nodes, privateDnsName)).toMatchObject({
    metadata: {
      labels: {
        'kubernetes.io/hostname': privateDnsName,
        'kubernetes.io/arch': 'arm64',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm6g.xlarge',
        'topology.kubernetes.io/zone': 'us-east-1b',
        'topology.kubernetes.io/region': 'us-east-1',
        'topology.k8s.aws/zone-id': 'use1-az2',
      },
    },
    spec: {
      providerID: providerId,
      taints: [
        { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      ],
    },
    status: {
      capacity: { cpu: '4', pods: '58' },
      nodeInfo: { osImage: 'Bottlerocket OS 1.18.0 (aws-k8s-1.29)', kubeletVersion: 'v1.29.0-eks-a5ec690' },
    },
  });
  expect(await statusOf(cluster, privateDnsName)).toBe('False');
  await cluster.after(18);
  expect(await statusOf(cluster, privateDnsName)).toBe('True');
  expect((await cluster.get(nodes, privateDnsName))?.spec?.taints).toEqual([
    { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  ]);
});

for (const { fact, release, userData, statusAfter } of [
  {
    fact: 'an image that never joins has no node',
    release: { behavior: 'neverJoins' },
    statusAfter: { 60: undefined, 3600: undefined },
  },
  {
    fact: 'an image that joins late has a node before a quarter of an hour is over',
    release: { behavior: 'joinsLate' },
    statusAfter: { 300: undefined, 720: 'True' },
  },
  {
    fact: 'a node of an image that stops renewing is lost after hours',
    release: { behavior: 'stopsRenewing' },
    statusAfter: { 7200: 'True', 7500: 'Unknown' },
  },
  {
    fact: 'a node of an image that is not ready joins, and stays that way',
    release: { behavior: 'notReady' },
    statusAfter: { 60: 'False', 3600: 'False' },
  },
  {
    fact: 'a machine that is told of another cluster never joins',
    release: {},
    userData: "#!/bin/bash\n/etc/eks/bootstrap.sh 'other' --foo",
    statusAfter: { 3600: undefined },
  },
] as {
  fact: string;
  release: Partial<ImageRelease>;
  userData?: string;
  statusAfter: Record<number, string | undefined>;
}[]) {
  test(fact, async () => {
    const cluster = new SmallCluster();
    const start = cluster.time.clock.now();
    const { privateDnsName } = cluster.launch(release, userData);
    for (const [seconds, status] of Object.entries(statusAfter)) {
      await cluster.time.run(instant(start + Number(seconds) * 1000));
      expect(await statusOf(cluster, privateDnsName)).toBe(status);
    }
  });
}

test('a machine whose kernel panics is missed after a while', async () => {
  const cluster = new SmallCluster();
  const panicsAt = instant(cluster.time.clock.now() + 200_000);
  const { privateDnsName } = cluster.launch({}, undefined, { panicsAt });
  await cluster.after(190);
  expect(await statusOf(cluster, privateDnsName)).toBe('True');
  await cluster.after(120);
  expect(await statusOf(cluster, privateDnsName)).toBe('Unknown');
});

for (const { fact, behavior, status } of [
  {
    fact: 'a kubelet that is made to die is missed after a while, and comes back',
    behavior: 'stopsRenewing',
    status: 'Unknown',
  },
  { fact: 'a node that is made unwell says so, and recovers', behavior: 'notReady', status: 'False' },
] as const) {
  test(fact, async () => {
    const cluster = new SmallCluster();
    const { instanceId, privateDnsName } = cluster.launch();
    await cluster.after(120);
    expect(await statusOf(cluster, privateDnsName)).toBe('True');
    cluster.behaves(instanceId, { behavior });
    await cluster.after(120);
    expect(await statusOf(cluster, privateDnsName)).toBe(status);
    cluster.behaves(instanceId);
    await cluster.after(60);
    expect(await statusOf(cluster, privateDnsName)).toBe('True');
  });
}

test('on an image whose containers fail some pods do not become ready', async () => {
  const cluster = new SmallCluster();
  cluster.launch({ behavior: 'containersFail' });
  await cluster.create(pods, ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(aPod));
  await cluster.after(90);
  const all = await cluster.list(pods, 'default');
  const failed = all.filter((pod) => !isReadyWorkloadPod(pod));
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThan(all.length);
  expect(failed[0]?.status?.containerStatuses?.[0]?.state).toMatchObject({ waiting: { reason: 'RunContainerError' } });
});

test('a fault that names pods fails their containers alone, and a second one adds to it', async () => {
  const cluster = new SmallCluster();
  const { instanceId } = cluster.launch();
  await cluster.after(120);
  const labelled = (app: string) => (name: string) => {
    const pod = aPod(`${app}-${name}`);
    return { ...pod, metadata: { ...pod.metadata, labels: { app } } };
  };
  const listReady = async () =>
    (await cluster.list(pods, 'default')).filter(isReadyWorkloadPod).map(({ metadata }) => metadata.name);
  const web: MachineBehavior = { behavior: 'containersFail', pods: { app: 'web' } };
  const api: MachineBehavior = { behavior: 'containersFail', pods: { app: 'api' } };
  cluster.behaves(instanceId, web);
  await cluster.create(pods, ...['1', '2', '3'].flatMap((name) => [labelled('web')(name), labelled('api')(name)]));
  await cluster.after(90);
  expect(await listReady()).toEqual(['api-1', 'api-2', 'api-3']);
  cluster.behaves(instanceId, web, api);
  await cluster.create(pods, labelled('api')('4'), labelled('web')('4'), labelled('db')('4'));
  await cluster.after(90);
  expect(await listReady()).toEqual(['api-1', 'api-2', 'api-3', 'db-4']);
});

test('a fault that ends leaves the others on the node', async () => {
  const cluster = new SmallCluster();
  const { instanceId, privateDnsName } = cluster.launch();
  await cluster.after(120);
  cluster.behaves(instanceId, { behavior: 'notReady' }, { behavior: 'stopsRenewing' });
  await cluster.after(120);
  expect(await statusOf(cluster, privateDnsName)).toBe('Unknown');
  cluster.behaves(instanceId, { behavior: 'notReady' });
  await cluster.after(120);
  expect(await statusOf(cluster, privateDnsName)).toBe('False');
  cluster.behaves(instanceId, { behavior: 'notReady' }, { behavior: 'healthy' });
  await cluster.after(120);
  expect(await statusOf(cluster, privateDnsName)).toBe('True');
});

for (const asNodes of [false, true]) {
  test(`a pod goes through the stages of its life${asNodes ? ', told by a kubelet that may do what nodes may' : ''}`, async () => {
    const cluster = new SmallCluster({ asNodes });
    const { privateDnsName, privateIp } = cluster.launch();
    await cluster.after(60);
    await cluster.create(pods, aPod('a'));
    await cluster.after(0.5);
    expect(await cluster.get(pods, 'a', 'default')).toMatchObject({
      spec: { nodeName: privateDnsName },
      status: {
        phase: 'Pending',
        hostIP: privateIp,
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    });
    await cluster.after(8);
    const running = await cluster.get(pods, 'a', 'default');
    expect(running?.status).toMatchObject({ phase: 'Running', containerStatuses: [{ ready: true, restartCount: 0 }] });
    expect(running?.status?.podIP).toMatch(/^100\.\d+\.\d+\.\d+$/);
    expect(
      running?.status?.conditions
        ?.filter(({ status }) => status === 'True')
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(['ContainersReady', 'Initialized', 'PodReadyToStartContainers', 'PodScheduled', 'Ready']);
    await cluster.do((client) => client.delete(pods, { name: 'a', namespace: 'default' }));
    expect((await cluster.get(pods, 'a', 'default'))?.metadata.deletionGracePeriodSeconds).toBe(30);
    await cluster.after(3);
    expect(await cluster.get(pods, 'a', 'default')).toBeUndefined();
  });
}

test('a lease shows renewals as often as readers outside want to see them', async () => {
  const cluster = new SmallCluster({ writeLeasesEveryMs: 60_000 });
  const { privateDnsName } = cluster.launch();
  await cluster.after(3600);
  const lease = await cluster.get(leases, privateDnsName, 'kube-node-lease');
  const age = cluster.time.clock.now() - fromTimestamp(lease?.spec?.renewTime ?? '');
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(70_000);
});

test('while nobody reads, a leap of the cluster writes no lease', async () => {
  const readers = virtualTime(instant(0));
  const cluster = new SmallCluster({ writeLeasesEveryMs: 1000, readersClock: readers.clock });
  const { privateDnsName } = cluster.launch();
  await cluster.after(120);
  const versionOf = async () =>
    (await cluster.get(leases, privateDnsName, 'kube-node-lease'))?.metadata.resourceVersion;
  const before = await versionOf();
  await cluster.after(3600);
  expect(await versionOf()).toBe(before);
  await readers.run(instant(1000));
  await cluster.after(0);
  const lease = await cluster.get(leases, privateDnsName, 'kube-node-lease');
  expect(cluster.time.clock.now() - fromTimestamp(lease?.spec?.renewTime ?? '')).toBeLessThan(10_000);
});

test('a node that the control plane lost sight of is ready again with the next beat', async () => {
  const cluster = new SmallCluster({ writeLeasesEveryMs: 10_000 });
  const { privateDnsName: name } = cluster.launch();
  const ready = async () =>
    (await cluster.get(nodes, name))?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  await cluster.after(120);
  const unknown = ['Ready', 'MemoryPressure'].map((type) => ({ type, status: 'Unknown', reason: 'NodeStatusUnknown' }));
  const patch = { status: { conditions: unknown } };
  await cluster.do((client) => client.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' }));
  expect(await ready()).toBe('Unknown');
  await cluster.after(11);
  expect(await ready()).toBe('True');
});

test('a lease that somebody deleted is there again with the next beat', async () => {
  const cluster = new SmallCluster({ writeLeasesEveryMs: 10_000 });
  const { privateDnsName: name } = cluster.launch();
  await cluster.after(120);
  await cluster.do((client) => client.delete(leases, { name, namespace: 'kube-node-lease' }));
  await cluster.after(11);
  expect((await cluster.get(leases, name, 'kube-node-lease'))?.spec?.holderIdentity).toBe(name);
});

test('a pod that waits in a shell ends when its annotation says that the shell was left', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  const pod = aPod('shell');
  const containers = [{ name: 'main', image: 'busybox', args: ['sh'], stdin: true }];
  await cluster.create(pods, { ...pod, spec: { ...pod.spec, restartPolicy: 'Never', containers } });
  await cluster.after(120);
  const phase = async () => (await cluster.get(pods, 'shell', 'default'))?.status?.phase;
  expect(await phase()).toBe('Running');
  const annotations = { 'sandbox.nodewright.dev/exit-code.main': '3' };
  const key = { namespace: 'default', name: 'shell' };
  await cluster.do((client) => client.patch(pods, key, { type: 'merge', patch: { metadata: { annotations } } }));
  await cluster.after(1);
  expect(await phase()).toBe('Failed');
});

test('an ephemeral container runs once in a pod that runs, and ends as its command tells', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(pods, aPod('app'));
  await cluster.after(120);
  const ephemeral = async () => (await cluster.get(pods, 'app', 'default'))?.status?.ephemeralContainerStatuses;
  expect(await ephemeral()).toBeUndefined();
  const ephemeralContainers = [
    { name: 'debug', image: 'busybox', command: ['sh', '-c', 'sleep 20; exit 2'] },
    { name: 'shell', image: 'busybox', command: ['sh'], stdin: true },
  ];
  const key = { namespace: 'default', name: 'app' };
  const patch = { type: 'strategic', patch: { spec: { ephemeralContainers } } } as const;
  await cluster.do((client) => client.patch(pods, key, patch, { subresource: 'ephemeralcontainers' }));
  await cluster.after(1);
  const running = { running: expect.anything() };
  expect(await ephemeral()).toMatchObject([
    { name: 'debug', ready: false, state: running },
    { name: 'shell', ready: false, state: running },
  ]);
  await cluster.after(30);
  expect(await ephemeral()).toMatchObject([
    { name: 'debug', state: { terminated: { exitCode: 2, reason: 'Error' } } },
    { name: 'shell', state: running },
  ]);
  expect((await cluster.get(pods, 'app', 'default'))?.status?.phase).toBe('Running');
});
