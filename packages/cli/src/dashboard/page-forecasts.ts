import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hours } from '@nodewright/apis';
import { foreseeChanges, type ForecastStanding, type ForeseenChanges } from '@nodewright/dashboard/rows';
import { limitTime } from '@nodewright/runtime';
import { encodeSnapshot, type Snapshot } from '@nodewright/forecast';
import { parseForecast } from './forecast-file.ts';

/** Forecasts that readers of the page ask for: one at a time, of the cluster as it is then. */
export type PageForecasts = {
  /** The last one; `undefined` before the first. */
  last(): ForeseenChanges | undefined;
  standing(): ForecastStanding;
  /** Begins one, unless one is being made. */
  begin(): void;
  /** Ends the one that is being made; the one before stays. */
  cancel(): void;
  stop(): void;
};

type ForecastPorts = {
  /** Reads the cluster with the rights of the page. */
  readonly takeSnapshot: (signal: AbortSignal) => Promise<Snapshot>;
  /** Makes the forecast of a snapshot, as JSON. */
  readonly forecast: (snapshot: Snapshot, signal: AbortSignal) => Promise<string>;
};

export function createPageForecasts({ takeSnapshot, forecast }: ForecastPorts): PageForecasts {
  const idle: ForecastStanding = { isRunning: false };
  let standing = idle;
  let last: ForeseenChanges | undefined;
  let running = new AbortController();
  let isStopped = false;
  const make = async ({ signal }: AbortController): Promise<void> => {
    try {
      const printed = await forecast(await takeSnapshot(signal), signal);
      if (signal.aborted) return;
      last = foreseeChanges(parseForecast(JSON.parse(printed)));
      standing = idle;
    } catch (failure) {
      if (signal.aborted) return;
      standing = { isRunning: false, problem: failure instanceof Error ? failure.message : String(failure) };
    }
  };
  const cancel = (): void => {
    running.abort();
    standing = idle;
  };
  return {
    last: () => last,
    standing: () => standing,
    begin() {
      if (standing.isRunning || isStopped) return;
      standing = { isRunning: true };
      running = new AbortController();
      void make(running);
    },
    cancel,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

const longestForecastMs = hours(1);

/**
 * Asks another process of this command, which gets nothing but the snapshot, and gives way to this one: the page goes on
 * meanwhile.
 * @param flags what forecasts are made with, such as `--feature-gates`
 */
export async function forecastInProcess(
  snapshot: Snapshot,
  flags: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-forecast-'));
  const limit = limitTime(longestForecastMs, signal);
  try {
    const file = join(folder, 'snapshot.json.gz');
    writeFileSync(file, encodeSnapshot(snapshot), { mode: 0o600 });
    return await runForecastProcess(['--snapshot', file, '--seeds', '1', '--output', 'json', ...flags], limit.signal);
  } finally {
    limit.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function runForecastProcess(args: readonly string[], signal: AbortSignal): Promise<string> {
  const child = fork(process.argv[1] ?? '', ['forecast', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    signal,
  });
  giveWay(child.pid);
  const said: string[] = [];
  const complained: string[] = [];
  child.stdout?.on('data', (part: Buffer) => said.push(part.toString('utf8')));
  child.stderr?.on('data', (part: Buffer) => complained.push(part.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('error', (failure) =>
      reject(signal.aborted ? new Error('it took longer than an hour', { cause: failure }) : failure),
    );
    child.once('close', (code) => {
      if (code === 0) resolve(said.join(''));
      else reject(new Error(complained.join('').trim().split('\n').at(-1) || `its process ended with ${code}`));
    });
  });
}

/** The live page comes first. Where priorities may not be changed, both are equal. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or may not be moved.
  }
}
