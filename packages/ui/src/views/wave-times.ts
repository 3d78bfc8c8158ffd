import { byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import type { NodeRow, RolloutRow, WaveRow } from '@nodewright/dashboard/rows';
import { createTimePlaces, type TimeSpan } from '../plots/time-marks.ts';

/** A wave on the line of time of its rollout: places from 0 to 1, and the times of them. */
export type WaveBand = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly begins: string;
  readonly ends: string;
  readonly state: 'ended' | 'underWay' | 'toCome';
};

/** Whether replacements may begin from now on, until that changes. */
export type WindowBand = {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
  readonly ends: string;
};

export type RolloutTimeline = {
  readonly span: TimeSpan;
  readonly bands: readonly WaveBand[];
  readonly window?: WindowBand;
  /** Where the present is. */
  readonly now: number;
};

/** The waves over time, those to come at their earliest; `undefined` before anything has begun. */
export function layOutWaves(rollout: RolloutRow, at: string): RolloutTimeline | undefined {
  const { waves, startedAt, endedAt, expectedEnd } = rollout;
  const times = [
    startedAt,
    endedAt,
    expectedEnd,
    ...waves.flatMap((wave) => [wave.startedAt, wave.endedAt, wave.soakedUntil, wave.earliestStart, wave.earliestEnd]),
  ].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  if (startedAt === undefined) return undefined;
  const begin = Math.min(...times);
  const end = Math.max(...times, endedAt === undefined ? Date.parse(at) : begin);
  const placeOf = createTimePlaces({ begin, end });
  const places: TimePlaces = (time) => placeOf(Date.parse(time));
  const window = endedAt === undefined ? bandOfWindow(rollout, at, places) : undefined;
  return {
    span: { begin, end },
    bands: waves.flatMap((wave) => bandOfWave(wave, at, places)),
    ...(window === undefined ? {} : { window }),
    now: places(at),
  };
}

type TimePlaces = (time: string) => number;

function bandOfWave(wave: WaveRow, at: string, placeOf: TimePlaces): readonly WaveBand[] {
  const { name, startedAt, endedAt, soakedUntil, earliestStart, earliestEnd } = wave;
  const begins = startedAt ?? earliestStart;
  if (begins === undefined) return [];
  const ends = endedAt ?? soakedUntil ?? earliestEnd ?? (startedAt === undefined ? begins : at);
  const state = endedAt === undefined ? (startedAt === undefined ? 'toCome' : 'underWay') : 'ended';
  return [{ name, from: placeOf(begins), to: placeOf(ends), begins, ends, state }];
}

function bandOfWindow({ window }: RolloutRow, at: string, placeOf: TimePlaces): WindowBand | undefined {
  if (window?.changesAt === undefined) return undefined;
  const { isOpen, changesAt } = window;
  return { from: placeOf(at), to: placeOf(changesAt), isOpen, ends: changesAt };
}

/** A node on the new image, on the line of time of its rollout. */
export type NodeBar = {
  readonly node: NodeRow;
  readonly from: number;
  readonly begins: string;
  readonly hasFailed: boolean;
};

/** The nodes on the new image, the first to begin first. */
export function layOutNodeBars(
  { failures }: RolloutRow,
  nodes: readonly NodeRow[],
  span: TimeSpan,
): readonly NodeBar[] {
  const placeOf = createTimePlaces(span);
  const failed = new Set(failures.map(({ node }) => node));
  const bars = nodes.flatMap((node): readonly NodeBar[] => {
    if (node.governed?.image !== 'target' || node.createdAt === undefined) return [];
    const from = placeOf(Date.parse(node.createdAt));
    return [{ node, from, begins: node.createdAt, hasFailed: failed.has(node.id) }];
  });
  return bars.toSorted(
    inOrder<NodeBar>(
      byNumberOf(({ from }) => from),
      byTextOf(({ node }) => node.id),
    ),
  );
}
