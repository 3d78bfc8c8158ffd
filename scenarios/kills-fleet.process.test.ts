import { describe, expect, test } from 'vitest';
import { playFleet } from './support/fleet-story.ts';
import { type ForceOptions, forceWorld } from './support/force-world.ts';
import { expectNothingLost, killedAfterWrites, troubles } from './support/troubles.ts';

type Fleet = { readonly plain: number; readonly guarded: number; readonly fate: ForceOptions['fate'] };

async function expectRolled({ plain, guarded, fate }: Fleet): Promise<void> {
  const world = await forceWorld({ seed: 1, fate });
  // A number, not a share: replacements that have joined raise what a share of the pool allows.
  const guardedBudget = Math.ceil(guarded / 4);
  const pools = [
    { name: 'plain', nodes: plain, budget: '4' },
    { name: 'guarded', nodes: guarded, budget: String(guardedBudget) },
  ];
  await playFleet(world, { pools, mayBeAway: 2 });
  await expectNothingLost(world);
  expect(world.mostLeaving('plain')).toBeLessThanOrEqual(4);
  expect(world.mostLeaving('guarded')).toBeLessThanOrEqual(guardedBudget);
  await world.stop();
}

/** These take minutes of a slow machine: a dead operator is followed by one that reads everything anew. */
const timeout = 600_000;

describe('nodes of two pools are replaced within their budgets', () => {
  test('six of them, by operators that die after every single write', { timeout }, async () => {
    await expectRolled({ plain: 3, guarded: 3, fate: killedAfterWrites(1) });
  });

  test('thirty of them, by operators that die after every eleventh write', { timeout }, async () => {
    await expectRolled({ plain: 18, guarded: 12, fate: killedAfterWrites(11) });
  });

  for (const { fact, fate } of troubles.slice(1)) {
    test(`thirty of them, by an operator that ${fact}`, { timeout }, async () => {
      await expectRolled({ plain: 18, guarded: 12, fate: fate() });
    });
  }
});
