import {
  type Dashboard,
  emptyDashboard,
  emptyHistory,
  type ForeseenChanges,
  recordHistory,
} from '@nodewright/dashboard/rows';
import { realTime } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import type { DashboardFeed } from '../../packages/cli/src/dashboard/dashboard-feed.ts';
import { createDashboardHandler } from '../../packages/cli/src/dashboard/dashboard-handler.ts';
import type { PageForecasts } from '../../packages/cli/src/dashboard/page-forecasts.ts';
import { readPageFiles } from '../../packages/cli/src/dashboard/page-files.ts';

type MadeTraits = {
  readonly forecast?: ForeseenChanges;
  /** Forecasts that readers ask for [they cannot]. */
  readonly forecasts?: PageForecasts;
};

/** The page of a cluster that was like this, one after the other: no cluster stands behind it, so nothing is explained. */
export async function serveMadePage(dashboards: readonly Dashboard[], { forecast, ...traits }: MadeTraits = {}) {
  const feed = makePastFeed(dashboards);
  return listenOn(
    createDashboardHandler({ feed, files: readPageFiles(), allowedHosts: [], forecast: () => forecast, ...traits }),
    { port: 0 },
  );
}

function makePastFeed(dashboards: readonly Dashboard[]): DashboardFeed {
  let [dashboard, history] = [emptyDashboard, emptyHistory];
  for (const next of dashboards) {
    history = recordHistory(history, dashboard, next);
    dashboard = next;
  }
  return {
    clock: realTime().clock,
    state: () => ({ dashboard, isComplete: true }),
    lastReading: () => undefined,
    history: () => history,
    subscribe: () => () => undefined,
    stop: () => Promise.resolve(),
  };
}
