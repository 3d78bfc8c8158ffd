import { fromTimestamp, hours, instant, minutes, type NodeRolloutPolicySpec } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { forecastWaves } from './wave-forecast.ts';

const forecastPools = [{ name: 'default', nodes: 12 }];

function aFleetUnderWay(windows?: readonly { schedule: string; duration: string; timeZone: string }[]): SimulatedFleet {
  const policy = windows === undefined ? {} : { windows: [...windows] };
  const fleet = new SimulatedFleet({ random: seededRandom('forecast'), policy, pools: forecastPools });
  fleet.reconcile();
  fleet.publish('v2');
  fleet.advanceTime(minutes(5));
  fleet.reconcile();
  return fleet;
}

test('waves follow each other by their soaks and the pace', () => {
  const fleet = aFleetUnderWay();
  const waves = forecastWaves(fleet.snapshot());
  expect(waves.map(({ name, seats, nodes, state }) => [name, seats, nodes, state])).toEqual([
    ['canary', 1, 1, 'underWay'],
    ['tenth', 2, 1, 'toCome'],
    ['all', 12, 10, 'toCome'],
  ]);
  const [first, second, last] = waves;
  expect((first?.earliestEnd ?? 0) - fleet.now).toBe(hours(8));
  expect(second?.earliestStart).toBe(first?.earliestEnd);
  expect((last?.earliestEnd ?? 0) - (last?.earliestStart ?? 0)).toBe(9 * minutes(2));
});

test('a wave whose seats are those of the wave before it does not soak again', () => {
  const fleet = new SimulatedFleet({ random: seededRandom('few'), pools: [{ name: 'default', nodes: 7 }] });
  fleet.reconcile();
  fleet.publish('v2');
  fleet.advanceTime(minutes(5));
  fleet.reconcile();
  const [canary, tenth] = forecastWaves(fleet.snapshot());
  expect(tenth).toMatchObject({ name: 'tenth', seats: 1, nodes: 0, soakMs: 0, earliestEnd: canary?.earliestEnd });
});

test('a wave to come begins in a window', () => {
  const fleet = aFleetUnderWay([{ schedule: '0 22 * * *', duration: '1h', timeZone: 'Etc/UTC' }]);
  const [, second] = forecastWaves(fleet.snapshot());
  expect(new Date(second?.earliestStart ?? 0).toISOString()).toMatch(/T22:00:00/);
});

test('nobody knows when a halted rollout goes on', () => {
  const fleet = aFleetUnderWay();
  const rollout = fleet.rollouts.at(-1)?.metadata.name ?? '';
  fleet.requests.push({ rollout, kind: 'halt', value: 'odd', by: 'person', at: fleet.now });
  fleet.reconcile();
  expect(forecastWaves(fleet.snapshot()).every(({ earliestStart }) => earliestStart === undefined)).toBe(true);
});

const twoWaves = [
  { name: 'canary', nodes: 1, soak: '20m' },
  { name: 'all', nodes: '100%' },
];

/** Plays a rollout of seven nodes. Returns when it ended, and each expected end with the instant at which it was told. */
function playToEnd(policy: NodeRolloutPolicySpec) {
  const fleet = new SimulatedFleet({
    random: seededRandom('ends'),
    policy: { waves: twoWaves, ...policy },
    pools: [{ name: 'default', nodes: 7 }],
  });
  fleet.reconcile();
  fleet.publish('v2');
  const told: { readonly at: number; readonly end: number }[] = [];
  for (let minute = 0; minute < 3 * 1_440; minute += 1) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
    const { expectedEnd, endedAt } = fleet.rollouts.at(-1)?.status ?? {};
    if (endedAt !== undefined) return { ended: fromTimestamp(endedAt), told };
    if (expectedEnd !== undefined) told.push({ at: fleet.now, end: fromTimestamp(expectedEnd) });
  }
  throw new Error('the rollout has not ended');
}

/** Boots of up to three minutes, drains of up to five, and steps of one minute come on top of the arithmetic. */
const leastLate = -minutes(1);
const mostLate = minutes(20);

for (const { fact, policy } of [
  { fact: 'the interval between nodes', policy: {} },
  { fact: 'a limit of nodes in an hour', policy: { pace: { maxPerHour: 4 } } },
  {
    fact: 'a window that holds a few nodes only',
    policy: { windows: [{ schedule: '0 * * * *', duration: '6m' }] },
  },
] satisfies readonly { readonly fact: string; readonly policy: NodeRolloutPolicySpec }[])
  test(`the expected end keeps to ${fact}`, () => {
    const { ended, told } = playToEnd(policy);
    const late = told.map(({ end }) => ended - end);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(leastLate);
    expect(Math.max(...late)).toBeLessThanOrEqual(mostLate);
  });

test('a rollout in which nothing happens has one status, not one at each look', () => {
  const fleet = aFleetUnderWay();
  const statuses = new Set<string>();
  for (let look = 0; look < 40; look += 1) {
    fleet.now = instant(fleet.now + 1_000);
    fleet.reconcile();
    statuses.add(JSON.stringify(fleet.rollouts.at(-1)?.status));
  }
  expect(statuses.size).toBe(1);
});

test('where drains decide, the expected end is a bound from below', () => {
  const { ended, told } = playToEnd({ pace: { maxSurge: 1, minInterval: '1s' } });
  expect(told.filter(({ end }) => end > ended + minutes(1))).toEqual([]);
});
