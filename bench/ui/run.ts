import { gzipSync } from 'node:zlib';
import { fromTimestamp, instant, seconds, toTimestamp } from '@nodewright/apis';
import { viewDashboard } from '@nodewright/dashboard';
import {
  applyDashboardChanges,
  compareDashboards,
  type ClusterHistory,
  type Dashboard,
  type DashboardChanges,
  type DashboardRow,
  emptyDashboard,
  emptyHistory,
  recordHistory,
} from '@nodewright/dashboard/rows';
import { realTime } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import type { DashboardFeed } from '../../packages/cli/src/dashboard/dashboard-feed.ts';
import { createDashboardHandler } from '../../packages/cli/src/dashboard/dashboard-handler.ts';
import { readPageFiles } from '../../packages/cli/src/dashboard/page-files.ts';
import { type BrowserPage, findChromium, type PageCost, startBrowser } from '../../scenarios/support/browser.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';
import { LargeCluster } from './large-cluster.ts';

/** How long nodes are replaced: one a second, and then as fast as the tab draws. */
type BenchRun = { readonly seconds: number; readonly deltas: number };

/**
 * `npm run bench -- ui [--nodes N] [--pods N] [--seconds N] [--deltas N]`: the page of a large cluster while its nodes are
 * replaced. The processor time of the tab's main thread does not depend on what else the machine does, as frames do.
 */
export async function benchPage(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- ui', brief: 'Measures the page of a large cluster while its nodes are replaced.' },
    {
      nodes: { value: 'N', default: '5000', brief: 'nodes of the cluster' },
      pods: { value: 'N', default: '100000', brief: 'pods of the cluster' },
      seconds: { value: 'N', default: '20', brief: 'how long a node a second is replaced' },
      deltas: { value: 'N', default: '1800', brief: 'replacements as fast as the tab draws' },
    },
    argv,
  );
  const [nodes, pods] = [readNumberFlag('--nodes', values.nodes), readNumberFlag('--pods', values.pods)];
  const cluster = new LargeCluster(nodes, pods);
  const feed = new BenchFeed(cluster);
  const rows: Record<string, string> = {};
  rows['first view, processor'] = printMillis(feed.show());
  rows['first message'] = printKib(feed.messageBytes());
  cluster.replace(10);
  rows['view after 10 replacements, processor'] = printMillis(feed.show());
  rows['its message'] = printKib(feed.messageBytes());
  const chromium = findChromium();
  const run = {
    seconds: readNumberFlag('--seconds', values.seconds),
    deltas: readNumberFlag('--deltas', values.deltas),
  };
  if (chromium === undefined) rows['in a browser'] = 'needs chromium on the PATH';
  else Object.assign(rows, await watchInBrowser(chromium, feed, run));
  console.table(Object.entries(rows).map(([measure, value]) => ({ measure, value })));
}

const printMillis = (ms: number): string => `${ms < 20 ? ms.toFixed(1) : Math.round(ms)} ms`;
const printKib = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;

/** A feed that reads the cluster when it is told to. */
class BenchFeed implements DashboardFeed {
  readonly clock = realTime().clock;
  readonly #cluster: LargeCluster;
  readonly #listeners = new Set<() => void>();
  #dashboard = emptyDashboard;
  #history: ClusterHistory = emptyHistory;
  #message: object = {};
  #replacedRows = 0;

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

