/**
 * What the page needs: the rows, and what makes words and changes of them. It imports nothing of the cluster, so that it is
 * small in a browser.
 */
export type {
  BlockerRow,
  Dashboard,
  DashboardRow,
  ExplainedRow,
  Explanation,
  ImageRow,
  KeptNodesRow,
  NodeClassRow,
  GroupProgressRow,
  NodeRow,
  NodeStage,
  NotificationRow,
  PolicyRow,
  ReceiverRow,
  RolloutRow,
  SavingRow,
  SentMessage,
  SpendingRow,
  WaitingRow,
  WaitingStage,
  WaveRow,
} from './rows/dashboard-rows.ts';
export type { DashboardChanges, DashboardPart, FeedMessage, HiddenParts } from './rows/dashboard-changes.ts';
export { applyDashboardChanges, compareDashboards, emptyDashboard } from './rows/dashboard-changes.ts';
export {
  awsSources,
  describeMissingRights,
  findPartOfExplanation,
  isToldByAws,
  listMissingKinds,
  nameAwsSources,
} from './rows/missing-rights.ts';
export { describeHourlyCost, formatHourlyPrice, sumHourlyPrices } from './rows/hourly-prices.ts';
export { describeNodeStage, nodeStageWords, summarizeStages, spellNodeCount } from './rows/node-stages.ts';
export { countWords } from './rollouts/rollout-counts.ts';
export { describePolicy } from './rows/policy-words.ts';
export { nameCause, spellWords } from './rows/spell-words.ts';
export { describeWave } from './rows/wave-words.ts';
export { printWindow } from './rows/window-words.ts';
export { findGroupExplanation } from './rows/group-explanation.ts';
export { printedAge } from './rows/printed-age.ts';
export type {
  ClusterHistory,
  ForecastStanding,
  ForeseenChanges,
  HistoryEntry,
  HistoryMessage,
  HistoryTrack,
  TrackedRow,
} from './history/history-rows.ts';
export { type HistoryAmounts, listHistoryAmounts } from './history/history-curves.ts';
export { type ForecastDocument, foreseeChanges, listForeseenEntries } from './history/foresee-changes.ts';
export {
  applyEntries,
  emptyHistory,
  extendHistory,
  recordHistory,
  replayHistory,
  sendHistorySince,
} from './history/record-history.ts';
export { groupSentences, type SentenceGroup } from './attention/group-sentences.ts';
export { adviseOnCause, type CauseGroup } from './attention/group-causes.ts';
export { groupLikeCauses } from './attention/like-causes.ts';
export type { AttentionItem } from './attention/attention-item.ts';
export { listAttention } from './attention/list-attention.ts';
