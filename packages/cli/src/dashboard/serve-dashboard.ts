import { listenOn } from '@nodewright/sandbox';
import { printDefect } from '../world/print-defect.ts';
import { type FeedSources, startDashboardFeed } from './dashboard-feed.ts';
import { createDashboardHandler } from './dashboard-handler.ts';
import { readPageFiles } from './page-files.ts';

export type DashboardOptions = FeedSources & {
  /** 0 takes any free one. */
  readonly port: number;
  readonly allowedHosts?: readonly string[];
};

export type ServedDashboard = { readonly url: string; stop(): Promise<void> };

/**
 * Serves the page of a cluster on the loopback address.
 * @throws PortTakenError when the port is not free
 * @throws InputError when the page is not built
 */
export async function serveDashboard({
  port,
  allowedHosts = [],
  ...sources
}: DashboardOptions): Promise<ServedDashboard> {
  const files = readPageFiles();
  const feed = startDashboardFeed(sources);
  try {
    const handler = createDashboardHandler({ feed, files, allowedHosts });
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
