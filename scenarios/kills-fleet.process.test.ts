import { describe, expect, test } from 'vitest';
import { playFleet } from './support/fleet-story.ts';
import { forceWorld } from './support/force-world.ts';
import { expectNothingLost, troubles } from './support/troubles.ts';

describe('thirty nodes in two pools are replaced within their budgets when the operator', () => {
  for (const { fact, fate } of troubles) {
    test(fact, { timeout: 600_000 }, async () => {
      const world = await forceWorld({ seed: 1, fate: fate() });
      const pools = [
        { name: 'plain', nodes: 18, budget: '4' },
        { name: 'guarded', nodes: 12, budget: '25%' },
      ];
      await playFleet(world, { pools, mayBeAway: 2 });
      await expectNothingLost(world);
      expect(world.mostLeaving('plain')).toBeLessThanOrEqual(4);
      expect(world.mostLeaving('guarded')).toBeLessThanOrEqual(3);
      await world.stop();
    });
  }
});
