import {
  byText,
  daemonSets,
  type Deployment,
  deployments,
  events,
  leases,
  nodes,
  pods,
  replicaSets,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { isTrue } from '../objects/conditions.ts';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { systemManifests } from '../system-objects/system-manifests.ts';

const inflate: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'inflate' } },
    template: {
      metadata: { labels: { app: 'inflate' } },
      spec: {
        nodeSelector: { team: 'my-team' },
        containers: [
          {
            name: 'inflate',
            image: 'public.ecr.aws/eks-distro/kubernetes/pause:3.7',
            resources: { requests: { cpu: 1, memory: '128Mi' }, limits: { memory: '128Mi' } },
          },
        ],
      },
    },
  },
};

test('pods of a Deployment wait for a node, and run once one has joined', async () => {
  const cluster = new SmallCluster();
  await cluster.create(daemonSets, ...systemManifests());
  await cluster.create(deployments, inflate);
  await cluster.after(5);
  const waiting = await cluster.list(pods, 'default');
  expect(waiting.map(({ status }) => status?.conditions?.find(({ type }) => type === 'PodScheduled'))).toMatchObject([
    { status: 'False', reason: 'Unschedulable', message: 'no nodes available to schedule pods' },
    { status: 'False', reason: 'Unschedulable' },
  ]);

  cluster.launch();
  await cluster.after(45);
  const [young] = await cluster.list(nodes);
  expect(isTrue(young?.status?.conditions, 'Ready')).toBe(false);
  await cluster.after(30);
  const [node] = await cluster.list(nodes);
  expect(isTrue(node?.status?.conditions, 'Ready')).toBe(true);
  expect(node?.spec?.taints ?? []).toEqual([]);
  const running = await cluster.list(pods);
  expect(running.map(({ status, metadata }) => [metadata.namespace, status?.phase])).toEqual([
    ['default', 'Running'],
    ['default', 'Running'],
    ['kube-system', 'Running'],
    ['kube-system', 'Running'],
  ]);
  expect((await cluster.get(deployments, 'inflate', 'default'))?.status).toMatchObject({
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  expect(cluster.complaints).toEqual([]);
});

test('a node stays believed for a month without a lease being written, and is not believed 40 s after its machine stops', async () => {
  const cluster = new SmallCluster();
  const machine = cluster.launch();
  await cluster.after(30 * 24 * 3600);
  const ready = async (): Promise<string | undefined> => {
    const node = await cluster.get(nodes, machine.privateDnsName);
    return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  };
  expect(await ready()).toBe('True');
  cluster.turnOff(machine.instanceId);
  await cluster.after(29);
  expect(await ready()).toBe('True');
  await cluster.after(12);
  expect(await ready()).toBe('Unknown');
  await cluster.after(30);
  expect(await ready()).toBeUndefined();
  expect(await cluster.list(leases, 'kube-node-lease')).toEqual([]);
});

test('a changed template is rolled out without losing more than may be missing', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(deployments, inflate);
  await cluster.after(90);
  const image = { spec: { template: { spec: { containers: [{ name: 'inflate', image: 'pause:3.9' }] } } } };
  const key = { name: 'inflate', namespace: 'default' };
  await cluster.do((client) => client.patch(deployments, key, { type: 'strategic', patch: image }));
  await cluster.after(60);
  const sets = await cluster.list(replicaSets, 'default');
  expect(sets.map(({ spec }) => String(spec.replicas)).toSorted(byText)).toEqual(['0', '2']);
  const running = await cluster.list(pods, 'default');
  expect(running.map(({ spec }) => spec.containers[0]?.image)).toEqual(['pause:3.9', 'pause:3.9']);
  expect(cluster.complaints).toEqual([]);
});

test('from 1.35 on a Deployment and its ReplicaSets count the pods that are being deleted', async () => {
  const counts = async (cluster: SmallCluster) => [
    (await cluster.get(deployments, 'inflate', 'default'))?.status?.terminatingReplicas,
    ...(await cluster.list(replicaSets)).map(({ status }) => status?.terminatingReplicas),
  ];
  for (const [version, seen] of [
    ['1.34', { running: [undefined, undefined], leaving: [undefined, undefined], gone: [undefined, undefined] }],
    ['1.35', { running: [0, 0], leaving: [2, 2], gone: [0, 0] }],
  ] as const) {
    const cluster = new SmallCluster({ version });
    await cluster.create(deployments, inflate);
    cluster.launch();
    await cluster.after(75);
    expect(await counts(cluster), version).toEqual(seen.running);
    const patch = { spec: { replicas: 0 } };
    await cluster.do((client) =>
      client.patch(deployments, { name: 'inflate', namespace: 'default' }, { type: 'merge', patch }),
    );
    await cluster.after(1);
    expect(await counts(cluster), version).toEqual(seen.leaving);
    await cluster.after(40);
    expect(await counts(cluster), version).toEqual(seen.gone);
  }
});

test('deleting a Deployment takes its ReplicaSets and pods along', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(deployments, inflate);
  await cluster.after(90);
  expect(await cluster.list(pods, 'default')).toHaveLength(2);
  await cluster.do((client) => client.delete(deployments, { name: 'inflate', namespace: 'default' }));
  await cluster.after(10);
  expect(await cluster.list(replicaSets, 'default')).toEqual([]);
  expect(await cluster.list(pods, 'default')).toEqual([]);
});

test('the same seed gives the same cluster, to the byte', async () => {
  const life = async (): Promise<string> => {
    const cluster = new SmallCluster();
    await cluster.create(daemonSets, ...systemManifests());
    await cluster.create(deployments, inflate);
    cluster.launch();
    cluster.launch();
    await cluster.after(120);
    const all = [await cluster.list(nodes), await cluster.list(pods), await cluster.list(events)];
    return JSON.stringify(all);
  };
  expect(await life()).toBe(await life());
});
