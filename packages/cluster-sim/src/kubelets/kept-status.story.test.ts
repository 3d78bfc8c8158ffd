import { type Condition, nodes, type Pod, podDisruptionBudgets, pods, type PodStatus } from '@nodewright/apis';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { isTrue } from '../objects/conditions.ts';

const aPod = (name: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'main' }], tolerations: [{ operator: 'Exists' }], ...spec },
});

async function runningPod(spec: Partial<Pod['spec']> = {}): Promise<{ cluster: SmallCluster; instanceId: string }> {
  const cluster = new SmallCluster({ asNodes: true });
  const { instanceId } = cluster.launch();
  await cluster.create(pods, aPod('a', spec));
  await cluster.after(60);
  return { cluster, instanceId };
}

const theStatus = async (cluster: SmallCluster): Promise<PodStatus> =>
  (await cluster.get(pods, 'a', 'default'))?.status ?? {};

const writeStatus = (cluster: SmallCluster, status: object): Promise<unknown> =>
  cluster.do((client) =>
    client.patch(
      pods,
      { name: 'a', namespace: 'default' },
      { type: 'strategic', patch: { status } },
      { subresource: 'status' },
    ),
  );

const notReady: Condition = { type: 'Ready', status: 'False' };

for (const { fact, status } of [
  { fact: 'is ready again', status: { conditions: [notReady] } },
  {
    fact: 'has its addresses again',
    status: { podIP: '10.0.0.1', podIPs: [{ $patch: 'replace' }, { ip: '10.0.0.1' }] },
  },
  { fact: 'is running again', status: { phase: 'Pending', containerStatuses: [] } },
]) {
  test(`a pod whose status somebody wrote ${fact} when its kubelet compares`, async () => {
    const { cluster } = await runningPod();
    const before = await theStatus(cluster);
    await writeStatus(cluster, status);
    await cluster.after(11);
    const { conditions, ...after } = await theStatus(cluster);
    expect(isTrue(conditions, 'Ready')).toBe(true);
    expect(after).toEqual({ ...before, conditions: undefined });
  });
}

test('a pod is ready again after its kubelet came back, and its disruption budget allows evictions again', async () => {
  const { cluster, instanceId } = await runningPod();
  const selector = { matchLabels: { app: 'a' } };
  await cluster.create(podDisruptionBudgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'a', namespace: 'default' },
    spec: { minAvailable: 0, selector },
  });
  cluster.behaves(instanceId, { behavior: 'stopsRenewing' });
  await cluster.after(60);
  expect(isTrue((await theStatus(cluster)).conditions, 'Ready')).toBe(false);
  cluster.behaves(instanceId);
  await cluster.after(60);
  expect(isTrue((await theStatus(cluster)).conditions, 'Ready')).toBe(true);
  const budget = await cluster.get(podDisruptionBudgets, 'a', 'default');
  expect(budget?.status).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 1 });
});

test('a pod on a node without a network stays as the control plane left it', async () => {
  const { cluster, instanceId } = await runningPod();
  cluster.behaves(instanceId, { behavior: 'notReady' });
  await cluster.after(60);
  expect(isTrue((await theStatus(cluster)).conditions, 'Ready')).toBe(false);
});

test('a pod that somebody ended stays ended', async () => {
  const { cluster } = await runningPod();
  await writeStatus(cluster, { phase: 'Failed', reason: 'Evicted' });
  await cluster.after(60);
  expect(await theStatus(cluster)).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
});

test('a pod is ready when the conditions of its readiness gates are true', async () => {
  const { cluster } = await runningPod({ readinessGates: [{ conditionType: 'example.com/reachable' }] });
  const ready = async (): Promise<Condition | undefined> =>
    (await theStatus(cluster)).conditions?.find(({ type }) => type === 'Ready');
  const writeGate = (status: Condition['status']) =>
    writeStatus(cluster, { conditions: [{ type: 'example.com/reachable', status }] });
  expect(await ready()).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'corresponding condition of pod readiness gate "example.com/reachable" does not exist.',
  });
  await writeGate('True');
  await cluster.after(2);
  expect(await ready()).toMatchObject({ status: 'True' });
  expect(await ready()).not.toHaveProperty('reason');
  await writeGate('False');
  await cluster.after(2);
  expect(await ready()).toMatchObject({
    status: 'False',
    message: 'the status of pod readiness gate "example.com/reachable" is not "True", but False',
  });
});

test('a node tells again what somebody wrote differently, and leaves what others tell', async () => {
  const cluster = new SmallCluster({ asNodes: true });
  const { privateDnsName: name } = cluster.launch();
  await cluster.after(60);
  const before = await cluster.get(nodes, name);
  const status = {
    capacity: { cpu: '400', 'example.com/dongle': '3' },
    nodeInfo: { ...before?.status?.nodeInfo, kubeletVersion: 'v1.99.0' },
    conditions: [
      { type: 'Ready', status: 'False', reason: 'Somebody' },
      { type: 'KernelReady', status: 'False' },
    ],
  };
  await cluster.do((client) =>
    client.patch(nodes, { name }, { type: 'strategic', patch: { status } }, { subresource: 'status' }),
  );
  await cluster.after(11);
  const after = await cluster.get(nodes, name);
  expect(isTrue(after?.status?.conditions, 'Ready')).toBe(true);
  expect(after?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'KernelReady', status: 'False' }));
  expect(after?.status?.capacity).toEqual({ ...before?.status?.capacity, 'example.com/dongle': '3' });
  expect(after?.status?.nodeInfo).toEqual(before?.status?.nodeInfo);
});
