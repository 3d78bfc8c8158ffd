import { byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import type { NodeRow, RolloutRow, WaveRow } from '@nodewright/dashboard/rows';

/** A wave on the line of time of its rollout: parts of the whole, from 0 to 1. */
export type WaveBand = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly state: 'ended' | 'underWay' | 'toCome';
};

export type RolloutTimeline = {
  readonly begin: string;
  readonly end: string;
  readonly bands: readonly WaveBand[];
  /** Where the present is. */
  readonly now: number;
};

/** The waves over time, those to come at their earliest; `undefined` before anything has begun. */
export function layOutWaves(
  { waves, startedAt, endedAt, expectedEnd }: RolloutRow,
  at: string,
): RolloutTimeline | undefined {
  const times = [
    startedAt,
    endedAt,
    expectedEnd,
    ...waves.flatMap((wave) => [wave.startedAt, wave.endedAt, wave.soakedUntil, wave.earliestStart, wave.earliestEnd]),
  ].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  if (startedAt === undefined) return undefined;
  const begin = Math.min(...times);
  const last = Math.max(...times, endedAt === undefined ? Date.parse(at) : begin);
  const length = Math.max(1, last - begin);
  const part = (time: number): number => Math.min(1, Math.max(0, (time - begin) / length));
  return {
    begin: new Date(begin).toISOString(),
    end: new Date(last).toISOString(),
    bands: waves.flatMap((wave) => bandOfWave(wave, { at, part })),
    now: part(Date.parse(at)),
  };
}

type TimelineScale = { readonly at: string; readonly part: (time: number) => number };

function bandOfWave(wave: WaveRow, { at, part }: TimelineScale): readonly WaveBand[] {
  const { name, startedAt, endedAt, soakedUntil, earliestStart, earliestEnd } = wave;
  const from = startedAt ?? earliestStart;
  if (from === undefined) return [];
  const to = endedAt ?? soakedUntil ?? earliestEnd ?? (startedAt === undefined ? from : at);
  const state = endedAt === undefined ? (startedAt === undefined ? 'toCome' : 'underWay') : 'ended';
  return [{ name, from: part(Date.parse(from)), to: part(Date.parse(to)), state }];
}

/** A node on the new image, on the line of time of its rollout. */
export type NodeBar = { readonly node: NodeRow; readonly from: number; readonly hasFailed: boolean };

/** The nodes on the new image, the first to begin first. */
export function layOutNodeBars(
  { failures }: RolloutRow,
  nodes: readonly NodeRow[],
  { begin, end }: Pick<RolloutTimeline, 'begin' | 'end'>,
): readonly NodeBar[] {
  const length = Math.max(1, Date.parse(end) - Date.parse(begin));
  const failed = new Set(failures.map(({ node }) => node));
  const bars = nodes.flatMap((node): readonly NodeBar[] => {
    if (node.governed?.image !== 'target' || node.createdAt === undefined) return [];
    const from = Math.max(0, (Date.parse(node.createdAt) - Date.parse(begin)) / length);
    return [{ node, from, hasFailed: failed.has(node.id) }];
  });
  return bars.toSorted(
    inOrder<NodeBar>(
      byNumberOf(({ from }) => from),
      byTextOf(({ node }) => node.id),
    ),
  );
}
