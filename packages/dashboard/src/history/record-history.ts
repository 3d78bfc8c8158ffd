import type { Dashboard } from '../rows/dashboard-rows.ts';
import type { ClusterHistory, HistoryEntry, HistoryMessage, HistoryTrack, TrackedRow } from './history-rows.ts';
import { historyTracks, trackRow } from './track-row.ts';

/** So many changes are kept: 5,000 nodes that are replaced once make about 25,000. */
const mostEntries = 40_000;

export const emptyHistory: ClusterHistory = { base: [], entries: [], folded: 0 };

/** The history with one more reading. `before` is the dashboard of the reading before it. */
export function recordHistory(history: ClusterHistory, before: Dashboard, after: Dashboard): ClusterHistory {
  const { at } = after;
  if (history.begin === undefined)
    return {
      ...history,
      origin: at,
      begin: at,
      end: at,
      base: historyTracks.flatMap((track) => trackRows(track, after)),
    };
  const fresh = historyTracks.flatMap((track) => compareTrack(track, before, after));
  return extendHistory(history, { entries: fresh, end: at });
}

const trackRows = (track: HistoryTrack, dashboard: Dashboard): readonly TrackedRow[] =>
  dashboard[track].map((row) => trackRow(track, row));

type HistoryRow = Dashboard[HistoryTrack][number];

function compareTrack(track: HistoryTrack, before: Dashboard, { at, ...after }: Dashboard): readonly HistoryEntry[] {
  if (before[track] === after[track]) return [];
  const known = new Map<string, HistoryRow>(before[track].map((row) => [row.id, row]));
  const entries: HistoryEntry[] = [];
  for (const row of after[track]) {
    const earlier = known.get(row.id);
    known.delete(row.id);
    if (earlier === row) continue;
    const tracked = trackRow(track, row);
    if (earlier !== undefined && isSameTrackedRow(trackRow(track, earlier), tracked)) continue;
    entries.push({ at, track, id: row.id, row: tracked });
  }
  return [...entries, ...[...known.keys()].map((id) => ({ at, track, id }))];
}

const isSameTrackedRow = (a: TrackedRow, b: TrackedRow): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The history with further entries. Where they become too many, the oldest tenth goes into the base. */
export function extendHistory(
  history: ClusterHistory,
  { entries: fresh, end }: Pick<ClusterHistory, 'entries' | 'end'>,
): ClusterHistory {
  const entries = fresh.length === 0 ? history.entries : [...history.entries, ...fresh];
  const next = { ...history, entries, ...(end === undefined ? {} : { end }) };
  return entries.length <= mostEntries ? next : foldOldest(next, entries.length - mostEntries + mostEntries / 10);
}

function foldOldest(history: ClusterHistory, count: number): ClusterHistory {
  const { begin = '', base, entries, folded } = history;
  const gone = entries.slice(0, count);
  return {
    ...history,
    begin: gone.at(-1)?.at ?? begin,
    base: applyEntries(base, gone),
    entries: entries.slice(count),
    folded: folded + gone.length,
  };
}

/** The rows that there were at a moment, of all tracks. */
export function replayHistory({ base, entries }: ClusterHistory, at: string): readonly TrackedRow[] {
  const time = Date.parse(at);
  return applyEntries(
    base,
    entries.filter((entry) => Date.parse(entry.at) <= time),
  );
}

/** The rows after the changes. Rows that stay keep their places. */
export function applyEntries(base: readonly TrackedRow[], entries: readonly HistoryEntry[]): readonly TrackedRow[] {
  const rows = new Map(base.map((row) => [trackedKey(row), row]));
  for (const entry of entries) {
    if (entry.row === undefined) rows.delete(trackedKey(entry));
    else rows.set(trackedKey(entry), entry.row);
  }
  return [...rows.values()];
}

const trackedKey = ({ track, id }: Pick<TrackedRow, 'track' | 'id'>): string => `${track}\n${id}`;

/** How many entries there have been. */
const countHistoryEntries = ({ folded, entries }: ClusterHistory): number => folded + entries.length;

/** What is given of a history: to whom (`reader`, a word without blanks), and what that one gets to see. */
export type HistoryReader = { readonly reader: string; readonly restrict: (history: ClusterHistory) => ClusterHistory };

/**
 * What a page needs that has the mark of an earlier message: what follows, or the whole history where it has another one,
 * as after a new start of the server or with other rights.
 */
export function sendHistorySince(
  history: ClusterHistory,
  { reader, restrict }: HistoryReader,
  mark = '',
): HistoryMessage {
  const { folded, entries, end, origin = '' } = history;
  const source = `${origin}/${reader}`;
  const next = `${source}/${countHistoryEntries(history)}`;
  const count = mark.startsWith(`${source}/`) ? Number(mark.slice(source.length + 1)) : Number.NaN;
  const isKnown = Number.isInteger(count) && count >= folded && count <= countHistoryEntries(history);
  if (!isKnown) return { mark: next, history: restrict(history) };
  const rest = restrict({ ...history, base: [], entries: entries.slice(count - folded) });
  return { mark: next, more: { entries: rest.entries, ...(end === undefined ? {} : { end }) } };
}
