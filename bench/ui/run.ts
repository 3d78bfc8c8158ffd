import { gzipSync } from 'node:zlib';
import { viewDashboard } from '@nodewright/dashboard';
import {
  applyDashboardChanges,
  compareDashboards,
  type ClusterHistory,
  type Dashboard,
  emptyDashboard,
  emptyHistory,
  recordHistory,
} from '@nodewright/dashboard/rows';
import { realTime } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import type { DashboardFeed } from '../../packages/cli/src/dashboard/dashboard-feed.ts';
import { createDashboardHandler } from '../../packages/cli/src/dashboard/dashboard-handler.ts';
import { readPageFiles } from '../../packages/cli/src/dashboard/page-files.ts';
import { type BrowserPage, findChromium, startBrowser } from '../../scenarios/support/browser.ts';
import { LargeCluster } from './large-cluster.ts';

const readBenchNumber = (argv: readonly string[], flag: string, value: number): number => {
  const at = argv.indexOf(flag);
  return at < 0 ? value : Number(argv[at + 1]);
};

/** `npm run bench -- ui [--nodes N] [--pods N] [--seconds N]`: the page of a large cluster while its nodes are replaced. */
export async function benchPage(argv: readonly string[]): Promise<void> {
  const cluster = new LargeCluster(readBenchNumber(argv, '--nodes', 5_000), readBenchNumber(argv, '--pods', 100_000));
  const feed = new BenchFeed(cluster);
  const rows: Record<string, string> = {};
  rows['first view, processor'] = printMillis(feed.show());
  rows['first message'] = printKib(feed.messageBytes());
  cluster.replace(10);
  rows['view after 10 replacements, processor'] = printMillis(feed.show());
  rows['its message'] = printKib(feed.messageBytes());
  const chromium = findChromium();
  if (chromium === undefined) rows['in a browser'] = 'needs chromium on the PATH';
  else Object.assign(rows, await watchInBrowser(chromium, feed, readBenchNumber(argv, '--seconds', 20)));
  console.table(Object.entries(rows).map(([measure, value]) => ({ measure, value })));
}

const printMillis = (ms: number): string => `${Math.round(ms)} ms`;
const printKib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;

/** A feed that reads the cluster when it is told to. */
class BenchFeed implements DashboardFeed {
  readonly clock = realTime().clock;
  readonly #cluster: LargeCluster;
  readonly #listeners = new Set<() => void>();
  #dashboard = emptyDashboard;
  #history: ClusterHistory = emptyHistory;
  #message: object = {};

  constructor(cluster: LargeCluster) {
    this.#cluster = cluster;
  }

  /** @returns the processor time in milliseconds */
  show(): number {
    const { reading, now } = this.#cluster.read();
    const used = process.cpuUsage();
    const before: Dashboard = this.#dashboard;
    const changes = compareDashboards(before, viewDashboard({ reading, reports: [], now }));
    this.#dashboard = applyDashboardChanges(before, changes);
    this.#history = recordHistory(this.#history, before, this.#dashboard);
    const { user, system } = process.cpuUsage(used);
    this.#message = before === emptyDashboard ? this.#dashboard : changes;
    for (const listener of this.#listeners) listener();
    return (user + system) / 1000;
  }

  replace(count: number): void {
    this.#cluster.replace(count);
  }

  /** As it goes over the wire. */
  messageBytes(): number {
    return gzipSync(JSON.stringify(this.#message)).length;
  }

  state() {
    return { dashboard: this.#dashboard, isComplete: true };
  }

  lastReading() {
    return undefined;
  }

  history(): ClusterHistory {
    return this.#history;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

const longestRest = 1_000;

async function watchInBrowser(chromium: string, feed: BenchFeed, seconds: number): Promise<Record<string, string>> {
  const handler = createDashboardHandler({ feed, files: readPageFiles(), allowedHosts: [] });
  const listening = await listenOn(handler, { port: 0 });
  const page = await startBrowser(chromium);
  try {
    await page.look({ width: 1280, height: 900, isDark: false });
    await page.open(`${listening.url}/fleet`);
    const painted = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
    const drawn = await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))',
    );
    const atFirst = await readHeap(page);
    await page.evaluate(countFrames);
    const { clock } = realTime();
    for (let second = 0; second < seconds; second += 1) {
      feed.replace(1);
      feed.show();
      await clock.sleep(longestRest);
    }
    const [frames, longest] = (await page.evaluate(
      '[frames.length / ((frames.at(-1) - frames[0]) / 1000), Math.max(...frames.slice(1).map((at, index) => at - frames[index]))]',
    )) as [number, number];
    return {
      'first paint': printMillis(Number(painted)),
      'all nodes drawn': printMillis(Number(drawn)),
      [`frames a second over ${seconds} replacements`]: frames.toFixed(1),
      'longest frame': printMillis(longest),
      'memory of the tab at first': `${Math.round(atFirst)} MB`,
      'and at the end': `${Math.round(await readHeap(page))} MB`,
    };
  } finally {
    await page.close();
    await listening.close();
  }
}

const countFrames = `globalThis.frames = []; (function look(at) { frames.push(at); requestAnimationFrame(look); })(performance.now()); 0`;

const readHeap = async (page: BrowserPage): Promise<number> =>
  Number(await page.evaluate(`(globalThis.gc?.(), performance.memory.usedJSHeapSize / 1e6)`));
