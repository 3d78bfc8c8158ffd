import { definitionObjects, deployments, type Pod, pods, services } from '@nodewright/apis';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { createClusterServices, startClusterServices, updateAddOns } from '../system-objects/cluster-services.ts';
import { seededRandom } from '@nodewright/runtime';
import { type Endpoints, endpoints, type ServiceSlice, serviceSlices } from './kinds.ts';

async function aClusterWithServices(): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  startClusterServices({ clock: cluster.time.clock, random: seededRandom('services'), client: cluster.client });
  cluster.launch();
  await cluster.after(60);
  return cluster;
}

const aPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'main', ports: [{ name: 'http', containerPort: 8080 }] }] },
});

const aService = (spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }], ...spec },
});

const theEndpoints = (cluster: SmallCluster): Promise<Endpoints | undefined> =>
  cluster.get(endpoints, 'web', 'default');
const theSlices = async (cluster: SmallCluster): Promise<readonly ServiceSlice[]> =>
  (await cluster.list(serviceSlices, 'default')).filter(({ metadata }) => metadata.name !== 'kubernetes');

test('a service has the addresses of its ready pods as endpoints', async () => {
  const cluster = await aClusterWithServices();
  await cluster.create(services, aService());
  await cluster.after(1);
  expect((await theEndpoints(cluster))?.subsets ?? []).toEqual([]);
  expect((await theSlices(cluster))[0]?.endpoints ?? []).toEqual([]);
  await cluster.create(pods, aPod('a'), aPod('b'));
  await cluster.after(30);
  const [a, b] = await cluster.list(pods, 'default');
  const [subset] = (await theEndpoints(cluster))?.subsets ?? [];
  expect(subset?.ports).toEqual([{ port: 8080, protocol: 'TCP' }]);
  expect(subset?.addresses).toMatchObject([
    { ip: a?.status?.podIP, nodeName: a?.spec.nodeName, targetRef: { kind: 'Pod', name: 'a', uid: a?.metadata.uid } },
    { ip: b?.status?.podIP },
  ]);
  const slices = await theSlices(cluster);
  expect(slices).toHaveLength(1);
  expect(slices[0]).toMatchObject({
    metadata: {
      generateName: 'web-',
      labels: { 'kubernetes.io/service-name': 'web' },
      ownerReferences: [{ kind: 'Service', name: 'web', controller: true }],
    },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: [a?.status?.podIP],
        conditions: { ready: true, serving: true, terminating: false },
        zone: 'us-east-1b',
      },
      { addresses: [b?.status?.podIP] },
    ],
  });
});

test('endpoints go with their pods, and with their service', async () => {
  const cluster = await aClusterWithServices();
  await cluster.create(services, aService());
  await cluster.create(pods, aPod('a'));
  await cluster.after(30);
  await cluster.do((client) => client.delete(pods, { name: 'a', namespace: 'default' }));
  await cluster.after(0.5);
  expect((await theEndpoints(cluster))?.subsets ?? []).toEqual([]);
  expect((await theSlices(cluster))[0]?.endpoints).toMatchObject([{ conditions: { ready: false, terminating: true } }]);
  await cluster.after(10);
  expect((await theSlices(cluster))[0]?.endpoints ?? []).toEqual([]);
  await cluster.do((client) => client.delete(services, { name: 'web', namespace: 'default' }));
  await cluster.after(5);
  expect([await theEndpoints(cluster), await theSlices(cluster)]).toEqual([undefined, []]);
});

test('endpoints that somebody changed or deleted are what the pods make them', async () => {
  const cluster = await aClusterWithServices();
  await cluster.create(services, aService());
  await cluster.create(pods, aPod('a'));
  await cluster.after(30);
  const before = await theEndpoints(cluster);
  await cluster.do((client) =>
    client.patch(endpoints, { name: 'web', namespace: 'default' }, { type: 'merge', patch: { subsets: [] } }),
  );
  for (const { metadata } of await theSlices(cluster)) {
    await cluster.do((client) => client.delete(serviceSlices, { name: metadata.name, namespace: 'default' }));
  }
  await cluster.after(1);
  expect((await theEndpoints(cluster))?.subsets).toEqual(before?.subsets);
  expect(await theSlices(cluster)).toHaveLength(1);
});

test('a service without a selector is left to who made it', async () => {
  const cluster = await aClusterWithServices();
  await cluster.create(services, aService({ selector: {} }));
  await cluster.after(1);
  expect(await theEndpoints(cluster)).toBeUndefined();
});

test('the cluster has its DNS before it has a node, and its images follow the control plane', async () => {
  const cluster = new SmallCluster();
  const addresses = ['192.168.31.250'];
  startClusterServices({ clock: cluster.time.clock, random: seededRandom('services'), client: cluster.client });
  await cluster.do((client) => createClusterServices(client, { kubernetesVersion: '1.28', addresses }));
  await cluster.after(10);
  expect((await cluster.get(services, 'kube-dns', 'kube-system'))?.spec?.['clusterIP']).toBe('10.100.0.10');
  expect((await cluster.get(endpoints, 'kube-dns', 'kube-system'))?.subsets?.[0]?.addresses).toHaveLength(2);
  expect((await cluster.get(endpoints, 'kubernetes', 'default'))?.subsets?.[0]?.addresses).toEqual([
    { ip: '192.168.31.250' },
  ]);
  const imageOf = async () =>
    (await cluster.get(deployments, 'coredns', 'kube-system'))?.spec.template.spec.containers[0]?.image;
  expect(await imageOf()).toMatch(/coredns:v1\.10\.1-eksbuild/);
  await cluster.do((client) => updateAddOns(client, '1.29'));
  expect(await imageOf()).toMatch(/coredns:v1\.11\.1-eksbuild/);
  await cluster.after(60);
  expect(await cluster.list(pods, 'kube-system')).toHaveLength(2);
  const patch = { spec: { template: { spec: { containers: [{ name: 'coredns', image: 'own/coredns:1' }] } } } };
  const key = { namespace: 'kube-system', name: 'coredns' };
  await cluster.do((client) => client.patch(deployments, key, { type: 'strategic', patch }));
  await cluster.do((client) => updateAddOns(client, '1.30'));
  expect(await imageOf()).toBe('own/coredns:1');
});

test('the cluster comes with the kinds that the network of EKS defines', async () => {
  const cluster = new SmallCluster();
  await cluster.do((client) =>
    createClusterServices(client, { kubernetesVersion: '1.28', addresses: ['192.168.31.250'] }),
  );
  const definitions = await cluster.list(definitionObjects);
  expect(definitions.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining([
      'cninodes.vpcresources.k8s.aws',
      'eniconfigs.crd.k8s.amazonaws.com',
      'policyendpoints.networking.k8s.aws',
      'securitygrouppolicies.vpcresources.k8s.aws',
    ]),
  );
  const policies = {
    group: 'vpcresources.k8s.aws',
    version: 'v1beta1',
    plural: 'securitygrouppolicies',
    kind: 'SecurityGroupPolicy',
    namespaced: true,
  };
  const aPolicy = (groupIds: readonly string[]) => ({
    apiVersion: 'vpcresources.k8s.aws/v1beta1',
    kind: 'SecurityGroupPolicy',
    metadata: { name: 'db', namespace: 'default' },
    spec: { podSelector: { matchLabels: { role: 'db' } }, securityGroups: { groupIds } },
  });
  await expect(cluster.create(policies, aPolicy([]))).rejects.toThrow('should have at least 1 items');
  await cluster.create(policies, aPolicy(['sg-0123456789abcdef0']));
  expect(await cluster.list(policies, 'default')).toHaveLength(1);
});
