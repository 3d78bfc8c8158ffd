import type { RolloutRow, WaveRow } from '@nodewright/dashboard/rows';
import { expect, test } from 'vitest';
import { layOutWaves } from './wave-times.ts';

const aWave = (name: string, traits: Partial<WaveRow>): WaveRow => ({
  name,
  seats: 1,
  taken: 0,
  healthy: 0,
  failed: 0,
  ...traits,
});
const day = (number: number, hour = 0): string => `2024-03-0${number}T${String(hour).padStart(2, '0')}:00:00.000Z`;

const aRollout = (traits: Partial<RolloutRow>): RolloutRow => ({
  id: 'production-1',
  policy: 'production',
  number: 1,
  state: 'Soaking',
  cause: 'NewRelease',
  change: 'v1 -> v2',
  images: [],
  total: 3,
  updated: 1,
  failed: 0,
  remaining: 2,
  waits: [],
  waves: [],
  evidence: [],
  failures: [],
  requests: [],
  commands: [],
  ...traits,
});

test('waves lie on the time of their rollout: ended, under way, and to come at the earliest', () => {
  const waves = [
    aWave('canary', { startedAt: day(1), endedAt: day(2) }),
    aWave('tenth', { startedAt: day(2), soakedUntil: day(3) }),
    aWave('all', { earliestStart: day(3), earliestEnd: day(5) }),
  ];
  expect(layOutWaves(aRollout({ startedAt: day(1), waves }), day(2, 12))).toEqual({
    begin: day(1),
    end: day(5),
    now: 0.375,
    bands: [
      { name: 'canary', from: 0, to: 0.25, state: 'ended' },
      { name: 'tenth', from: 0.25, to: 0.5, state: 'underWay' },
      { name: 'all', from: 0.5, to: 1, state: 'toCome' },
    ],
  });
});

test('a wave that no time is known of has no band, and a rollout that has not begun none at all', () => {
  const waves = [aWave('canary', { startedAt: day(1) }), aWave('all', {})];
  expect(layOutWaves(aRollout({ startedAt: day(1), waves }), day(2))?.bands.map(({ name, to }) => [name, to])).toEqual([
    ['canary', 1],
  ]);
  expect(layOutWaves(aRollout({ waves }), day(2))).toBeUndefined();
});
