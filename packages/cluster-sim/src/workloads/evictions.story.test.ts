import {
  type Deployment,
  deployments,
  namespaces,
  nodes,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
  statefulSets,
} from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';

const web = (replicas: number, cpu = '500m'): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu } } }] },
    },
  },
});

const budget = (spec: PodDisruptionBudget['spec']): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

async function runningWeb(replicas: number): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(deployments, web(replicas));
  await cluster.after(90);
  return cluster;
}

for (const { fact, spec, status } of [
  {
    fact: 'a count that has to stay',
    spec: { minAvailable: 2 },
    status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
  },
  {
    fact: 'a share that has to stay, rounded up',
    spec: { minAvailable: '50%' },
    status: { disruptionsAllowed: 1, desiredHealthy: 2, expectedPods: 3 },
  },
  {
    fact: 'a count that may be missing',
    spec: { maxUnavailable: 1 },
    status: { disruptionsAllowed: 1, desiredHealthy: 2, expectedPods: 3 },
  },
  {
    fact: 'nothing that may be missing',
    spec: { maxUnavailable: 0 },
    status: { disruptionsAllowed: 0, desiredHealthy: 3, expectedPods: 3 },
  },
]) {
  test(`the status of a budget with ${fact} says what may go`, async () => {
    const cluster = await runningWeb(3);
    await cluster.create(podDisruptionBudgets, budget(spec));
    await cluster.after(1);
    expect((await cluster.get(podDisruptionBudgets, 'web', 'default'))?.status).toMatchObject(status);
  });
}

test('a second eviction waits until the replacement of the first is ready', async () => {
  const cluster = await runningWeb(2);
  await cluster.create(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
  await cluster.after(1);
  const [first, second] = (await cluster.list(pods, 'default')).map(({ metadata }) => metadata.name);
  const evict = (name = ''): Promise<void> => cluster.do((client) => client.evict({ name, namespace: 'default' }));
  await evict(first);
  const refusal = await evict(second).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ code: 429 });
  await cluster.after(15);
  await evict(second);
  await cluster.after(15);
  const names = (await cluster.list(pods, 'default')).map(({ metadata }) => metadata.name);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(first);
  expect(names).not.toContain(second);
});

test('pods leave a node that has been silent for five minutes, and only then', async () => {
  const cluster = await runningWeb(1);
  const [node] = await cluster.list(nodes);
  const [pod] = await cluster.list(pods, 'default');
  const other = cluster.launch({ behavior: 'healthy' });
  await cluster.after(60);
  expect(pod?.spec.nodeName).toBe(node?.metadata.name);
  cluster.turnOff(node?.spec?.providerID?.split('/').at(-1) ?? '');
  await cluster.after(50);
  expect((await cluster.list(pods, 'default'))[0]?.metadata.deletionTimestamp).toBeUndefined();
  await cluster.after(300);
  const remaining = await cluster.list(pods, 'default');
  expect(remaining.map(({ spec, status }) => [spec.nodeName, status?.phase])).toEqual([
    [other.privateDnsName, 'Running'],
  ]);
});

test('a pod that does not tolerate a NoExecute taint goes at once', async () => {
  const cluster = await runningWeb(1);
  const [node] = await cluster.list(nodes);
  const taints = [{ key: 'maintenance', effect: 'NoExecute' }];
  const name = node?.metadata.name ?? '';
  await cluster.do((client) => client.patch(nodes, { name }, { type: 'merge', patch: { spec: { taints } } }));
  await cluster.after(5);
  const [pod] = await cluster.list(pods, 'default');
  expect(pod?.spec.nodeName).toBeUndefined();
  expect(pod?.status?.conditions?.[0]?.message).toBe(
    '0/1 nodes are available: 1 node(s) had untolerated taint {maintenance: }.',
  );
});

test('a deleted namespace takes everything in it along', async () => {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const inShop = { ...web(2), metadata: { name: 'web', namespace: 'shop' } };
  await cluster.create(deployments, inShop);
  await cluster.after(90);
  expect(await cluster.list(pods, 'shop')).toHaveLength(2);
  await cluster.do((client) => client.delete(namespaces, { name: 'shop' }));
  await cluster.after(20);
  expect(await cluster.get(namespaces, 'shop')).toBeUndefined();
  expect(await cluster.list(pods, 'shop')).toEqual([]);
});

test('pods that a StatefulSet has not created yet count as missing', async () => {
  const { metadata, spec } = web(4);
  const cluster = new SmallCluster();
  const { privateDnsName: name } = cluster.launch();
  await cluster.create(statefulSets, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec });
  await cluster.create(podDisruptionBudgets, budget({ maxUnavailable: 2 }));
  await cluster.after(180);
  const readStatus = async () => (await cluster.get(podDisruptionBudgets, 'web', 'default'))?.status;
  expect(await readStatus()).toMatchObject({ expectedPods: 4, disruptionsAllowed: 2 });
  const cordon = { type: 'merge', patch: { spec: { unschedulable: true } } } as const;
  await cluster.do((client) => client.patch(nodes, { name }, cordon));
  for (const pod of ['web-0', 'web-1']) {
    await cluster.do((client) => client.delete(pods, { name: pod, namespace: 'default' }));
  }
  await cluster.after(60);
  expect(await cluster.list(pods, 'default')).toHaveLength(3);
  expect(await readStatus()).toMatchObject({ expectedPods: 4, currentHealthy: 2, disruptionsAllowed: 0 });
});
