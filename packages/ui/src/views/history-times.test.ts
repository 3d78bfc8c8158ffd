import {
  type ClusterHistory,
  type ForeseenChanges,
  type HistoryEntry,
  type NodeStage,
} from '@nodewright/dashboard/rows';
import { expect, test } from 'vitest';
import { createTimePlaces } from '../plots/time-marks.ts';
import { createValueAxis } from '../plots/value-marks.ts';
import { drawCurve, layOutHistory, listChangeTimes, readAmountsAt, readRowsAt } from './history-times.ts';

const minute = (number: number): string => `2024-03-01T12:${String(number).padStart(2, '0')}:00.000Z`;
const time = (number: number): number => Date.parse(minute(number));

const aChange = (at: number, id: string, stage?: NodeStage): HistoryEntry => ({
  at: minute(at),
  track: 'nodes',
  id,
  ...(stage === undefined ? {} : { row: { track: 'nodes', id, words: stage, stage } }),
});

const history: ClusterHistory = {
  begin: minute(0),
  end: minute(10),
  base: [{ track: 'nodes', id: 'a', words: 'ready', stage: 'ready' }],
  entries: [aChange(4, 'a', 'toMove'), aChange(8, 'b', 'starting')],
  folded: 0,
};

const forecast: ForeseenChanges = {
  takenAt: minute(5),
  until: minute(20),
  change: [],
  entries: [aChange(6, 'a', 'leaving'), aChange(12, 'a'), aChange(15, 'b', 'ready')],
};

const line = layOutHistory(history, forecast);
if (line === undefined) throw new Error('there is a history');

test('the past is what was read, the future what is expected beyond it', () => {
  const wordsAt = (at: number): readonly string[] =>
    readRowsAt(history, line, time(at)).map(({ id, words }) => `${id} ${words}`);
  expect(wordsAt(3)).toEqual(['a ready']);
  // The forecast expected something else for this time.
  expect(wordsAt(9)).toEqual(['a toMove', 'b starting']);
  expect(wordsAt(13)).toEqual(['b starting']);
  expect(wordsAt(20)).toEqual(['b ready']);
});

test('amounts follow, and the steps between changes go through the present', () => {
  expect([3, 9, 13].map((at) => readAmountsAt(line, time(at))?.nodes)).toEqual([1, 2, 1]);
  expect(listChangeTimes(line)).toEqual([4, 8, 10, 12, 15].map(time));
});

test('without a forecast the line ends at the present, and without a reading there is none', () => {
  expect(layOutHistory(history, undefined)).toMatchObject({ end: time(10), foreseen: [], expected: [] });
  expect(layOutHistory({ base: [], entries: [], folded: 0 }, undefined)).toBeUndefined();
});

test('a curve hides no amount, however many changes there are in one step of its width', () => {
  const moments = [0, 1, 2].map((held) => ({
    at: new Date(time(0) + held * 10).toISOString(),
    nodes: 1,
    unsettled: 0,
    held: held === 1 ? 10 : 0,
    waitingPods: 0,
    microUsdPerHour: 0,
  }));
  const scale = {
    timePlace: createTimePlaces({ begin: time(0), end: time(10) }),
    amountPlace: createValueAxis({ most: 10, least: 1, count: 2 }).placeOf,
    amountOf: ({ held }: { readonly held: number }): number => held,
  };
  expect(drawCurve(moments, time(10), scale)).toEqual({
    steps: 'M0,0L0,0L0,56L1000,56L1000,56',
    ground: 'M0,0L0,0L0,56L1000,56L1000,56L1000,56L1000,56L0,56L0,56L0,56Z',
  });
  expect(drawCurve([], time(10), scale)).toEqual({ steps: '', ground: '' });
});
