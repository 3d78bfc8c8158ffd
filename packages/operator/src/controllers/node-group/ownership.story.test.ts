import { nodeGroups, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aScalingGroup, aWorldWithGroup, groupOf, imagesOf, setGroup, wanted } from '@nodewright/testkit/worlds';

test('SMG-1: a group that EKS manages is none for us to roll', async () => {
  const world = await aWorldWithGroup();
  await setGroup(world, { tags: { 'eks:nodegroup-name': 'default' } });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(5));
  expect((await groupOf(world))?.status).toMatchObject({
    phase: 'Blocked',
    reason: 'workers belongs to the managed node group default, which EKS updates; name that in spec.eks',
  });
  expect(world.cloud.scalingGroups.log).toEqual([]);
  await world.stop();
});

test('SMG-1: a group whose instances are nodes of another cluster is left alone', async () => {
  const world = await aWorldWithGroup({ broken: 'ami-old' });
  await setGroup(world, { isOfCluster: false });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(5));
  expect((await groupOf(world))?.status?.blockedBy).toMatchObject([{ reason: 'NotOfThisCluster' }]);
  await world.stop();
});

test('SMG-1: a group of the cluster whose image is broken, so that no node joins, gets a better one', async () => {
  const world = await aWorldWithGroup({ broken: 'ami-old' });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  await world.stop();
});

test('a group that two NodeGroups name is kept by the older one', async () => {
  const world = await aWorldWithGroup();
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(1000);
  const other = { ...aScalingGroup(), metadata: { name: 'again' } };
  await world.apply(world.client.create(nodeGroups, other));
  await world.advance(minutes(60));
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  const second = await world.apply(world.client.get(nodeGroups, { name: 'again' }));
  expect(second?.status).toMatchObject({
    phase: 'Blocked',
    reason: 'NodeGroup workers keeps this group already',
  });
  expect(second?.status?.history).toBe(undefined);
  await world.stop();
});
