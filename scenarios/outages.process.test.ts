import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { playFleet } from './support/fleet-story.ts';
import { forceWorld, type ForceWorld } from './support/force-world.ts';
import type { Side } from './support/outages.ts';
import { expectNothingLost } from './support/troubles.ts';

const minute = 60_000;
const awayMs = 5 * minute;
const everyMs = 9 * minute;

/** Away for five minutes of every nine, from the second on, so that each phase of the story meets an outage. */
function comeAndGo({ time: { clock }, outages }: ForceWorld, sides: readonly Side[], from = 2 * minute): void {
  const begin = (): void => {
    outages.begin(...sides);
    clock.at(instant(clock.now() + awayMs), () => outages.end());
    clock.at(instant(clock.now() + everyMs), begin);
  };
  clock.at(instant(clock.now() + from), begin);
}

describe('nodes are replaced within their budgets although, for minutes, there is no', () => {
  test.each<{ what: string; sides: readonly Side[] }>([
    { what: 'API server', sides: ['kubernetes'] },
    { what: 'AWS', sides: ['aws'] },
    { what: 'API server and no AWS', sides: ['kubernetes', 'aws'] },
  ])('$what', async ({ sides }) => {
    const world = await forceWorld({ seed: 1, fate: () => 'arrives' });
    comeAndGo(world, sides);
    const pools = [
      { name: 'plain', nodes: 3, budget: '2' },
      { name: 'guarded', nodes: 2, budget: '1' },
    ];
    await playFleet(world, { pools, mayBeAway: 1 });
    await expectNothingLost(world);
    expect(world.launches()).toHaveLength(10);
    expect(world.mostLeaving('plain')).toBeLessThanOrEqual(2);
    expect(world.mostLeaving('guarded')).toBe(1);
    await world.stop();
  });
});

test('who waits for its servers asks ever more rarely', async () => {
  const world = await forceWorld({ seed: 1, fate: () => 'arrives' });
  await playFleet(world, {
    pools: [
      { name: 'plain', nodes: 2, budget: '1' },
      { name: 'guarded', nodes: 1, budget: '1' },
    ],
    mayBeAway: 1,
  });
  world.outages.begin('kubernetes', 'aws');
  await world.advance(minute);
  const early = { ...world.outages.refused };
  await world.advance(9 * minute);
  const { kubernetes, aws } = world.outages.refused;
  expect((kubernetes - early.kubernetes) / 9).toBeLessThan(early.kubernetes);
  expect((aws - early.aws) / 9).toBeLessThan(early.aws);
  await world.stop();
});
