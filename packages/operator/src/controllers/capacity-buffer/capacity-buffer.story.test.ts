import {
  capacityBuffers,
  conditionOf,
  deployments,
  ec2NodeClasses,
  nodePools,
  pods,
  podTemplates,
  type CapacityBuffer,
  type PodSpec,
} from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';

const settings = { capacityBuffer: true };
const spec = (cpu = '900m'): PodSpec => ({
  nodeSelector: { team: 'my-team' },
  containers: [{ name: 'web', image: 'pause', resources: { requests: { cpu } } }],
});
const template = { metadata: { labels: { app: 'web' } }, spec: spec() };
const inDefault = (name: string) => ({ name, namespace: 'default' });

const create = (world: World, buffer: CapacityBuffer['spec'], name = 'spare') =>
  world.apply(world.client.create(capacityBuffers, { metadata: inDefault(name), spec: buffer }));

async function aCluster(gates = settings, pool = aPool()): Promise<World> {
  const world = aWorld({ settings: gates });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, pool));
  await world.apply(world.client.create(podTemplates, { metadata: inDefault('web'), template }));
  return world;
}

async function standing(world: World, name = 'spare') {
  const buffer = await world.apply(world.client.get(capacityBuffers, inDefault(name)));
  const conditions = ['ReadyForProvisioning', 'Provisioning'].map((type) => {
    const { status, reason } = (buffer && conditionOf(buffer, type)) ?? {};
    return `${status} ${reason}`;
  });
  return { replicas: buffer?.status?.replicas, conditions };
}

const ofTemplate = { podTemplateRef: { name: 'web' }, replicas: 2 };

describe('a buffer', () => {
  test('gets nodes for its units before there is any pod', async () => {
    const world = await aCluster();
    await create(world, ofTemplate);
    await world.advance(5_000);
    expect((await standing(world)).conditions).toEqual(['True Resolved', 'False RequiresNewCapacity']);
    await world.advance(180_000);
    expect(await world.claims()).toHaveLength(1);
    expect(await standing(world)).toEqual({
      replicas: 2,
      conditions: ['True Resolved', 'True FitsExistingCapacity'],
    });
    await world.stop();
  });

  test('says what it was sized by, and follows its PodTemplate', async () => {
    const world = await aCluster();
    await create(world, { podTemplateRef: { name: 'web' }, limits: { cpu: '3' } });
    await world.advance(2_000);
    const statusOf = async () => (await world.apply(world.client.get(capacityBuffers, inDefault('spare'))))?.status;
    expect(await statusOf()).toMatchObject({
      replicas: 3,
      podTemplateRef: { name: 'web' },
      podTemplateGeneration: 1,
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    });
    const patch = { type: 'merge', patch: { template: { spec: spec('1500m') } } } as const;
    await world.apply(world.client.patch(podTemplates, inDefault('web'), patch));
    await world.advance(2_000);
    expect(await statusOf()).toMatchObject({ replicas: 2, podTemplateGeneration: 2 });
    await world.stop();
  });

  test('of a workload is a share of it, and grows with it', async () => {
    const world = await aCluster();
    const selector = { matchLabels: { app: 'web' } };
    const deployment = { metadata: inDefault('shop'), spec: { replicas: 4, selector, template } };
    await world.apply(world.client.create(deployments, deployment));
    await create(world, { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'shop' }, percentage: 50 });
    await world.advance(2_000);
    expect((await standing(world)).replicas).toBe(2);
    const patch = { type: 'merge', patch: { spec: { replicas: 9 } } } as const;
    await world.apply(world.client.patch(deployments, inDefault('shop'), patch));
    await world.advance(30_000);
    expect((await standing(world)).replicas).toBe(5);
    await world.stop();
  });

  test.each([
    { fact: 'of nothing', buffer: {}, reason: 'ResolutionFailed' },
    {
      fact: 'of a PodTemplate that is not there',
      buffer: { podTemplateRef: { name: 'x' }, replicas: 1 },
      reason: 'PodTemplateNotFound',
    },
    {
      fact: 'of a workload that is not there',
      buffer: { scalableRef: { apiGroup: 'apps', kind: 'StatefulSet', name: 'x' } },
      reason: 'ScalableRefNotFound',
    },
    {
      fact: 'of a kind that is no workload',
      buffer: { scalableRef: { apiGroup: 'apps', kind: 'DaemonSet', name: 'x' } },
      reason: 'ResolutionFailed',
    },
    {
      fact: 'of a workload of another group',
      buffer: { scalableRef: { kind: 'Deployment', name: 'x' } },
      reason: 'ResolutionFailed',
    },
  ])('$fact says so', async ({ buffer, reason }) => {
    const world = await aCluster();
    await create(world, buffer);
    await world.advance(2_000);
    expect((await standing(world)).conditions[0]).toBe(`False ${reason}`);
    expect(await world.claims()).toEqual([]);
    await world.stop();
  });

  test('whose PodTemplate comes later is provided for then', async () => {
    const world = await aCluster();
    await create(world, { podTemplateRef: { name: 'late' }, replicas: 1 });
    await world.advance(2_000);
    await world.apply(world.client.create(podTemplates, { metadata: inDefault('late'), template }));
    await world.advance(5_000);
    expect((await standing(world)).conditions).toEqual(['True Resolved', 'False RequiresNewCapacity']);
    expect(await world.claims()).toHaveLength(1);
    await world.stop();
  });

  test('of no units is empty', async () => {
    const world = await aCluster();
    await create(world, { ...ofTemplate, replicas: 0 });
    await world.advance(5_000);
    expect((await standing(world)).conditions[1]).toBe('False BufferEmpty');
    await world.stop();
  });

  test('is nothing to anybody while the gate is off', async () => {
    const world = await aCluster({ capacityBuffer: false });
    await create(world, ofTemplate);
    await world.advance(60_000);
    expect(await world.claims()).toEqual([]);
    expect((await standing(world)).replicas).toBeUndefined();
    await world.stop();
  });

  test('waits as long as no pool is ready', async () => {
    const world = aWorld({ settings });
    await world.apply(world.client.create(podTemplates, { metadata: inDefault('web'), template }));
    await create(world, ofTemplate);
    await world.advance(5_000);
    expect((await standing(world)).conditions).toEqual(['True Resolved', 'False RequiresNewCapacity']);
    await world.stop();
  });
});

