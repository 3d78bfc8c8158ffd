import {
  type CSINode,
  csiNodes,
  nodes,
  persistentVolumeClaims,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumes,
  type Pod,
  pods,
  storageClasses,
  type StorageClass,
  volumeAttachments,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { storageManifests } from '../system-objects/storage-manifests.ts';

const gp3: StorageClass = {
  metadata: { name: 'gp3' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const aClaim = (
  name: string,
  spec: PersistentVolumeClaim['spec'] = { storageClassName: 'gp3' },
): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '4Gi' } }, ...spec },
});

const aPod = (name: string, ...claims: readonly string[]): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'main', image: 'db:1' }],
    volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
  },
});

async function aCluster(...classes: readonly StorageClass[]): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.after(120);
  await cluster.create(storageClasses, ...classes);
  return cluster;
}

const claim = async (cluster: SmallCluster, name: string) => {
  const found = await cluster.get(persistentVolumeClaims, name, 'default');
  return `${found?.status?.phase} ${found?.spec?.storageClassName ?? 'of no class'}`;
};

const why = async (cluster: SmallCluster, name: string): Promise<string | undefined> => {
  const pod = await cluster.get(pods, name, 'default');
  return pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
};

const phase = async (cluster: SmallCluster, name: string) => (await cluster.get(pods, name, 'default'))?.status?.phase;

test('a claim waits for its first pod, gets a volume in the zone of that pod’s node, and is attached while the pod is there', async () => {
  const cluster = await aCluster(gp3);
  await cluster.create(persistentVolumeClaims, aClaim('data'));
  await cluster.after(10);
  expect(await claim(cluster, 'data')).toBe('Pending gp3');
  await cluster.create(pods, aPod('db', 'data'));
  await cluster.after(30);
  expect(await claim(cluster, 'data')).toBe('Bound gp3');
  expect(await phase(cluster, 'db')).toBe('Running');
  const [volume] = await cluster.list(persistentVolumes);
  expect(volume).toMatchObject({
    spec: {
      capacity: { storage: '4Gi' },
      csi: { driver: 'ebs.csi.aws.com' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['us-east-1b'] }] }],
        },
      },
    },
    status: { phase: 'Bound' },
  });
  const [node] = await cluster.list(nodes);
  expect(await cluster.list(volumeAttachments)).toMatchObject([
    {
      spec: {
        attacher: 'ebs.csi.aws.com',
        nodeName: node?.metadata.name,
        source: { persistentVolumeName: volume?.metadata.name },
      },
      status: { attached: true },
    },
  ]);

  await cluster.do((client) => client.delete(pods, { name: 'db', namespace: 'default' }));
  await cluster.after(60);
  expect(await cluster.list(volumeAttachments)).toEqual([]);
  await cluster.do((client) => client.delete(persistentVolumeClaims, { name: 'data', namespace: 'default' }));
  await cluster.after(10);
  expect(await cluster.list(persistentVolumes)).toEqual([]);
  expect(cluster.complaints).toEqual([]);
});

test('a claim without a class gets the default one, which EKS marks before 1.30', async () => {
  const cluster = await aCluster(...storageManifests('1.28'));
  await cluster.create(persistentVolumeClaims, aClaim('data', {}));
  await cluster.create(pods, aPod('db', 'data'));
  await cluster.after(30);
  expect(await claim(cluster, 'data')).toBe('Bound gp2');
  expect((await cluster.list(persistentVolumes))[0]?.spec?.awsElasticBlockStore).toMatchObject({ fsType: 'ext4' });

  const later = await aCluster(...storageManifests('1.30'));
  await later.create(persistentVolumeClaims, aClaim('data', {}));
  await later.after(30);
  expect(await claim(later, 'data')).toBe('Pending of no class');
});

const staticVolume = (zone: string): PersistentVolume => ({
  metadata: { name: 'made-by-hand' },
  spec: {
    storageClassName: '',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '10Gi' },
    persistentVolumeReclaimPolicy: 'Retain',
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] },
        ],
      },
    },
  },
});

test('a volume made by hand is bound to a claim that it suits, and released when that goes', async () => {
  const cluster = await aCluster();
  await cluster.create(persistentVolumes, staticVolume('us-east-1b'));
  await cluster.after(5);
  expect((await cluster.list(persistentVolumes))[0]?.status?.phase).toBe('Available');
  await cluster.create(persistentVolumeClaims, aClaim('data', { storageClassName: '' }));
  await cluster.create(pods, aPod('db', 'data'));
  await cluster.after(30);
  expect(await phase(cluster, 'db')).toBe('Running');
  await cluster.do((client) => client.delete(pods, { name: 'db', namespace: 'default' }));
  await cluster.do((client) => client.delete(persistentVolumeClaims, { name: 'data', namespace: 'default' }));
  await cluster.after(60);
  expect((await cluster.list(persistentVolumes))[0]?.status?.phase).toBe('Released');
});

