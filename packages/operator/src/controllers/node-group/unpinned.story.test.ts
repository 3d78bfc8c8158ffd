import { nodeGroups, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aScalingGroup, aWorldWithGroup, groupOf, imagesOf, setTemplate, wanted } from '@nodewright/testkit/worlds';

test('SMG-4: a group that follows $Latest is pointed at the number, so that the update can be undone', async () => {
  const world = await aWorldWithGroup();
  await setTemplate(world, { isPinned: false });
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  expect(world.cloud.scalingGroups.log.filter((line) => line.startsWith('points'))).toEqual(['points at version 2']);
  expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
  await world.stop();
});

test('SMG-4: a group that follows $Latest and has the image is left as it is', async () => {
  const world = await aWorldWithGroup();
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(minutes(60));
  await setTemplate(world, { isPinned: false });
  const { length } = world.cloud.scalingGroups.log;
  await world.advance(minutes(10));
  expect(world.cloud.scalingGroups.log).toHaveLength(length);
  expect((await groupOf(world))?.status?.phase).toBe('UpToDate');
  await world.stop();
});
