import {
  byTextOf,
  controllerRevisions,
  events,
  persistentVolumeClaims,
  type Pod,
  pods,
  type StatefulSet,
  statefulSets,
  storageClasses,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { storageManifests } from '../../system-objects/storage-manifests.ts';
import { SmallCluster } from '@nodewright/testkit/worlds';

const key = { name: 'web', namespace: 'default' };

const aSet = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { ...key },
  spec: {
    replicas: 3,
    serviceName: 'web',
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
    ...spec,
  },
});

const change = (spec: object) => ({ type: 'merge', patch: { spec } }) as const;
const image = (name: string) => ({ template: { spec: { containers: [{ name: 'web', image: name }] } } });

async function aCluster(set: StatefulSet): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  await cluster.create(storageClasses, ...storageManifests('1.28'));
  await cluster.create(statefulSets, set);
  cluster.launch();
  await cluster.after(120);
  return cluster;
}

const born = ({ metadata }: Pod): string => `${metadata.name} ${metadata.creationTimestamp?.slice(11, 19)}`;

async function members(cluster: SmallCluster): Promise<readonly Pod[]> {
  const found = await cluster.list(pods, 'default');
  return found.toSorted(byTextOf(({ metadata }) => metadata.name));
}

test('pods come one after the other, each with a name, a host name and a claim of its own', async () => {
  const cluster = await aCluster(aSet());
  const found = await members(cluster);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['web-0', 'web-1', 'web-2']);
  expect(new Set(found.map(({ metadata }) => metadata.creationTimestamp)).size).toBe(3);
  expect(found[1]).toMatchObject({
    metadata: { labels: { 'apps.kubernetes.io/pod-index': '1', 'statefulset.kubernetes.io/pod-name': 'web-1' } },
    spec: {
      hostname: 'web-1',
      subdomain: 'web',
      volumes: expect.arrayContaining([{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } }]),
    },
  });
  expect((await cluster.list(persistentVolumeClaims, 'default')).map(({ metadata }) => metadata.name)).toEqual([
    'data-web-0',
    'data-web-1',
    'data-web-2',
  ]);
  const [revision] = await cluster.list(controllerRevisions, 'default');
  expect((await cluster.get(statefulSets, 'web', 'default'))?.status).toMatchObject({
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    currentRevision: revision?.metadata.name,
    updateRevision: revision?.metadata.name,
  });
  const told = (await cluster.list(events, 'default')).map(({ message }) => message);
  expect(told).toContain('create Claim data-web-0 Pod web-0 in StatefulSet web success');
  expect(told).toContain('create Pod web-0 in StatefulSet web successful');
  expect(cluster.complaints).toEqual([]);
});

test('a Parallel set makes its pods at once', async () => {
  const cluster = await aCluster(aSet({ podManagementPolicy: 'Parallel' }));
  const found = await members(cluster);
  expect(new Set(found.map(({ metadata }) => metadata.creationTimestamp)).size).toBe(1);
});

test('an update replaces pods from the highest number down to the partition', async () => {
  const cluster = await aCluster(aSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }));
  const before = await members(cluster);
  await cluster.do((client) => client.patch(statefulSets, key, change(image('web:2'))));
  await cluster.after(120);
  const after = await members(cluster);
  expect(after.map(({ spec }) => spec.containers[0]?.image)).toEqual(['web:1', 'web:2', 'web:2']);
  expect(born(after[0] as Pod)).toBe(born(before[0] as Pod));
  expect((after[2]?.metadata.creationTimestamp ?? '') < (after[1]?.metadata.creationTimestamp ?? '')).toBe(true);

  await cluster.do((client) => client.delete(pods, { name: 'web-0', namespace: 'default' }));
  await cluster.after(60);
  const again = await members(cluster);
  expect(again[0]?.spec.containers[0]?.image).toBe('web:1');
  expect((await cluster.get(statefulSets, 'web', 'default'))?.status).toMatchObject({
    currentReplicas: 1,
    updatedReplicas: 2,
  });
});

test('a template that comes back is its old revision, now the latest', async () => {
  const cluster = await aCluster(aSet());
  for (const name of ['web:2', 'web:1']) {
    await cluster.do((client) => client.patch(statefulSets, key, change(image(name))));
    await cluster.after(120);
  }
  const revisions = await cluster.list(controllerRevisions, 'default');
  expect(new Set(revisions.map(({ revision }) => revision))).toEqual(new Set([2, 3]));
  const { status } = (await cluster.get(statefulSets, 'web', 'default')) ?? {};
  expect(status?.currentRevision).toBe(revisions.find(({ revision }) => revision === 3)?.metadata.name);
  expect(status?.updatedReplicas).toBe(3);
});

test('scaling in takes the highest numbers first and leaves their claims, unless the policy says otherwise', async () => {
  const cluster = await aCluster(aSet());
  await cluster.do((client) => client.patch(statefulSets, key, change({ replicas: 1 })));
  await cluster.after(60);
  expect((await members(cluster)).map(({ metadata }) => metadata.name)).toEqual(['web-0']);
  expect(await cluster.list(persistentVolumeClaims, 'default')).toHaveLength(3);
  const policy = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } };
  await cluster.do((client) => client.patch(statefulSets, key, change(policy)));
  await cluster.after(60);
  const left = await cluster.list(persistentVolumeClaims, 'default');
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['data-web-0']);
});

test('a pod that is deleted comes back under its name', async () => {
  const cluster = await aCluster(aSet());
  const [, before] = await members(cluster);
  await cluster.do((client) => client.delete(pods, { name: 'web-1', namespace: 'default' }));
  await cluster.after(60);
  const [, after] = await members(cluster);
  expect(after?.metadata.name).toBe('web-1');
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
});

for (const podManagementPolicy of ['Parallel', 'OrderedReady'] as const) {
  test(`a ${podManagementPolicy} set whose pods find no node is updated as far as its first pod, once`, async () => {
    const stranded = { app: 'web' };
    const cluster = await aCluster(
      aSet({
        replicas: 5,
        podManagementPolicy,
        volumeClaimTemplates: [],
        template: {
          metadata: { labels: stranded },
          spec: { nodeSelector: { none: 'such' }, containers: [{ name: 'web', image: 'web:1' }] },
        },
      }),
    );
    await cluster.do((client) => client.patch(statefulSets, key, change(image('web:2'))));
    await cluster.after(10);
    const updated = await members(cluster);
    const images = updated.map(({ spec }) => spec.containers[0]?.image);
    expect(images).toEqual(
      podManagementPolicy === 'Parallel' ? [...Array<string>(4).fill('web:1'), 'web:2'] : ['web:1'],
    );
    await cluster.after(60);
    expect((await members(cluster)).map(({ metadata }) => metadata.uid)).toEqual(
      updated.map(({ metadata }) => metadata.uid),
    );
  });
}

test('a pod that ends in the middle of an update comes back as the update makes it', async () => {
  const cluster = await aCluster(aSet({ podManagementPolicy: 'Parallel', minReadySeconds: 600 }));
  await cluster.do((client) => client.patch(statefulSets, key, change(image('web:2'))));
  await cluster.after(30);
  await cluster.do((client) => client.delete(pods, { name: 'web-0', namespace: 'default' }));
  await cluster.after(45);
  expect((await members(cluster)).map(({ spec }) => spec.containers[0]?.image)).toEqual(['web:2', 'web:1', 'web:2']);
});
