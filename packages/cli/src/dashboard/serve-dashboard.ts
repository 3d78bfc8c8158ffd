import { realTime } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import { printDefect } from '../world/print-defect.ts';
import type { CallerCheck } from './caller-review.ts';
import { type FeedSources, startDashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';
import { followForecastFile } from './forecast-file.ts';
import type { PageForecasts } from './page-forecasts.ts';
import type { TestingPorts } from './receiver-trial.ts';
import { createOwnRightsCheck } from './own-rights.ts';
import { readPageFiles } from './page-files.ts';

export type DashboardOptions = Omit<FeedSources, 'keepsHistory'> & {
  /** 0 takes any free one. */
  readonly port: number;
  readonly allowedHosts?: readonly string[];
  /** What `nodewright forecast -o json` has printed. */
  readonly forecastFile?: string;
  /** What readers can have forecasts made with [they cannot]. */
  readonly forecasts?: PageForecasts;
  /** The address to listen at [127.0.0.1]. */
  readonly host?: string;
  /** Who gets to see what, and may do what [everybody sees what the client may read, and may do what it may]. */
  readonly review?: CallerCheck;
  /** What receivers of notifications are tried with. */
  readonly testing: Omit<TestingPorts, 'client'>;
};

export type ServedDashboard = { readonly url: string; stop(): Promise<void> };

/**
 * Serves the page of a cluster, on the loopback address unless said otherwise.
 * @throws PortTakenError when the port is not free
 * @throws InputError when the page is not built, or the forecast cannot be read
 */
export async function serveDashboard({
  port,
  allowedHosts = [],
  forecastFile,
  forecasts,
  host,
  review,
  testing,
  ...sources
}: DashboardOptions): Promise<ServedDashboard> {
  const files = readPageFiles();
  const forecast = forecastFile === undefined ? undefined : followForecastFile(forecastFile);
  const feed = startDashboardFeed({ ...sources, keepsHistory: true });
  try {
    const handler = createDashboardHandler({
      feed,
      files,
      allowedHosts,
      ...(forecast === undefined ? {} : { forecast }),
      ...(forecasts === undefined ? {} : { forecasts }),
      review: review ?? createOwnRightsCheck({ client: sources.client, clock: realTime().clock }),
      testing: { ...testing, client: sources.client },
    });
    const listening = await listenOn(handler, { port, onDefect: printDefect, ...(host === undefined ? {} : { host }) });
    return {
      url: `${listening.url}/`,
      async stop() {
        forecasts?.stop();
        await listening.close();
        await feed.stop();
      },
    };
  } catch (failure) {
    await feed.stop();
    throw failure;
  }
}
