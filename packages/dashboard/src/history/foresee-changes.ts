import { inOrder, byNumberOf, byTextOf } from '@nodewright/apis';
import { describeNodeStage } from '../rows/node-stages.ts';
import type { ForeseenChanges, HistoryEntry, TrackedRow } from './history-rows.ts';

/** What is read of the JSON that `nodewright forecast -o json` prints. */
export type ForecastDocument = {
  readonly takenAt: string;
  readonly until: string;
  readonly change: { readonly manifests: readonly string[] };
  readonly nodes: readonly ForecastDocumentNode[];
  readonly rollouts: readonly {
    readonly name: string;
    readonly waves: readonly { readonly name: string; readonly startedAt?: string; readonly endedAt?: string }[];
  }[];
};

type ForecastDocumentNode = {
  readonly node: string;
  readonly nodePool: string;
  readonly reason?: string;
  readonly begins?: string;
  readonly gone?: string;
  /** `TYPE NAME`. */
  readonly replacedBy?: string;
};

/** The changes that a forecast expects, in order: nodes that leave, nodes that come, waves that begin and end. */
export function foreseeChanges({ takenAt, until, change, nodes, rollouts }: ForecastDocument): ForeseenChanges {
  const entries = [...nodes.flatMap(foreseeDeparture), ...foreseeArrivals(nodes), ...rollouts.flatMap(foreseeRollout)];
  return { takenAt, until, change: change.manifests, entries: entries.toSorted(earlierEntryFirst) };
}

const earlierEntryFirst = inOrder<HistoryEntry>(
  byNumberOf(({ at }) => Date.parse(at)),
  byTextOf(({ track }) => track),
  byTextOf(({ id }) => id),
);

type ForeseenNode = {
  readonly at: string;
  readonly id: string;
  readonly nodePool: string;
  readonly stage: 'leaving' | 'starting' | 'ready';
  readonly why?: string;
};

function foreseeStage({ at, id, nodePool, stage, why = '' }: ForeseenNode): HistoryEntry {
  const words = `${describeNodeStage(stage)}${why}`;
  return { at, track: 'nodes', id, row: { track: 'nodes', id, group: `NodePool/${nodePool}`, stage, words } };
}

function foreseeDeparture({ node, nodePool, reason, begins, gone }: ForecastDocumentNode): readonly HistoryEntry[] {
  if (reason === undefined || begins === undefined) return [];
  return [
    foreseeStage({ at: begins, id: node, nodePool, stage: 'leaving', why: `, for ${reason}` }),
    ...(gone === undefined ? [] : [{ at: gone, track: 'nodes' as const, id: node }]),
  ];
}

/** A new node starts when the first node that it replaces begins to leave, and has its pods when that one is gone. */
function foreseeArrivals(nodes: readonly ForecastDocumentNode[]): readonly HistoryEntry[] {
  const known = new Set(nodes.filter(({ reason }) => reason === undefined).map(({ node }) => node));
  const arrivals = new Map<string, ForecastDocumentNode>();
  for (const node of nodes) {
    const name = node.replacedBy?.split(' ')[1];
    if (name === undefined || node.begins === undefined || known.has(name)) continue;
    const first = arrivals.get(name);
    if (first?.begins === undefined || Date.parse(node.begins) < Date.parse(first.begins)) arrivals.set(name, node);
  }
  return [...arrivals].flatMap(([id, { nodePool, begins, gone }]) => [
    ...(begins === undefined ? [] : [foreseeStage({ at: begins, id, nodePool, stage: 'starting' })]),
    ...(gone === undefined ? [] : [foreseeStage({ at: gone, id, nodePool, stage: 'ready' })]),
  ]);
}

function foreseeRollout({ name, waves }: ForecastDocument['rollouts'][number]): readonly HistoryEntry[] {
  const says = (at: string, words: string): HistoryEntry => {
    const row: TrackedRow = { track: 'rollouts', id: name, words };
    return { at, track: 'rollouts', id: name, row };
  };
  return waves.flatMap(({ name: wave, startedAt, endedAt }) => [
    ...(startedAt === undefined ? [] : [says(startedAt, `wave ${wave} begins`)]),
    ...(endedAt === undefined ? [] : [says(endedAt, `wave ${wave} has ended`)]),
  ]);
}

/** The entries that are still to come: what was expected for the past is left out. */
export const listForeseenEntries = ({ entries }: ForeseenChanges, now: string): readonly HistoryEntry[] =>
  entries.filter(({ at }) => Date.parse(at) > Date.parse(now));
