import { fromTimestamp, hours, minutes } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';

const waves = [
  { name: 'canary', nodes: 3, soak: '1h' },
  { name: 'half', nodes: '50%', soak: '2h' },
  { name: 'all', nodes: '100%' },
];

/** Lives until something holds. */
function liveUntil(fleet: SimulatedFleet, holds: () => boolean): void {
  for (let look = 0; look < 2_000 && !holds(); look += 1) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
  }
  expect(holds()).toBe(true);
}

const statusOf = (fleet: SimulatedFleet) => fleet.rollouts.at(-1)?.status;
const waveOf = (fleet: SimulatedFleet, name: string) => statusOf(fleet)?.waves?.find((wave) => wave.name === name);
const membersOf = (fleet: SimulatedFleet) =>
  fleet.nodes.filter(({ rollout, leaving }) => rollout !== undefined && !leaving);

/** The fleet in its second wave, with all nodes of that wave. */
function aFleetInItsSecondWave(pace: { readonly minInterval: string }): SimulatedFleet {
  const fleet = new SimulatedFleet({
    random: seededRandom('later'),
    policy: { waves, pace },
    pools: [{ name: 'default', nodes: 12 }],
  });
  fleet.reconcile();
  fleet.publish('v2');
  liveUntil(fleet, () => membersOf(fleet).length === 6);
  return fleet;
}

test('nodes of an earlier wave take no seat of a later one: every new node soaks', () => {
  const fleet = aFleetInItsSecondWave({ minInterval: '10m' });
  const started = fromTimestamp(waveOf(fleet, 'half')?.startedAt ?? '');
  const fresh = membersOf(fleet).filter(({ createdAt }) => createdAt >= started);
  liveUntil(fleet, () => (statusOf(fleet)?.seats ?? []).filter(({ member }) => member !== undefined).length === 3);
  expect(new Set(statusOf(fleet)?.seats?.map(({ member }) => member))).toEqual(new Set(fresh.map(({ name }) => name)));
  liveUntil(fleet, () => waveOf(fleet, 'half')?.endedAt !== undefined);
  const newest = Math.max(...fresh.map(({ initializedAt, createdAt }) => initializedAt ?? createdAt));
  expect(fromTimestamp(waveOf(fleet, 'half')?.endedAt ?? '') - newest).toBeGreaterThanOrEqual(hours(2));
});

test('a node that comes for one of an earlier wave soaks, too', () => {
  const fleet = aFleetInItsSecondWave({ minInterval: '1m' });
  const started = fromTimestamp(waveOf(fleet, 'half')?.startedAt ?? '');
  const [early] = membersOf(fleet).filter(({ createdAt }) => createdAt < started);
  fleet.removeNode(early?.name ?? '');
  liveUntil(fleet, () => membersOf(fleet).filter(({ createdAt }) => createdAt >= started).length === 4);
  liveUntil(fleet, () => (statusOf(fleet)?.seats ?? []).filter(({ member }) => member !== undefined).length === 4);
  const newest = Math.max(...membersOf(fleet).map(({ createdAt }) => createdAt));
  liveUntil(fleet, () => waveOf(fleet, 'half')?.endedAt !== undefined);
  expect(fromTimestamp(waveOf(fleet, 'half')?.endedAt ?? '') - newest).toBeGreaterThanOrEqual(hours(2));
});

test('a controller that dies before it has stored the first wave finds the new node there, and that one soaks', () => {
  const fleet = new SimulatedFleet({
    random: seededRandom('died'),
    policy: { waves: [{ name: 'canary', nodes: 1, soak: '1h' }, ...waves.slice(1)] },
    pools: [{ name: 'default', nodes: 12 }],
  });
  fleet.reconcile();
  fleet.publish('v2');
  // The rollout and the node that is let go are stored, the wave is not.
  fleet.gates = fleet.reconcile(2).gates;
  for (let look = 0; look < 20 && membersOf(fleet).length === 0; look += 1) fleet.advanceTime(minutes(1));
  fleet.advanceTime(minutes(1));
  expect([membersOf(fleet).length, statusOf(fleet)]).toEqual([1, undefined]);
  fleet.reconcile();
  expect(waveOf(fleet, 'canary')).toMatchObject({ seats: 1, taken: 1 });
  expect(statusOf(fleet)?.seats?.map(({ member }) => member)).toContain(membersOf(fleet)[0]?.name);
  liveUntil(fleet, () => waveOf(fleet, 'canary')?.endedAt !== undefined);
  const started = fromTimestamp(waveOf(fleet, 'canary')?.startedAt ?? '');
  expect(fromTimestamp(waveOf(fleet, 'canary')?.endedAt ?? '') - started).toBeGreaterThanOrEqual(hours(1));
});
