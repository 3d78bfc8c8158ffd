import {
  disruptionPauses,
  imageRules,
  nodeGroups,
  nodeRolloutPolicies,
  nodeRollouts,
  podDisruptionBudgets,
  type NodeRolloutPolicySpec,
  pods,
  instant,
  minutes,
} from '@nodewright/apis';
import type { FoundImage } from '@nodewright/ports';
import {
  aScalingGroup,
  aWorldWithGroup,
  expectTidy,
  groupOf,
  imagesOf,
  passesWithin,
  setBudget,
  worldStart,
  type World,
} from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { readRolloutPlans } from '../../cluster-reading.ts';

const imageOfDay = (id: string, day: number): FoundImage => ({
  id,
  name: `amazon-eks-node-1.28-v202401${day}`,
  version: `v202401${day}`,
  arch: 'amd64',
  variant: 'standard',
  createdAt: instant(worldStart + minutes(day) - minutes(100)),
  term: 0,
  recommended: true,
});

const [proven, target] = ['ami-old', 'ami-new'];

const nodePolicy: NodeRolloutPolicySpec = {
  waves: [
    { name: 'canary', nodes: 1, soak: '5m' },
    { name: 'all', nodes: '100%' },
  ],
  pace: { minInterval: '1s' },
};

type NodeFleet = {
  readonly world: World;
  readonly rollout: () => Promise<Awaited<ReturnType<typeof listRollouts>>[number] | undefined>;
  readonly skipSoak: () => Promise<unknown>;
};

const listRollouts = async (world: World) => (await world.apply(world.client.list(nodeRollouts))).items;

/** A plain Auto Scaling group of three nodes under a policy, and a release that comes out. */
async function aNodeFleet(
  spec: NodeRolloutPolicySpec = {},
  traits: { readonly broken?: string; readonly size?: number } = {},
): Promise<NodeFleet> {
  const images = [imageOfDay(proven, 10)];
  const world = await aWorldWithGroup({ images, ...traits });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  const policy = { metadata: { name: 'production' }, spec: { ...nodePolicy, ...spec } };
  await world.apply(world.client.create(nodeRolloutPolicies, policy));
  await world.advance(minutes(3));
  images.splice(0, 1, { ...imageOfDay(proven, 10), recommended: false }, imageOfDay(target, 20));
  const skip = { metadata: { annotations: { 'nodewright.dev/skip-soak': 'canary=no pods here' } } };
  return {
    world,
    rollout: async () => (await listRollouts(world)).at(-1),
    skipSoak: () =>
      world.apply(world.client.patch(nodeRollouts, { name: 'production-1' }, { type: 'merge', patch: skip })),
  };
}

const launchesFrom = async ({ cloud, apply }: World): Promise<string | undefined> =>
  (await apply(cloud.scalingGroups.describe('workers')))?.template?.imageId;

const suspendedProcesses = async ({ cloud, apply }: World): Promise<readonly string[]> =>
  (await apply(cloud.scalingGroups.describe('workers')))?.suspended ?? [];

const updated = (world: World): number => imagesOf(world).filter((image) => image === target).length;

test('one node of an Auto Scaling group is the canary; the others follow one by one', async () => {
  const { world, rollout, skipSoak } = await aNodeFleet();
  expect(await passesWithin(world, 15, async () => updated(world) > 0)).toBe(true);
  await world.advance(minutes(20));
  expect(imagesOf(world).toSorted()).toEqual([target, proven, proven]);
  expect(await launchesFrom(world)).toBe(proven);
  expect(await suspendedProcesses(world)).toEqual(['AZRebalance']);
  expect((await groupOf(world))?.status).toMatchObject({ phase: 'Outdated', nodes: { total: 3, updated: 1 } });
  expect((await rollout())?.status?.waves?.[0]).toMatchObject({ name: 'canary', seats: 1, taken: 1, healthy: 1 });
  const [outlook] = await world.apply(readRolloutPlans(world.client, world.time.clock.now()));
  const nodeNames = (await world.nodes()).map(({ metadata }) => metadata.name);
  expect([...(outlook?.nodeNames.values() ?? [])].toSorted()).toEqual(nodeNames.toSorted());
  expect(outlook?.snapshot.nodes.map(({ image }) => image).toSorted()).toEqual([target, proven, proven]);
  expect(outlook?.plan.held.map(({ blockers }) => blockers.length > 0)).toEqual([true, true]);

  await skipSoak();
  expect(await passesWithin(world, 60, async () => (await rollout())?.status?.state === 'Complete')).toBe(true);
  expect((await rollout())?.status).toMatchObject({ total: 3, updated: 3, ready: 3 });
  await world.advance(minutes(5));
  expect(imagesOf(world)).toEqual([target, target, target]);
  expect(await launchesFrom(world)).toBe(target);
  expect((await groupOf(world))?.status?.phase).toBe('UpToDate');
  await expectTidy(world);
  await world.stop();
});

for (const { fact, end } of [
  {
    fact: 'its policy is deleted',
    end: ({ client, apply }: World) => apply(client.delete(nodeRolloutPolicies, { name: 'production' })),
  },
  {
    fact: 'its rollout halts',
    end: ({ client, apply }: World) =>
      apply(
        client.patch(
          nodeRollouts,
          { name: 'production-1' },
          { type: 'merge', patch: { metadata: { annotations: { 'nodewright.dev/halt': 'INC-7' } } } },
        ),
      ),
  },
  {
    fact: 'the NodeGroup is deleted',
    end: ({ client, apply }: World) => apply(client.delete(nodeGroups, { name: 'workers' })),
  },
])
  test(`a group balances its zones between two nodes of a rollout no more, and again when ${fact}`, async () => {
    const { world } = await aNodeFleet({}, { size: 3 });
    expect(await passesWithin(world, 15, async () => updated(world) > 0)).toBe(true);
    await world.advance(minutes(10));
    expect(await suspendedProcesses(world)).toEqual(['AZRebalance']);
    expect((await groupOf(world))?.status?.suspended).toEqual(['AZRebalance']);
    await end(world);
    // Without a policy the whole group is updated first.
    expect(await passesWithin(world, 60, async () => (await suspendedProcesses(world)).length === 0)).toBe(true);
    await world.advance(minutes(2));
    expect((await groupOf(world))?.status?.suspended).toBeUndefined();
    await world.stop();
  });

