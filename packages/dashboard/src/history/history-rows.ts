import type { NodeStage } from '../rows/dashboard-rows.ts';

/** The parts of a dashboard whose past is kept. */
export type HistoryTrack = 'nodes' | 'blockers' | 'rollouts' | 'waiting';

/** What is kept of a row of a dashboard. */
export type TrackedRow = {
  readonly track: HistoryTrack;
  /** That of the row; unique in its track. */
  readonly id: string;
  /** What it was like, in a few words. */
  readonly words: string;
  /** Of a node and of a held one. */
  readonly group?: string;
  readonly stage?: NodeStage;
  readonly microUsdPerHour?: number;
  /** Of pods that wait together: how many. */
  readonly pods?: number;
};

/** A row that came, changed, or went (`row` is absent) at a moment. */
export type HistoryEntry = {
  readonly at: string;
  readonly track: HistoryTrack;
  readonly id: string;
  readonly row?: TrackedRow;
};

/** A bounded past: what there was at its beginning, and everything that has changed since, in order. */
export type ClusterHistory = {
  /** When the first reading was, also after its changes have gone into the base. */
  readonly origin?: string;
  /** Absent before the first reading. */
  readonly begin?: string;
  /** When the cluster was read last. */
  readonly end?: string;
  readonly base: readonly TrackedRow[];
  readonly entries: readonly HistoryEntry[];
  /** How many entries before these went into the base. */
  readonly folded: number;
};

/** What a page gets of a history: all of it, or the entries after those that it has. */
export type HistoryMessage = {
  /** What the page says of it when it asks for more: `after=MARK`. */
  readonly mark: string;
  readonly history?: ClusterHistory;
  readonly more?: Pick<ClusterHistory, 'entries' | 'end'>;
  readonly forecast?: ForeseenChanges;
  /** Absent where the reader can have no forecast made. */
  readonly forecasting?: ForecastStanding;
};

/** Whether a forecast is being made now, and why the last one could not be made. */
export type ForecastStanding = { readonly isRunning: boolean; readonly problem?: string };

/** What a forecast expects, and what it is based on. */
export type ForeseenChanges = {
  readonly takenAt: string;
  readonly until: string;
  /** The change that was asked about; empty where the cluster was left as it was. */
  readonly change: readonly string[];
  readonly entries: readonly HistoryEntry[];
};
