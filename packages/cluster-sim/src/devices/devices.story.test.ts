import {
  type DeviceClass,
  deviceClasses,
  namespaces,
  type Pod,
  pods,
  type ResourceClaim,
  resourceClaims,
  type ResourceClaimTemplate,
  resourceClaimTemplates,
  type ResourceSlice,
  resourceSlices,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';

const gpuNodeData = `[settings.kubernetes]
cluster-name = "sandbox"`;

const gpuClass: DeviceClass = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: "device.driver == 'gpu.example.com'" } }] },
};

const gpuTemplate: ResourceClaimTemplate = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'one-gpu', namespace: 'default' },
  spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } } },
};

const gpusOf = (nodeName: string, count: number): ResourceSlice => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `${nodeName}-gpus` },
  spec: {
    driver: 'gpu.example.com',
    nodeName,
    pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } as ResourceSlice['spec']['pool'],
    devices: Array.from({ length: count }, (_, index) => ({ name: `gpu-${index}` })),
  },
});

const aGpuPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }],
    containers: [{ name: 'main', image: 'main', resources: { claims: [{ name: 'gpu' }] } }],
  },
});

async function aClusterWithTemplates(): Promise<SmallCluster> {
  const cluster = new SmallCluster({ version: '1.36' });
  await cluster.create(deviceClasses, gpuClass);
  await cluster.create(resourceClaimTemplates, gpuTemplate);
  return cluster;
}

async function placeOfGpuPod(cluster: SmallCluster, name: string) {
  const pod = await cluster.get(pods, name, 'default');
  const scheduled = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return pod?.spec.nodeName ?? scheduled?.message;
}

const allocationsOf = (claims: readonly ResourceClaim[]) =>
  claims.map(({ status }) => [
    status?.allocation?.devices?.results?.map(({ device }) => device),
    status?.reservedFor?.map(({ name }) => name),
  ]);

test('each pod gets a claim from its template and a device of its own', async () => {
  const cluster = await aClusterWithTemplates();
  const { privateDnsName } = cluster.launch({ family: 'Bottlerocket' }, gpuNodeData);
  await cluster.create(resourceSlices, gpusOf(privateDnsName, 2));
  await cluster.create(pods, aGpuPod('a'), aGpuPod('b'), aGpuPod('c'));
  await cluster.after(90);
  expect(allocationsOf(await cluster.list(resourceClaims, 'default'))).toEqual([
    [['gpu-0'], ['a']],
    [['gpu-1'], ['b']],
    [undefined, undefined],
  ]);
  expect(await placeOfGpuPod(cluster, 'a')).toBe(privateDnsName);
  expect(await placeOfGpuPod(cluster, 'c')).toBe('0/1 nodes are available: 1 cannot allocate all claims.');
  await cluster.do((client) => client.delete(pods, { name: 'a', namespace: 'default' }));
  await cluster.after(90);
  expect(await placeOfGpuPod(cluster, 'c')).toBe(privateDnsName);
  expect(allocationsOf(await cluster.list(resourceClaims, 'default'))).toEqual([
    [['gpu-1'], ['b']],
    [['gpu-0'], ['c']],
  ]);
});

test('a pod waits for devices, and comes when a driver offers some', async () => {
  const cluster = await aClusterWithTemplates();
  const { privateDnsName } = cluster.launch({ family: 'Bottlerocket' }, gpuNodeData);
  await cluster.create(pods, aGpuPod('a'));
  await cluster.after(90);
  expect(await placeOfGpuPod(cluster, 'a')).toBe('0/1 nodes are available: 1 cannot allocate all claims.');
  await cluster.create(resourceSlices, gpusOf(privateDnsName, 1));
  await cluster.after(30);
  expect(await placeOfGpuPod(cluster, 'a')).toBe(privateDnsName);
});

test('a claim of its own waits for its class, and keeps its devices for the next pod on the node', async () => {
  const cluster = new SmallCluster({ version: '1.36' });
  const { privateDnsName } = cluster.launch({ family: 'Bottlerocket' }, gpuNodeData);
  await cluster.create(resourceSlices, gpusOf(privateDnsName, 1));
  await cluster.create(resourceClaims, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'shared', namespace: 'default' },
    spec: gpuTemplate.spec.spec,
  });
  const user = (name: string): Pod => {
    const pod = aGpuPod(name);
    return { ...pod, spec: { ...pod.spec, resourceClaims: [{ name: 'gpu', resourceClaimName: 'shared' }] } };
  };
  await cluster.create(pods, user('a'), user('b'));
  await cluster.after(90);
  expect(await placeOfGpuPod(cluster, 'a')).toBe(
    '0/1 nodes are available: request gpu: device class gpu does not exist.',
  );
  await cluster.create(deviceClasses, gpuClass);
  await cluster.after(30);
  expect(allocationsOf(await cluster.list(resourceClaims, 'default'))).toEqual([[['gpu-0'], ['a', 'b']]]);
});

test('claims and templates go with their namespace', async () => {
  const cluster = await aClusterWithTemplates();
  await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await cluster.after(5);
  const metadata = { name: 'gpu', namespace: 'shop' };
  await cluster.create(resourceClaimTemplates, { ...gpuTemplate, metadata });
  await cluster.create(resourceClaims, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata,
    spec: gpuTemplate.spec.spec,
  });
  await cluster.do((client) => client.delete(namespaces, { name: 'shop' }));
  await cluster.after(60);
  expect(await cluster.list(resourceClaims, 'shop')).toEqual([]);
  expect(await cluster.list(resourceClaimTemplates, 'shop')).toEqual([]);
  expect(await cluster.get(namespaces, 'shop')).toBeUndefined();
});
