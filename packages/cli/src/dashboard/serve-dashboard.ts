import { listenOn } from '@nodewright/sandbox';
import { printDefect } from '../world/print-defect.ts';
import { type FeedSources, startDashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';
import { followForecastFile } from './forecast-file.ts';
import { readPageFiles } from './page-files.ts';

export type DashboardOptions = Omit<FeedSources, 'keepsHistory'> & {
  /** 0 takes any free one. */
  readonly port: number;
  readonly allowedHosts?: readonly string[];
  /** What `nodewright forecast -o json` has printed. */
  readonly forecastFile?: string;
};

export type ServedDashboard = { readonly url: string; stop(): Promise<void> };

/**
 * Serves the page of a cluster on the loopback address.
 * @throws PortTakenError when the port is not free
 * @throws InputError when the page is not built, or the forecast cannot be read
 */
export async function serveDashboard({
  port,
  allowedHosts = [],
  forecastFile,
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
    });
    const listening = await listenOn(handler, { port, onDefect: printDefect });
    return {
      url: `${listening.url}/`,
      async stop() {
        await listening.close();
        await feed.stop();
      },
    };
  } catch (failure) {
    await feed.stop();
    throw failure;
  }
}
