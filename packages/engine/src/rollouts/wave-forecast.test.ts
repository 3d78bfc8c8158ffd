import { hours, minutes } from '@nodewright/apis';
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
