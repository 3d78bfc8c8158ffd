import {
  type Node,
  type NodeGroup,
  nodeGroups,
  nodeRolloutPolicies,
  nodeRollouts,
  type NodeRolloutPolicySpec,
  nodes,
  instant,
  minutes,
} from '@nodewright/apis';
import type { FoundImage } from '@nodewright/ports';
import { aWorld, passesWithin, worldStart, type World } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { readRolloutPlans } from '../../cluster-reading.ts';

const releaseOfDay = (day: number): FoundImage => ({
  id: `ami-${day}`,
  name: `amazon-eks-node-1.28-v202401${day}`,
  version: `v202401${day}`,
  arch: 'amd64',
  variant: 'standard',
  createdAt: instant(worldStart + minutes(day) - minutes(100)),
  term: 0,
  recommended: true,
});

const groupPolicy: NodeRolloutPolicySpec = {
  waves: [
    { name: 'canary', nodes: 1, soak: '5m' },
    { name: 'all', nodes: '100%' },
  ],
  pace: { minInterval: '1s' },
};

type GroupFleet = World & {
  readonly publish: () => void;
  /** EKS replaces the nodes of the groups that it was asked about, and its updates end. */
  readonly replaceNodes: (options?: { readonly ready?: boolean }) => Promise<void>;
  readonly requested: () => readonly string[];
  readonly rollout: () => Promise<Awaited<ReturnType<typeof listFleetRollouts>>[number] | undefined>;
  readonly group: (name: string) => Promise<NodeGroup | undefined>;
};

const listFleetRollouts = async (world: World) => (await world.apply(world.client.list(nodeRollouts))).items;

