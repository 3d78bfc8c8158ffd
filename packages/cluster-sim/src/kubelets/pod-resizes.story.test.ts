import { type Pod, pods, type ResourceList } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';

const resizeNodeData = `[settings.kubernetes]
cluster-name = "sandbox"`;

type ResizedContainer = NonNullable<Pod['spec']['containers']>[number];

const aResizablePod = (name: string, requests: ResourceList, traits: Partial<ResizedContainer> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'main', resources: { requests }, ...traits }] },
});

/** A node of four processors with pods that run. */
async function aClusterOfSizedPods(...created: readonly Pod[]): Promise<SmallCluster> {
  const cluster = new SmallCluster({ version: '1.36' });
  cluster.launch({ family: 'Bottlerocket' }, resizeNodeData);
  await cluster.create(pods, ...created);
  await cluster.after(90);
  return cluster;
}

const resizeTo = (cluster: SmallCluster, name: string, requests: ResourceList): Promise<Pod> =>
  cluster.do((client) =>
    client.patch(
      pods,
      { name, namespace: 'default' },
      { type: 'strategic', patch: { spec: { containers: [{ name: 'main', resources: { requests } }] } } },
      { subresource: 'resize' },
    ),
  );

async function resizeOf(cluster: SmallCluster, name: string) {
  const { status } = (await cluster.get(pods, name, 'default')) as Pod;
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  const [container] = status?.containerStatuses ?? [];
  return {
    pending: pending && `${pending.reason}: ${pending.message}`,
    held: container?.resources?.requests?.['cpu'],
    restarts: container?.restartCount,
  };
}

test('a resize that the node has room for is granted without a restart', async () => {
  const cluster = await aClusterOfSizedPods(aResizablePod('a', { cpu: '1' }));
  await resizeTo(cluster, 'a', { cpu: '2' });
  expect(await resizeOf(cluster, 'a')).toEqual({ pending: undefined, held: undefined, restarts: 0 });
  await cluster.after(2);
  expect(await resizeOf(cluster, 'a')).toEqual({ pending: undefined, held: '2', restarts: 0 });
});

test('a container that asks for it is restarted', async () => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const cluster = await aClusterOfSizedPods(aResizablePod('a', { cpu: '1' }, { resizePolicy }));
  await resizeTo(cluster, 'a', { cpu: '2' });
  await cluster.after(2);
  expect(await resizeOf(cluster, 'a')).toEqual({ pending: undefined, held: '2', restarts: 1 });
});

test('a resize beyond the node is infeasible, until it is taken back', async () => {
  const cluster = await aClusterOfSizedPods(aResizablePod('a', { cpu: '1' }));
  await resizeTo(cluster, 'a', { cpu: '9' });
  await cluster.after(2);
  const pending = "Infeasible: Node didn't have enough capacity: cpu, requested: 9000, capacity: 3920";
  expect(await resizeOf(cluster, 'a')).toEqual({ pending, held: '1', restarts: 0 });
  await resizeTo(cluster, 'a', { cpu: '1' });
  await cluster.after(2);
  expect(await resizeOf(cluster, 'a')).toEqual({ pending: undefined, held: '1', restarts: 0 });
});

test('a resize waits for another pod to go, also across a restart of the kubelets', async () => {
  const cluster = await aClusterOfSizedPods(aResizablePod('a', { cpu: '1' }), aResizablePod('b', { cpu: '2' }));
  await resizeTo(cluster, 'a', { cpu: '3' });
  await cluster.after(2);
  const pending = "Deferred: Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 3920";
  expect(await resizeOf(cluster, 'a')).toEqual({ pending, held: '1', restarts: 0 });
  cluster.restart();
  await cluster.after(60);
  await cluster.do((client) => client.delete(pods, { name: 'b', namespace: 'default' }));
  await cluster.after(40);
  expect(await resizeOf(cluster, 'a')).toEqual({ pending: undefined, held: '3', restarts: 0 });
});
