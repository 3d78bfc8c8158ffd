import { listUnreadParts, restrictDashboard } from '@nodewright/dashboard';
import { readSchedulingSettings } from '../../controller/scheduling-settings.ts';
import { type DashboardFeed, startDashboardFeed } from '../../dashboard/dashboard-feed.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import type { TopFlags } from './flags.ts';
import { isViewHidden, listTopLines, type SeenDashboard, summarizeDashboard } from './top-lines.ts';
import {
  composeTopScreen,
  paintTopLine,
  pressTopKey,
  repaintScreen,
  splitTopKeys,
  type TopState,
} from './top-screen.ts';

/** `nodewright top`: a live view in a terminal, one print elsewhere. */
export async function showTop(this: CliContext, flags: TopFlags): Promise<void> {
  const scheduling = readSchedulingSettings(flags, process.env);
  // A dumb terminal cannot draw over what stands there.
  const isLive = !flags.once && process.stdout.isTTY && process.stdin.isTTY && process.env['TERM'] !== 'dumb';
  const show = async ({ client, cloud, clock }: ReadableWorld): Promise<void> => {
    const feed = startDashboardFeed({ client, cloud, clock, scheduling });
    try {
      if (isLive) await watchTop(feed, flags);
      else this.process.stdout.write(`${(await printTop(feed, flags)).join('\n')}\n`);
    } finally {
      await feed.stop();
    }
  };
  await withWorld(flags, show, { toleratesNoRegion: true });
}

/** @throws Error where the caller may read nothing of the view */
async function printTop(feed: DashboardFeed, { view }: TopFlags): Promise<readonly string[]> {
  await untilRead(feed);
  const seen = readSeenDashboard(feed);
  const lines = listTopLines(seen, view, Infinity);
  if (isViewHidden(view, seen.hidden ?? {})) throw new Error(lines.map(({ text }) => text).join('\n'));
  return [summarizeDashboard(seen), ...lines.map(({ text }) => text)];
}

/** What the caller may read. */
function readSeenDashboard(feed: DashboardFeed): SeenDashboard {
  const { dashboard, unread = new Set<string>(), untold } = feed.state();
  const hidden = listUnreadParts(unread);
  return {
    dashboard: restrictDashboard(dashboard, hidden, feed.lastReading()?.reading),
    hidden,
    ...(untold === undefined ? {} : { untold }),
  };
}

/** @throws Error what keeps the cluster from being read */
function untilRead(feed: DashboardFeed): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = feed.subscribe(() => {
      const { isComplete, problem } = feed.state();
      if (problem !== undefined) reject(new Error(problem));
      else if (isComplete) resolve();
      else return;
      end();
    });
  });
}

const enterScreen = '\u001b[?1049h\u001b[?25l\u001b[2J';
const leaveScreen = '\u001b[?25h\u001b[?1049l';

async function watchTop(feed: DashboardFeed, { view }: TopFlags): Promise<void> {
  const { stdout, stdin } = process;
  const isColoured = (process.env['NO_COLOR'] ?? '') === '';
  let state: TopState = { view, offset: 0 };
  let shown: readonly string[] = [];
  const draw = (): void => {
    const size = { columns: stdout.columns, rows: stdout.rows };
    const { isComplete, problem } = feed.state();
    const notice = problem ?? (isComplete ? undefined : 'reading the cluster');
    const { lines, offset } = composeTopScreen({ ...readSeenDashboard(feed), notice }, state, size);
    state = { ...state, offset };
    const painted = lines.map((line) => paintTopLine(line, isColoured));
    stdout.write(repaintScreen(shown, painted));
    shown = painted;
  };
  const redraw = (): void => {
    shown = [];
    stdout.write('\u001b[2J');
    draw();
  };
  stdout.write(enterScreen);
  stdin.setRawMode(true);
  const unsubscribe = feed.subscribe(draw);
  stdout.on('resize', redraw);
  try {
    draw();
    await Promise.race([
      stopSignal(),
      new Promise<void>((resolve) => {
        stdin.on('data', (bytes: Buffer) => {
          for (const key of splitTopKeys(bytes.toString('utf8'))) {
            const next = pressTopKey(state, key, Math.max(1, stdout.rows - 3));
            if (next === undefined) return resolve();
            state = next;
          }
          draw();
        });
      }),
    ]);
  } finally {
    unsubscribe();
    stdout.off('resize', redraw);
    stdin.removeAllListeners('data');
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(leaveScreen);
  }
}