test('a pod is not put where its volume cannot be reached', async () => {
  const cluster = await aCluster();
  await cluster.create(persistentVolumes, staticVolume('us-east-1c'));
  await cluster.create(persistentVolumeClaims, aClaim('data', { storageClassName: '' }));
  await cluster.create(pods, aPod('db', 'data'));
  await cluster.after(30);
  expect(await why(cluster, 'db')).toBe('0/1 nodes are available: 1 node(s) had volume node affinity conflict.');
});

test('a pod whose claim is not there, or waits for nobody, waits and says so', async () => {
  const cluster = await aCluster({
    metadata: { name: 'other' },
    provisioner: 'example.com/slow',
    volumeBindingMode: 'Immediate',
  });
  await cluster.create(pods, aPod('db', 'data'));
  await cluster.after(5);
  expect(await why(cluster, 'db')).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found.');
  await cluster.create(persistentVolumeClaims, aClaim('data', { storageClassName: 'other' }));
  await cluster.after(5);
  expect(await why(cluster, 'db')).toBe('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.');
});

test('the labels of a node have what its CSINode says of places', async () => {
  const cluster = await aCluster(gp3);
  const [storage] = await cluster.list(csiNodes);
  const [node] = await cluster.list(nodes);
  const labels = (storage?.spec?.drivers?.[0]?.topologyKeys ?? []).map((key) => [key, node?.metadata.labels?.[key]]);
  expect(Object.fromEntries(labels)).toEqual({
    'kubernetes.io/os': 'linux',
    'topology.ebs.csi.aws.com/zone': 'us-east-1b',
    'topology.kubernetes.io/zone': 'us-east-1b',
  });
});

test('a node takes no more volumes than its CSINode allows', async () => {
  const cluster = await aCluster(gp3);
  const [storage] = await cluster.list(csiNodes);
  expect(storage?.spec?.drivers?.[0]).toMatchObject({ name: 'ebs.csi.aws.com', allocatable: { count: 26 } });
  const drivers = (storage?.spec?.drivers ?? []).map((driver) => ({ ...driver, allocatable: { count: 2 } }));
  const fewer: CSINode['spec'] = { drivers };
  const key = { name: storage?.metadata.name ?? '' };
  await cluster.do((client) => client.patch(csiNodes, key, { type: 'merge', patch: { spec: fewer } }));
  for (const name of ['a', 'b', 'c']) {
    await cluster.create(persistentVolumeClaims, aClaim(name));
    await cluster.create(pods, aPod(`db-${name}`, name));
    await cluster.after(10);
  }
  await cluster.after(30);
  expect([await phase(cluster, 'db-a'), await phase(cluster, 'db-b')]).toEqual(['Running', 'Running']);
  expect(await why(cluster, 'db-c')).toBe('0/1 nodes are available: 1 node(s) exceed max volume count.');
  await cluster.do((client) => client.delete(pods, { name: 'db-a', namespace: 'default' }));
  await cluster.after(30);
  expect(await phase(cluster, 'db-c')).toBe('Running');
});

test('an ephemeral volume has a claim that goes with its pod', async () => {
  const cluster = await aCluster(gp3);
  const template = { spec: aClaim('any').spec };
  const pod = aPod('job');
  await cluster.create(pods, {
    ...pod,
    spec: { ...pod.spec, volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: template } }] },
  });
  await cluster.after(30);
  expect(await phase(cluster, 'job')).toBe('Running');
  expect(await claim(cluster, 'job-scratch')).toBe('Bound gp3');
  await cluster.do((client) => client.delete(pods, { name: 'job', namespace: 'default' }));
  await cluster.after(60);
  expect(await cluster.list(persistentVolumeClaims, 'default')).toEqual([]);
  expect(await cluster.list(persistentVolumes)).toEqual([]);
});

test('a restart at any moment ends the same', async () => {
  const cluster = await aCluster(gp3);
  await cluster.create(persistentVolumeClaims, aClaim('data'));
  await cluster.create(pods, aPod('db', 'data'));
  for (let turn = 0; turn < 8; turn += 1) {
    cluster.restart();
    await cluster.after(0.5);
  }
  await cluster.after(30);
  expect(await phase(cluster, 'db')).toBe('Running');
  expect(await cluster.list(persistentVolumes)).toHaveLength(1);
  expect(await cluster.list(volumeAttachments)).toHaveLength(1);
});
