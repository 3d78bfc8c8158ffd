import type { ClusterHistory, ForeseenChanges, HistoryTrack } from '../history/history-rows.ts';
import { dashboardSections, type DashboardPart, type HiddenParts } from '../rows/dashboard-changes.ts';
import type { Dashboard, NodeRow } from '../rows/dashboard-rows.ts';
import { type BareReading, viewBareNodes, viewBarePods } from './bare-rows.ts';

/**
 * The dashboard as a caller sees it from whom some parts are hidden.
 * @param reading what the dashboard was made of
 */
export function restrictDashboard(dashboard: Dashboard, hidden: HiddenParts, reading?: BareReading): Dashboard {
  const shown = { ...dashboard, ...viewBareRows(hidden, reading) };
  return dashboardSections
    .filter((section) => hidden[section] !== undefined)
    .reduce<Dashboard>((rest, section) => ({ ...rest, [section]: noRows }), shown);
}

/** One list for all: what is hidden never changes. */
const noRows: readonly never[] = [];

/** The rows of objects about which nothing more is told than they say themselves. */
function viewBareRows(hidden: HiddenParts, reading: BareReading | undefined): Partial<Dashboard> {
  return {
    ...(hidden.nodeReasons === undefined
      ? {}
      : { nodes: reading === undefined ? noRows : withoutHiddenUse(viewBareNodes(reading), hidden) }),
    ...(hidden.podReasons === undefined ? {} : { waiting: reading === undefined ? noRows : viewBarePods(reading) }),
  };
}

const withoutHiddenUse = (rows: readonly NodeRow[], { nodeUse }: HiddenParts): readonly NodeRow[] =>
  nodeUse === undefined ? rows : rows.map(({ pods: _pods, cpuPercent: _cpu, memoryPercent: _memory, ...row }) => row);

/** The past is kept in the words of the reasons. */
const partsOfTracks: Readonly<Record<HistoryTrack, DashboardPart>> = {
  nodes: 'nodeReasons',
  blockers: 'blockers',
  rollouts: 'rollouts',
  waiting: 'podReasons',
};

const isTrackShown =
  (hidden: HiddenParts) =>
  ({ track }: { readonly track: HistoryTrack }): boolean =>
    hidden[partsOfTracks[track]] === undefined;

export function restrictHistory(history: ClusterHistory, hidden: HiddenParts): ClusterHistory {
  const isShown = isTrackShown(hidden);
  return { ...history, base: history.base.filter(isShown), entries: history.entries.filter(isShown) };
}

export const restrictForecast = (forecast: ForeseenChanges, hidden: HiddenParts): ForeseenChanges => ({
  ...forecast,
  entries: forecast.entries.filter(isTrackShown(hidden)),
});
