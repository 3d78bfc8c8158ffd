import { hours, type ImageRule, minutes } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { forecastWaves } from './wave-forecast.ts';

/** A fleet in which v2 comes out under a rule that hurries something, half an hour later. */
function afterHalfAnHour(match: ImageRule['spec']['match']): SimulatedFleet {
  const fleet = new SimulatedFleet({ random: seededRandom('hurry'), pools: [{ name: 'default', nodes: 4 }] });
  fleet.rules.push({ metadata: { name: 'hurry' }, spec: { match, verdict: 'Expedited', reason: 'CVE-2026-1' } });
  fleet.reconcile();
  fleet.publish('v2');
  for (let minute = 0; minute < 30; minute += 1) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
  }
  return fleet;
}

const stateOf = (fleet: SimulatedFleet) => fleet.rollouts.at(-1)?.status?.state;

test.each<ImageRule['spec']['match']>([
  { family: 'AL2023', versions: ['v2'] },
  { family: 'AL2023', versions: ['>=v2 <v3'] },
  { ids: ['ami-v2-AL2023/amd64/none'] },
  { family: 'AL2023', versions: ['v2'], variants: { architectures: ['amd64'] } },
])('an expedited release does not soak: %j', (match) => {
  expect(stateOf(afterHalfAnHour(match))).toBe('Complete');
});

test.each<ImageRule['spec']['match']>([
  { family: 'Bottlerocket', versions: ['v2'] },
  { family: 'AL2023', versions: ['>v2'] },
  { family: 'AL2023', versions: ['v2'], variants: { architectures: ['arm64'] } },
])('a rule about something else lets nothing skip its soak: %j', (match) => {
  expect(stateOf(afterHalfAnHour(match))).toBe('Soaking');
});

test('no soak is expected of an expedited release', () => {
  const fleet = new SimulatedFleet({ random: seededRandom('hurry'), pools: [{ name: 'default', nodes: 12 }] });
  fleet.rules.push({
    metadata: { name: 'hurry' },
    spec: { match: { family: 'AL2023', versions: ['v2'] }, verdict: 'Expedited', reason: 'CVE-2026-1' },
  });
  fleet.reconcile();
  fleet.publish('v2');
  fleet.advanceTime(minutes(1));
  fleet.reconcile();
  const waves = forecastWaves(fleet.snapshot());
  expect(waves.map(({ soakMs }) => soakMs)).toEqual([0, 0, 0]);
  expect((waves.at(-1)?.earliestEnd ?? Infinity) - fleet.now).toBeLessThan(hours(1));
});
