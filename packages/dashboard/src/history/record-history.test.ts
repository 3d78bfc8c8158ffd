import { expect, test } from 'vitest';
import { emptyDashboard } from '../rows/dashboard-changes.ts';
import type { BlockerRow, Dashboard, NodeRow, NodeStage } from '../rows/dashboard-rows.ts';
import { listHistoryAmounts } from './history-curves.ts';
import type { ClusterHistory } from './history-rows.ts';
import { emptyHistory, extendHistory, recordHistory, replayHistory, sendHistorySince } from './record-history.ts';

const minute = (number: number): string => `2024-03-01T12:${String(number).padStart(2, '0')}:00Z`;

const aNodeRow = (id: string, stage: NodeStage, traits: Partial<NodeRow> = {}): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage,
  answer: 'stays',
  pods: 1,
  cpuPercent: 10,
  memoryPercent: 10,
  microUsdPerHour: 100_000,
  explain: `node/${id}`,
  ...traits,
});

const aHeldNode = (id: string): BlockerRow => ({
  id,
  node: id,
  group: 'NodePool/default',
  because: 'NodeClassDrift',
  causes: [{ cause: 'eviction', message: '…', object: { kind: 'PodDisruptionBudget', name: 'default/web' } }],
  explain: `node/${id}`,
});

const dashboards: readonly Dashboard[] = [
  { ...emptyDashboard, at: minute(0), nodes: [aNodeRow('a', 'ready'), aNodeRow('b', 'ready')] },
  {
    ...emptyDashboard,
    at: minute(5),
    nodes: [aNodeRow('a', 'toMove'), aNodeRow('b', 'ready')],
    blockers: [aHeldNode('a')],
  },
  { ...emptyDashboard, at: minute(9), nodes: [aNodeRow('b', 'ready', { cpuPercent: 90 }), aNodeRow('c', 'starting')] },
];

const record = (readings: readonly Dashboard[]): ClusterHistory =>
  readings.reduce<ClusterHistory>(
    (history, after, index) => recordHistory(history, readings[index - 1] ?? emptyDashboard, after),
    emptyHistory,
  );

const rowsAt = (history: ClusterHistory, at: string): readonly string[] =>
  replayHistory(history, at).map(({ track, id, words }) => `${track} ${id}: ${words}`);

test('each moment of the past can be shown again', () => {
  const history = record(dashboards);
  expect(rowsAt(history, minute(4))).toEqual(['nodes a: ready', 'nodes b: ready']);
  expect(rowsAt(history, minute(5))).toEqual([
    'nodes a: to move',
    'nodes b: ready',
    'blockers a: NodeClassDrift: held by eviction of PodDisruptionBudget default/web',
  ]);
  expect(rowsAt(history, minute(10))).toEqual(['nodes b: ready', 'nodes c: starting']);
  expect([history.begin, history.end]).toEqual([minute(0), minute(9)]);
});

test('the use of a node is no change of its history', () => {
  const { entries } = record(dashboards);
  expect(entries.map(({ at, track, id }) => `${at.slice(14, 16)} ${track} ${id}`)).toEqual([
    '05 nodes a',
    '05 blockers a',
    '09 nodes c',
    '09 nodes a',
    '09 blockers a',
  ]);
});

test('amounts are those of the rows of each moment', () => {
  const { begin = '', base, entries } = record(dashboards);
  expect(listHistoryAmounts(begin, base, entries)).toEqual([
    { at: minute(0), nodes: 2, unsettled: 0, held: 0, waitingPods: 0, microUsdPerHour: 200_000 },
    { at: minute(5), nodes: 2, unsettled: 1, held: 1, waitingPods: 0, microUsdPerHour: 200_000 },
    { at: minute(9), nodes: 2, unsettled: 1, held: 0, waitingPods: 0, microUsdPerHour: 200_000 },
  ]);
});

test('a long history forgets its oldest changes, and shows what is left as before', () => {
  const stages: readonly NodeStage[] = ['ready', 'toMove'];
  const entries = Array.from({ length: 40_001 }, (_, index) => {
    const stage = stages[index % 2] ?? 'ready';
    const at = new Date(Date.parse(minute(1)) + index * 1000).toISOString();
    return { at, track: 'nodes', id: 'a', row: { track: 'nodes', id: 'a', words: stage, stage } } as const;
  });
  const whole = { ...record(dashboards.slice(0, 1)), entries: [] };
  const history = extendHistory(whole, { entries });
  expect(history.entries).toHaveLength(36_000);
  expect(history.folded).toBe(4_001);
  expect(history.begin).toBe(entries[4_000]?.at);
  for (const index of [4_000, 20_001, 40_000])
    expect(replayHistory(history, entries[index]?.at ?? '')[0]?.words).toBe(stages[index % 2]);
});

const everything = { reader: 'all', restrict: (history: ClusterHistory) => history };

test('a page gets what it does not have yet', () => {
  const [early, late] = [record(dashboards.slice(0, 2)), record(dashboards)];
  const first = sendHistorySince(early, everything);
  expect(first.history).toEqual(early);
  const { more, history } = sendHistorySince(late, everything, first.mark);
  expect([history, more === undefined ? undefined : extendHistory(early, more)]).toEqual([undefined, late]);
});

test('a page gets everything where what it has is of another history', () => {
  const [early, late] = [record(dashboards.slice(0, 2)), record(dashboards)];
  const { mark } = sendHistorySince(early, everything);
  for (const [fact, history, reader] of [
    ['a server that began anew', record(dashboards.slice(1)), 'all'],
    ['entries that are forgotten', { ...late, folded: 7 }, 'all'],
    ['fewer entries', record(dashboards.slice(0, 1)), 'all'],
    ['other rights', late, 'nodes'],
  ] as const)
    expect(sendHistorySince(history, { ...everything, reader }, mark).history, fact).toEqual(history);
});
