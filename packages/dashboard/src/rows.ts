/**
 * What the page needs: the rows, and what makes words and changes of them. It imports nothing of the cluster, so that it is
 * small in a browser.
 */
export type { BlockerRow, Dashboard, Explanation, NodeRow, RolloutRow, WaitingRow } from './rows/dashboard-rows.ts';
export { applyDashboardChanges, compareDashboards, emptyDashboard } from './rows/dashboard-changes.ts';
export { formatHourlyPrice, sumHourlyPrices } from './rows/hourly-prices.ts';
export { describeNodeStage, summarizeStages } from './rows/node-stages.ts';
export { printedAge } from './rows/printed-age.ts';
