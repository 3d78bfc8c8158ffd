import {
  kubernetesLabels,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  type Pod,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const using = (name: string, claimName: string): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'db', image: 'db' }],
    nodeSelector: { team: 'my-team' },
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  },
});

async function aBoundVolume(world: World, zone: string): Promise<void> {
  const inZone = [{ key: kubernetesLabels.zone, operator: 'In' as const, values: [zone] }];
  const volume = {
    metadata: { name: 'pv-data' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: inZone }] } },
    },
  };
  const claim = {
    metadata: { name: 'data', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: 'pv-data', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  await world.apply(world.client.create(persistentVolumes, volume));
  await world.apply(world.client.create(persistentVolumeClaims, claim));
}

for (const zone of ['us-east-1a', 'us-east-1b']) {
  test(`a pod gets a node where its volume is, in ${zone}`, async () => {
    const world = aWorld();
    await aBoundVolume(world, zone);
    await world.apply(world.client.create(pods, using('db', 'data')));
    await aRunningCluster(world);
    const claims = await world.claims();
    expect(claims.map(({ metadata }) => metadata.labels?.[kubernetesLabels.zone])).toContain(zone);
    const zones = claims.flatMap(({ spec }) =>
      spec.requirements.filter(({ key }) => key === kubernetesLabels.zone).map(({ values }) => values),
    );
    expect(zones).toContainEqual([zone]);
    await world.stop();
  });
}

test('a pod whose storage class binds too early hears of it and gets no node', async () => {
  const world = aWorld();
  await world.apply(
    world.client.create(storageClasses, { metadata: { name: 'early' }, provisioner: 'ebs.csi.aws.com' }),
  );
  const spec = {
    storageClassName: 'early',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  };
  await world.apply(
    world.client.create(persistentVolumeClaims, { metadata: { name: 'data', namespace: 'default' }, spec }),
  );
  await world.apply(world.client.create(pods, using('db', 'data')));
  await aRunningCluster(world);
  const told = (await world.events('FailedScheduling')).filter(({ source }) => source?.component === 'karpenter');
  expect(told.map(({ involvedObject, message }) => [involvedObject.name, message])).toEqual([
    ['db', expect.stringContaining('storage class early binds before there are pods')],
  ]);
  await world.stop();
});
