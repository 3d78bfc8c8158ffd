import { instant, nodeGroups, nodes, minutes } from '@nodewright/apis';
import type { FoundImage } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import {
  aScalingGroup,
  anApp,
  aWorldWithGroup,
  eventsOf,
  expectTidy,
  groupOf,
  imagesOf,
  setBudget,
  wanted,
  zones,
} from '@nodewright/testkit/worlds';

test('SMG-3 to SMG-9: every node is replaced, new ones first, and the group is as before', async () => {
  const world = await aWorldWithGroup();
  await anApp(world);
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  expect(world.cloud.scalingGroups.peak).toBe(9);
  expect(world.cloud.scalingGroups.log.slice(0, 4)).toEqual([
    'suspends AZRebalance, ScheduledActions',
    `template version 2: ${wanted}`,
    'points at version 2',
    'max 10, desired 9',
  ]);
  const { status } = (await groupOf(world)) ?? {};
  expect(status).toMatchObject({ phase: 'UpToDate', nodes: { total: 3, updated: 3, ready: 3 } });
  expect(status?.history).toMatchObject([{ number: 1, target: wanted, outcome: 'Successful' }]);
  await expectTidy(world);
  await world.stop();
});

test('WRM-4: instances of a warm pool are launched anew first, and are no nodes of the group', async () => {
  const world = await aWorldWithGroup();
  const { scalingGroups } = world.cloud;
  scalingGroups.prepare('workers', 2);
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  const group = await world.apply(scalingGroups.describe('workers'));
  expect([...imagesOf(world), ...(group?.warm ?? []).map(({ imageId }) => imageId)].every((id) => id === wanted)).toBe(
    true,
  );
  expect(scalingGroups.log.slice(2, 6).map((line) => line.split(' ')[0])).toEqual([
    'points',
    'discards',
    'discards',
    'max',
  ]);
  expect((await groupOf(world))?.status).toMatchObject({ phase: 'UpToDate', nodes: { total: 3 } });
  await expectTidy(world);
  await world.stop();
});

describe('before anything is done', () => {
  test('UPG-9: a budget that never yields blocks, and its pod is named', async () => {
    const world = await aWorldWithGroup();
    await anApp(world, { maxUnavailable: 0 });
    await setBudget(world, { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3, expectedPods: 3 });
    await world.apply(world.client.create(nodeGroups, aScalingGroup()));
    await world.advance(minutes(5));
    const { status } = (await groupOf(world)) ?? {};
    expect(status?.phase).toBe('Blocked');
    expect(status?.blockedBy?.[0]).toMatchObject({
      reason: 'PodDisruptionBudget',
      namespace: 'default',
      pod: 'web-node-1',
      podDisruptionBudget: 'web',
    });
    expect(world.cloud.scalingGroups.log).toEqual([]);
    expect(await eventsOf(world, 'UpdateBlocked')).toHaveLength(3);
    await world.stop();
  });

  test('SMG-2: an instance refresh blocks', async () => {
    const world = await aWorldWithGroup();
    const group = await world.apply(world.cloud.scalingGroups.describe('workers'));
    if (group?.template !== undefined)
      world.cloud.scalingGroups.put({ ...group, template: group.template, isRefreshing: true });
    await world.apply(world.client.create(nodeGroups, aScalingGroup()));
    await world.advance(minutes(5));
    expect((await groupOf(world))?.status).toMatchObject({
      phase: 'Blocked',
      blockedBy: [{ reason: 'InstanceRefreshActive' }],
    });
    await world.stop();
  });

  test('a group that waits to be asked is left alone until somebody asks', async () => {
    const world = await aWorldWithGroup();
    await world.apply(world.client.create(nodeGroups, aScalingGroup({ mode: 'OnRequest' })));
    await world.advance(minutes(5));
    expect((await groupOf(world))?.status?.phase).toBe('Outdated');
    const patch = { metadata: { annotations: { 'nodewright.dev/upgrade-request': 'one' } } };
    await world.apply(world.client.patch(nodeGroups, { name: 'workers' }, { type: 'merge', patch }));
    await world.advance(minutes(60));
    expect((await groupOf(world))?.status).toMatchObject({ phase: 'UpToDate', servedRequest: 'one' });
    await world.stop();
  });
});