/** Managed groups on an old release, each with so many nodes. */
async function aGroupFleet(sizes: Readonly<Record<string, number>>, spec?: NodeRolloutPolicySpec): Promise<GroupFleet> {
  let isOut = false;
  const world = aWorld({
    images: () => (isOut ? [{ ...releaseOfDay(10), recommended: false }, releaseOfDay(20)] : [releaseOfDay(10)]),
  });
  const made = { count: 0 };
  const addNode = async (group: string, image: string, ready = true): Promise<void> => {
    made.count += 1;
    const name = `${group}-${made.count}`;
    const labels = { 'eks.amazonaws.com/nodegroup': group, 'eks.amazonaws.com/nodegroup-image': image };
    const node: Node = { metadata: { name, labels }, spec: { providerID: `aws:///us-east-1a/i-${name}` } };
    await world.apply(world.client.create(nodes, node));
    const status = { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
    await world.apply(
      world.client.patch(nodes, { name }, { type: 'merge', patch: { status } }, { subresource: 'status' }),
    );
  };
  for (const [name, size] of Object.entries(sizes)) {
    world.cloud.managedGroups.put({
      name,
      status: 'ACTIVE',
      kubernetesVersion: '1.28',
      release: '1.28.0-20240110',
      imageKind: { family: 'al2', arch: 'amd64', variant: 'standard' },
      updateConfig: { maxUnavailable: 1 },
      issues: [],
    });
    for (let count = 0; count < size; count += 1) await addNode(name, 'ami-10');
    const group: NodeGroup = {
      metadata: { name, labels: { tier: 'production' } },
      spec: {
        eks: { name },
        image: { amiSelectorTerms: [{ alias: 'al2@latest' }] },
        update: { mode: 'Automatic' },
      },
    };
    await world.apply(world.client.create(nodeGroups, group));
  }
  if (spec !== undefined)
    await world.apply(world.client.create(nodeRolloutPolicies, { metadata: { name: 'production' }, spec }));
  await world.advance(minutes(3));
  const requested = () => world.cloud.managedGroups.requests.map(({ group }) => group);
  return {
    ...world,
    publish: () => {
      isOut = true;
    },
    replaceNodes: async ({ ready = true } = {}) => {
      for (const group of new Set(requested())) {
        const old = (await world.nodes()).filter(
          ({ metadata: { labels = {} } }) =>
            labels['eks.amazonaws.com/nodegroup'] === group && labels['eks.amazonaws.com/nodegroup-image'] === 'ami-10',
        );
        for (const { metadata } of old) {
          await addNode(group, 'ami-20', ready);
          await world.apply(world.client.delete(nodes, { name: metadata.name }));
        }
        world.cloud.managedGroups.end(group, 'Successful');
      }
    },
    requested,
    rollout: async () => (await listFleetRollouts(world)).at(-1),
    group: (name) => world.apply(world.client.get(nodeGroups, { name })),
  };
}

test('without a policy groups go to a new release as soon as it is there', async () => {
  const fleet = await aGroupFleet({ small: 1, large: 3 });
  fleet.publish();
  await fleet.advance(minutes(3));
  expect(fleet.requested().toSorted()).toEqual(['large', 'small']);
  await fleet.stop();
});

test('groups move whole: the one that fits goes first, is watched, and the others follow one by one', async () => {
  const fleet = await aGroupFleet({ small: 1, large: 3, other: 2 }, groupPolicy);
  fleet.publish();
  expect(await passesWithin(fleet, 10, async () => fleet.requested().length > 0)).toBe(true);
  await fleet.advance(minutes(1));
  expect(new Set(fleet.requested())).toEqual(new Set(['small']));
  expect((await fleet.group('large'))?.status).toMatchObject({ phase: 'Outdated' });
  expect((await fleet.group('large'))?.status?.reason).toContain('NodeRollout production-1 has not let the group go');
  await fleet.advance(minutes(8));
  expect(new Set(fleet.requested())).toEqual(new Set(['small']));

  await fleet.replaceNodes();
  await fleet.advance(minutes(2));
  const [outlook] = await fleet.apply(readRolloutPlans(fleet.client, fleet.time.clock.now()));
  expect(outlook?.plan.held.find(({ node }) => node === 'NodeGroup/large')?.blockers).toMatchObject([
    { gate: 'wave', message: 'NodeGroup/small moved before and is not proven healthy yet' },
    { gate: 'wave', message: 'wave canary has 1 seat, 1 taken; this move takes 3' },
  ]);
  const skip = { metadata: { annotations: { 'nodewright.dev/skip-soak': 'canary=no pods here' } } };
  await fleet.apply(fleet.client.patch(nodeRollouts, { name: 'production-1' }, { type: 'merge', patch: skip }));
  expect(await passesWithin(fleet, 10, async () => fleet.requested().includes('other'))).toBe(true);
  expect(fleet.requested()).not.toContain('large');
  await fleet.replaceNodes();
  expect(await passesWithin(fleet, 10, async () => fleet.requested().includes('large'))).toBe(true);
  await fleet.replaceNodes();
  expect(await passesWithin(fleet, 10, async () => (await fleet.rollout())?.status?.state === 'Complete')).toBe(true);
  expect((await fleet.rollout())?.status).toMatchObject({ total: 6, updated: 6, ready: 6 });
  expect((await fleet.group('large'))?.status?.phase).toBe('UpToDate');
  await fleet.stop();
});

test('a group whose new node is not Ready halts the rollout: no other begins, and a rule keeps the image out', async () => {
  const fleet = await aGroupFleet({ small: 1, large: 3 }, groupPolicy);
  fleet.publish();
  expect(await passesWithin(fleet, 10, async () => fleet.requested().length > 0)).toBe(true);
  await fleet.replaceNodes({ ready: false });
  expect(await passesWithin(fleet, 25, async () => (await fleet.rollout())?.status?.state === 'Halted')).toBe(true);
  await fleet.advance(minutes(10));
  expect(fleet.requested()).not.toContain('large');
  expect((await fleet.group('large'))?.status?.phase).toBe('UpToDate');
  await fleet.stop();
});

test('a canary group is let go first although it is larger than the wave', async () => {
  const fleet = await aGroupFleet({ batch: 2, large: 3 }, { ...groupPolicy, canaryGroup: 'batch' });
  fleet.publish();
  expect(await passesWithin(fleet, 10, async () => fleet.requested().length > 0)).toBe(true);
  await fleet.advance(minutes(5));
  expect(new Set(fleet.requested())).toEqual(new Set(['batch']));
  expect((await fleet.rollout())?.status?.waves?.[0]).toMatchObject({ name: 'canary', seats: 2 });
  await fleet.stop();
});
