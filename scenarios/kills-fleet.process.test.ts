import { describe, expect, test } from 'vitest';
import { playFleet } from './support/fleet-story.ts';
import { type ForceOptions, forceWorld } from './support/force-world.ts';
import { eachAnswerOnce, expectNothingLost, killedAfterWrites } from './support/troubles.ts';
import { stir } from './support/turmoil.ts';

type Fleet = {
  readonly seed?: number;
  readonly plain: number;
  readonly guarded: number;
  readonly fate: ForceOptions['fate'];
  /** Whether AWS has its troubles and others write to the same objects meanwhile [false]. */
  readonly isStirred?: boolean;
};

async function expectRolled({ seed = 1, plain, guarded, fate, isStirred = false }: Fleet): Promise<void> {
  const world = await forceWorld({ seed, fate, isShuffled: isStirred });
  const turmoil = isStirred ? stir(world) : undefined;
  // A number, not a share: replacements that have joined raise what a share of the pool allows.
  const guardedBudget = Math.ceil(guarded / 4);
  const pools = [
    { name: 'plain', nodes: plain, budget: '4' },
    { name: 'guarded', nodes: guarded, budget: String(guardedBudget) },
  ];
  await playFleet(world, { pools, mayBeAway: 2 });
  turmoil?.end();
  await expectNothingLost(world);
  expect(world.mostLeaving('plain')).toBeLessThanOrEqual(4);
  expect(world.mostLeaving('guarded')).toBeLessThanOrEqual(guardedBudget);
  await world.stop();
}

const atRandom =
  (dies: number, loses: number): ForceOptions['fate'] =>
  (_, dice) =>
    dice.next() < dies ? 'dies' : dice.next() < loses ? 'lost' : 'arrives';

describe('nodes of two pools are replaced within their budgets', () => {
  test('three of them, by operators that die after every single write', async () => {
    await expectRolled({ plain: 2, guarded: 1, fate: killedAfterWrites(1) });
  });

  test.each([
    { seed: 2, plain: 1, guarded: 3, dies: 0.05, loses: 0.02 },
    { seed: 3, plain: 4, guarded: 1, dies: 0.005, loses: 0.3 },
  ])('at random: $plain and $guarded with seed $seed', async ({ dies, loses, ...fleet }) => {
    await expectRolled({ ...fleet, fate: atRandom(dies, loses) });
  });

  test('five of them, by operators that die and lose answers while AWS has its troubles', async () => {
    await expectRolled({ seed: 6, plain: 1, guarded: 4, fate: atRandom(0.01, 0.05), isStirred: true });
  });

  test('five of them, by an operator that loses every single answer', async () => {
    await expectRolled({ plain: 3, guarded: 2, fate: eachAnswerOnce() });
  });
});