test('UPG-3, FAIL-2: a budget that is used up ends the update, after its pod was named for long enough to act', async () => {
  const world = await aWorldWithGroup();
  await anApp(world, { maxUnavailable: 1 });
  await setBudget(world, { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(8));
  const { status: during } = (await groupOf(world)) ?? {};
  expect(during).toMatchObject({ phase: 'Updating', update: { phase: 'upgrade' } });
  expect(during?.blockedBy).toMatchObject([{ reason: 'EvictionBlocked', podDisruptionBudget: 'web' }]);
  expect(await eventsOf(world, 'EvictionBlocked')).toHaveLength(1);
  await world.advance(minutes(40));
  const { status } = (await groupOf(world)) ?? {};
  expect(status?.phase).toBe('Failed');
  expect(status?.history).toMatchObject([{ outcome: 'Failed', code: 'PodEvictionFailure' }]);
  expect((await world.nodes()).filter(({ spec }) => spec?.unschedulable === true)).toEqual([]);
  await world.stop();
});

test('SUP-5, FAIL-5: nodes that never join end the update with no old node lost', async () => {
  const world = await aWorldWithGroup({ broken: wanted });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(40));
  expect((await groupOf(world))?.status?.history).toMatchObject([{ outcome: 'Failed', code: 'NodeCreationFailure' }]);
  expect(imagesOf(world)).toEqual(['ami-old', 'ami-old', 'ami-old']);
  await expectTidy(world);
  await world.stop();
});

test('SMG-7: a node that the group does not need any more is empty before it goes', async () => {
  const world = await aWorldWithGroup();
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(100_000);
  await anApp(world);
  const before = new Set((await world.pods()).map(({ metadata }) => metadata.name));
  expect(before.size).toBe(9);
  await world.advance(minutes(90));
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  const evicted = world.cloud.scalingGroups.log.filter((line) => line.startsWith('terminates'));
  expect(evicted).toHaveLength(6);
  expect(evicted.every((line) => line.endsWith('and shrinks'))).toBe(true);
  const zonesLeft = world.cloud.scalingGroups.instances('workers').map(({ zone }) => zone);
  expect(zonesLeft.toSorted()).toEqual(zones);
  await world.stop();
});

test('an operator that dies after any of its writes goes on where it was', async () => {
  for (let write = 1; write <= 25; write += 4) {
    const world = await aWorldWithGroup();
    await world.apply(world.client.create(nodeGroups, aScalingGroup()));
    await world.crash({ afterWrite: write });
    await world.advance(minutes(60));
    expect({ write, images: imagesOf(world) }).toEqual({ write, images: [wanted, wanted, wanted] });
    expect((await groupOf(world))?.status?.history).toHaveLength(1);
    await expectTidy(world);
    await world.stop();
  }
});

test('the nodes of other groups are none of ours', async () => {
  const world = await aWorldWithGroup();
  await world.apply(
    world.client.create(nodes, { metadata: { name: 'other' }, spec: { providerID: 'aws:///us-east-1a/i-other' } }),
  );
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  const other = (await world.nodes()).find(({ metadata }) => metadata.name === 'other');
  expect(other?.spec?.taints?.map(({ key }) => key)).toEqual(['node.kubernetes.io/not-ready']);
  await world.stop();
});

test('SMG-10: the way back is the old version by its number, and the same loop', async () => {
  const old = { id: 'ami-old', name: 'old', arch: 'amd64', createdAt: instant(0), term: 0 } as const;
  const images: FoundImage[] = [{ ...old, id: wanted, name: 'new', createdAt: instant(1) }];
  const world = await aWorldWithGroup({ images });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  images.splice(0, 1, old);
  const patch = { spec: { image: { amiSelectorTerms: [{ id: 'ami-old' }] } } };
  await world.apply(world.client.patch(nodeGroups, { name: 'workers' }, { type: 'merge', patch }));
  await world.advance(minutes(60));
  expect(imagesOf(world)).toEqual(['ami-old', 'ami-old', 'ami-old']);
  const versions = world.cloud.scalingGroups.log.filter((line) => /version/.test(line));
  expect(versions).toEqual([`template version 2: ${wanted}`, 'points at version 2', 'points at version 1']);
  await expectTidy(world);
  await world.stop();
});
