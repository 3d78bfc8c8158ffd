import { describe, expect, test } from 'vitest';
import { playStory } from '../packages/cli/src/commands/story/story.ts';
import { clusterName, forceWorld, type ForceWorld } from './support/force-world.ts';
import { expectNothingLost, troubles } from './support/troubles.ts';

const stageOf = (world: ForceWorld) => ({
  clock: world.time.clock,
  client: world.client,
  random: world.random.fork('spectator'),
  clusterName,
  releases: (imageId: string) => world.sandbox.aws.releases.byImage(imageId),
  updateClusterVersion: (version: string) => world.startUpgrade(version),
  updateStatus: (id: string) => world.updateStatus(id),
});

const silent = { command: () => undefined, line: () => undefined };

describe('the walkthrough comes true when the operator', () => {
  for (const { fact, fate } of troubles) {
    test(fact, async () => {
      const world = await forceWorld({ seed: 1, fate: fate() });
      const lives = await world.apply(playStory(stageOf(world), silent));
      expect(lives.at(-1)?.osImage).toContain('Bottlerocket');
      await world.advance(5 * 60_000);
      await expectNothingLost(world);
      expect(world.mostLeaving('default')).toBe(1);
      await world.stop();
    });
  }
});