test('an instance that the group launches by itself during a wave gets the proven image', async () => {
  const { world } = await aNodeFleet();
  expect(await passesWithin(world, 15, async () => updated(world) > 0)).toBe(true);
  await world.advance(minutes(10));
  await world.apply(world.cloud.scalingGroups.resize('workers', { max: 6, desired: 5 }));
  await world.advance(minutes(10));
  expect(imagesOf(world).toSorted()).toEqual([target, proven, proven, proven, proven]);
  await world.stop();
});

test('a pause holds the nodes of a group at its own gate, and the group does not back off', async () => {
  const { world } = await aNodeFleet();
  const spec = { reason: 'INC-7', inFlight: 'Finish' } as const;
  await world.apply(world.client.create(disruptionPauses, { metadata: { name: 'incident' }, spec }));
  await world.advance(minutes(10));
  const [outlook] = await world.apply(readRolloutPlans(world.client, world.time.clock.now()));
  const gates = (outlook?.plan.held ?? []).map(({ blockers }) => blockers.map(({ gate }) => gate));
  expect(gates.map(([first]) => first)).toEqual(['pause', 'pause', 'pause']);
  expect(gates.flat()).not.toContain('backOff');
  await world.apply(world.client.delete(disruptionPauses, { name: 'incident' }));
  expect(await passesWithin(world, 6, async () => updated(world) > 0)).toBe(true);
  await world.stop();
});

test('a node that never joins halts the rollout, and the group is as before', async () => {
  const { world, rollout } = await aNodeFleet({}, { broken: target });
  expect(await passesWithin(world, 40, async () => (await rollout())?.status?.state === 'Halted')).toBe(true);
  await world.advance(minutes(15));
  expect(imagesOf(world)).toEqual([proven, proven, proven]);
  expect(world.cloud.scalingGroups.peak).toBe(4);
  expect((await world.apply(world.client.list(imageRules))).items).toHaveLength(1);
  expect((await rollout())?.status?.failures).toMatchObject([{ signal: 'registration' }]);
  await expectTidy(world);
  await world.stop();
});

test('a rollback brings back the nodes that have moved, and no other', async () => {
  const { world, rollout } = await aNodeFleet();
  expect(await passesWithin(world, 15, async () => updated(world) > 0)).toBe(true);
  await world.advance(minutes(10));
  const old = world.cloud.scalingGroups.instances('workers').filter(({ imageId }) => imageId === proven);
  const patch = { metadata: { annotations: { 'nodewright.dev/rollback': 'INC-7' } } };
  await world.apply(world.client.patch(nodeRollouts, { name: 'production-1' }, { type: 'merge', patch }));
  expect(await passesWithin(world, 40, async () => (await rollout())?.status?.state === 'Complete')).toBe(true);
  await world.advance(minutes(5));
  expect((await rollout())?.spec.cause).toBe('Rollback');
  expect(imagesOf(world)).toEqual([proven, proven, proven]);
  const ids = world.cloud.scalingGroups.instances('workers').map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(old.map(({ id }) => id)));
  await expectTidy(world);
  await world.stop();
});

test('a node whose pod may not leave is parked, and another goes in its place', async () => {
  const { world, rollout } = await aNodeFleet({ waves: [{ name: 'all', nodes: '100%' }] });
  const [first] = await world.nodes();
  const key = { name: 'web', namespace: 'default' };
  const metadata = { ...key, labels: { app: 'web' } };
  const containers = [{ name: 'web', image: 'web' }];
  await world.apply(
    world.client.create(pods, { metadata, spec: { nodeName: first?.metadata.name ?? '', containers } }),
  );
  const selector = { matchLabels: { app: 'web' } };
  await world.apply(
    world.client.create(podDisruptionBudgets, { metadata: key, spec: { selector, maxUnavailable: 0 } }),
  );
  await setBudget(world, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 });
  expect(await passesWithin(world, 120, async () => updated(world) === 2)).toBe(true);
  await world.advance(minutes(40));
  expect(imagesOf(world).toSorted()).toEqual([target, target, proven]);
  expect((await rollout())?.status?.parked).toMatchObject([{ pod: 'default/web', podDisruptionBudget: 'default/web' }]);
  const policy = await world.apply(world.client.get(nodeRolloutPolicies, { name: 'production' }));
  expect(policy?.status?.admitted ?? []).toEqual([]);
  expect(world.cloud.scalingGroups.peak).toBeLessThanOrEqual(6);
  await world.stop();
});

for (const write of [1, 7, 13, 19, 25, 31, 37])
  test(`an operator that dies after its write number ${write} leads the group to the same end`, async () => {
    const { world, rollout } = await aNodeFleet({ waves: [{ name: 'all', nodes: '100%' }] });
    await world.crash({ afterWrite: write });
    expect(await passesWithin(world, 90, async () => (await rollout())?.status?.state === 'Complete')).toBe(true);
    await world.advance(minutes(5));
    expect(imagesOf(world)).toEqual([target, target, target]);
    await expectTidy(world);
    await world.stop();
  });