test('a pod takes the room of a buffer at once, and the buffer gets new room', async () => {
  const world = await aCluster();
  await create(world, { ...ofTemplate, replicas: 1 });
  await world.advance(180_000);
  const before = await world.claims();
  expect(before).toHaveLength(1);
  await world.apply(world.client.create(pods, { metadata: inDefault('web-1'), spec: spec() }));
  await world.advance(2_000);
  expect((await world.pods()).map((pod) => pod.spec.nodeName)).toEqual([before[0]?.status?.nodeName]);
  await world.advance(60_000);
  expect(await world.claims()).toHaveLength(1); // a node has room for two
  await world.apply(world.client.create(pods, { metadata: inDefault('web-2'), spec: spec() }));
  await world.advance(60_000);
  expect((await world.pods()).map((pod) => pod.spec.nodeName)).toEqual([
    before[0]?.status?.nodeName,
    before[0]?.status?.nodeName,
  ]);
  expect(await world.claims()).toHaveLength(2);
  await world.stop();
});

const consolidating = aPool({}, { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] } });

test.each([
  ['it is deleted', (world: World) => world.client.delete(capacityBuffers, inDefault('spare'))],
  ['its PodTemplate is deleted', (world: World) => world.client.delete(podTemplates, inDefault('web'))],
])('the empty node of a buffer goes when %s', async (_fact, end) => {
  const world = await aCluster(settings, consolidating);
  await create(world, ofTemplate);
  await world.advance(180_000);
  expect(await world.claims()).toHaveLength(1);
  await world.apply(end(world));
  await world.advance(180_000);
  expect(await world.claims()).toEqual([]);
  await world.stop();
});

test('nobody hears of units as of pods', async () => {
  const world = await aCluster();
  await create(world, ofTemplate);
  await create(world, { podTemplateRef: { name: 'web' }, replicas: 1 }, 'second');
  await world.advance(180_000);
  const events = [...(await world.events('Nominated')), ...(await world.events('FailedScheduling'))];
  expect(events).toEqual([]);
  expect(await world.metric('karpenter_pods_state')).toEqual([]);
  await world.stop();
});

test('units that no pool can give room for say so, and no claim is made', async () => {
  const world = await aCluster();
  const huge = { metadata: inDefault('huge'), template: { spec: spec('64') } };
  await world.apply(world.client.create(podTemplates, huge));
  await create(world, { podTemplateRef: { name: 'huge' }, replicas: 1 });
  await world.advance(60_000);
  const buffer = await world.apply(world.client.get(capacityBuffers, inDefault('spare')));
  expect(buffer && conditionOf(buffer, 'Provisioning')?.message).toBe(
    '0 of 1 units have room; 0 wait for new nodes, 1 cannot have one',
  );
  expect(await world.claims()).toEqual([]);
  await world.stop();
});
