import type { NodeRow, RolloutRow, WaveRow } from '@nodewright/dashboard/rows';
import { expect, test } from 'vitest';
import { layOutNodeBars, layOutWaves } from './wave-times.ts';

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
  explain: 'rollout/production-1',
  ...traits,
});

test('waves lie on the time of their rollout: ended, under way, and to come at the earliest', () => {
  const waves = [
    aWave('canary', { startedAt: day(1), endedAt: day(2) }),
    aWave('tenth', { startedAt: day(2), soakedUntil: day(3) }),
    aWave('all', { earliestStart: day(3), earliestEnd: day(5) }),
  ];
  expect(layOutWaves(aRollout({ startedAt: day(1), waves }), day(2, 12))).toEqual({
    span: { begin: Date.parse(day(1)), end: Date.parse(day(5)) },
    now: 0.375,
    bands: [
      { name: 'canary', from: 0, to: 0.25, begins: day(1), ends: day(2), state: 'ended' },
      { name: 'tenth', from: 0.25, to: 0.5, begins: day(2), ends: day(3), state: 'underWay' },
      { name: 'all', from: 0.5, to: 1, begins: day(3), ends: day(5), state: 'toCome' },
    ],
  });
});

test('a window lies on the line from now until it changes, but for a rollout that has ended', () => {
  const window = { message: 'closed', isOpen: false, changesAt: day(3) };
  const traits = { startedAt: day(1), expectedEnd: day(5), window };
  expect(layOutWaves(aRollout(traits), day(2))?.window).toEqual({ from: 0.25, to: 0.5, isOpen: false, ends: day(3) });
  expect(layOutWaves(aRollout({ ...traits, endedAt: day(2) }), day(2))?.window).toBeUndefined();
  const open = { message: 'open', isOpen: true };
  expect(layOutWaves(aRollout({ ...traits, window: open }), day(2))?.window).toBeUndefined();
});

test('a wave that no time is known of has no band, and a rollout that has not begun none at all', () => {
  const waves = [aWave('canary', { startedAt: day(1) }), aWave('all', {})];
  expect(layOutWaves(aRollout({ startedAt: day(1), waves }), day(2))?.bands.map(({ name, to }) => [name, to])).toEqual([
    ['canary', 1],
  ]);
  expect(layOutWaves(aRollout({ waves }), day(2))).toBeUndefined();
});

test('nodes on the new image lie on the same line from their beginning, the first one first; those that failed are told apart', () => {
  const aNodeRow = (id: string, traits: Partial<NodeRow>): NodeRow => ({
    id,
    group: 'NodePool/default',
    stage: 'ready',
    answer: 'stays',
    pods: 1,
    cpuPercent: 10,
    memoryPercent: 10,
    explain: `node/${id}`,
    governed: { policy: 'production', image: 'target' },
    ...traits,
  });
  const nodes = [
    aNodeRow('late', { createdAt: day(4) }),
    aNodeRow('old', { createdAt: day(1), governed: { policy: 'production', image: 'proven' } }),
    aNodeRow('first', { createdAt: day(2) }),
    aNodeRow('before', { createdAt: day(1) }),
    aNodeRow('claim', {}),
  ];
  const rollout = aRollout({ failures: [{ node: 'late', at: day(4), evidence: 'lease: silent for 91 s' }] });
  const bars = layOutNodeBars(rollout, nodes, { begin: Date.parse(day(2)), end: Date.parse(day(6)) });
  expect(bars.map(({ node, from, hasFailed }) => [node.id, from, hasFailed])).toEqual([
    ['before', 0, false],
    ['first', 0, false],
    ['late', 0.5, true],
  ]);
});
