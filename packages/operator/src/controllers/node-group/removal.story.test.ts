import { nodeGroups, minutes } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import {
  aScalingGroup,
  anApp,
  aWorldWithGroup,
  expectTidy,
  groupOf,
  imagesOf,
  wanted,
  type World,
} from '@nodewright/testkit/worlds';

const remove = (world: World) => world.apply(world.client.delete(nodeGroups, { name: 'workers' }));
const second = 1000;

async function anUpdate(afterMs: number): Promise<World> {
  const world = await aWorldWithGroup();
  await anApp(world);
  await world.apply(world.client.create(nodeGroups, aScalingGroup()));
  await world.advance(afterMs);
  return world;
}

describe('a NodeGroup that is deleted', () => {
  for (const { fact, afterMs, phase, images } of [
    {
      fact: 'while the group grows leaves it as it was',
      afterMs: 30 * second,
      phase: 'scaleUp',
      images: ['ami-old', 'ami-old', 'ami-old'],
    },
    {
      fact: 'while nodes are replaced leaves both kinds, all of them taking pods',
      afterMs: minutes(4),
      phase: 'upgrade',
      images: undefined,
    },
    {
      fact: 'after the last node was replaced lets the group shrink first',
      afterMs: minutes(8),
      phase: 'scaleDown',
      images: [wanted, wanted, wanted],
    },
  ]) {
    test(fact, async () => {
      const world = await anUpdate(afterMs);
      expect((await groupOf(world))?.status?.update?.phase).toBe(phase);
      await remove(world);
      await world.advance(minutes(1));
      expect((await groupOf(world))?.metadata.deletionTimestamp).toBeDefined();
      await world.advance(minutes(40));
      expect(await groupOf(world)).toBe(undefined);
      await expectTidy(world);
      expect((await world.nodes()).filter(({ spec }) => spec?.unschedulable === true)).toEqual([]);
      if (images !== undefined) expect(imagesOf(world)).toEqual(images);
      await world.stop();
    });
  }

  test('with nothing under way goes at once', async () => {
    const world = await anUpdate(minutes(60));
    expect((await groupOf(world))?.metadata.finalizers ?? []).toEqual([]);
    await remove(world);
    expect(await groupOf(world)).toBe(undefined);
    await world.stop();
  });
});