  /** Replaces a node in the rows alone: a page cannot tell, and the cluster is not read. */
  replaceRow(): void {
    const before = this.#dashboard;
    const old = before.nodes[this.#replacedRows % before.nodes.length];
    if (old === undefined) return;
    this.#replacedRows += 1;
    const id = `new-${this.#replacedRows}-${old.id}`.slice(0, 60);
    const at = toTimestamp(instant(fromTimestamp(before.at) + seconds(2)));
    const gone = [old.id];
    const changes: DashboardChanges = {
      at,
      sections: {
        nodes: { set: [{ ...old, id, createdAt: at, explain: `node/${id}` } as DashboardRow], gone },
        blockers: { set: [], gone },
      },
    };
    this.#dashboard = applyDashboardChanges(before, changes);
    this.#message = changes;
    for (const listener of this.#listeners) listener();
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

async function watchInBrowser(chromium: string, feed: BenchFeed, run: BenchRun): Promise<Record<string, string>> {
  const handler = createDashboardHandler({ feed, files: readPageFiles(), allowedHosts: [] });
  const listening = await listenOn(handler, { port: 0 });
  const page = await startBrowser(chromium);
  try {
    await page.look({ width: 1280, height: 900, isDark: false });
    await page.open(`${listening.url}/fleet`);
    return {
      ...(await measureFirstView(page)),
      ...(await measureFrames(page, feed, run.seconds)),
      ...(await measureHour(page, feed, run.deltas)),
    };
  } finally {
    await page.close();
    await listening.close();
  }
}

async function measureFirstView(page: BrowserPage): Promise<Record<string, string>> {
  const painted = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  const drawn = await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))',
  );
  return {
    'first paint': printMillis(Number(painted)),
    'all nodes drawn': printMillis(Number(drawn)),
    'main thread until then': printWork(await page.measure(), idlePage, 1),
  };
}

/** A task that takes longer leaves a frame out. */
const frameMs = 16;

const restMs = 1_000;

async function measureFrames(page: BrowserPage, feed: BenchFeed, seconds: number): Promise<Record<string, string>> {
  const { clock } = realTime();
  const before = await page.measure();
  const endTasks = await page.recordTasks();
  await page.evaluate(countFrames);
  for (let second = 0; second < seconds; second += 1) {
    feed.replace(1);
    feed.show();
    await clock.sleep(restMs);
  }
  const frames = (await page.evaluate('frames')) as readonly number[];
  const tasks = await endTasks();
  const [begin = 0, end = 0] = [frames[0], frames.at(-1)];
  const longest = Math.max(...frames.slice(1).map((at, index) => at - (frames[index] ?? at)));
  return {
    [`frames a second over ${seconds} replacements`]: ((frames.length * 1000) / (end - begin)).toFixed(1),
    'longest frame': printMillis(longest),
    'longest task, processor': printMillis(Math.max(0, ...tasks)),
    [`tasks of more than ${frameMs} ms, processor`]: String(tasks.filter((ms) => ms > frameMs).length),
    'main thread a frame': printWork(await page.measure(), before, frames.length),
  };
}

const countFrames = `globalThis.frames = []; (function look(at) { frames.push(at); globalThis.counting = requestAnimationFrame(look); })(performance.now()); 0`;

/** A cluster of this size is read about every two seconds: so many messages come in an hour. */
async function measureHour(page: BrowserPage, feed: BenchFeed, deltas: number): Promise<Record<string, string>> {
  await page.evaluate('cancelAnimationFrame(counting)');
  const before = await page.measure();
  let bytes = 0;
  for (let done = 0; done < deltas; done += 1) {
    feed.replaceRow();
    bytes += feed.messageBytes();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve(0)))');
  }
  const after = await page.measure();
  return {
    [`messages of ${deltas} replacements`]: printKib(bytes),
    'main thread a replacement': printWork(after, before, deltas),
    'memory of the tab before them': printHeld(before),
    'and after them': printHeld(after),
  };
}

const idlePage = { taskMs: 0, scriptMs: 0, styleMs: 0, layoutMs: 0 };

function printWork(after: PageCost, before: typeof idlePage, count: number): string {
  const each = (name: keyof typeof idlePage): number => (after[name] - before[name]) / count;
  const layout = each('styleMs') + each('layoutMs');
  return `${printMillis(each('taskMs'))}: script ${printMillis(each('scriptMs'))}, layout ${printMillis(layout)}`;
}

const printHeld = ({ heapBytes, domNodes }: PageCost): string =>
  `${(heapBytes / 1e6).toFixed(1)} MB, ${domNodes} DOM nodes`;
