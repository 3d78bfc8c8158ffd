import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { watch } from 'chokidar';
import { InputError } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';

/** Changes come in groups: an editor writes, renames and touches. */
const quietMs = 200;

export type WatchedFiles = {
  /** Files and folders. It is asked again before each run, because a changed file may name others. */
  readonly paths: () => readonly string[];
  /** A folder that the work itself writes: its changes do not count. */
  readonly output?: string;
};

/**
 * Runs the work once, and again after each change of a YAML or JSON file, until SIGINT or SIGTERM. It watches the folders
 * with everything below them, and of a file the folder that it is in.
 * @throws InputError when the first call of `paths` does
 */
export async function watchFiles({ paths, output }: WatchedFiles, work: () => Promise<boolean>): Promise<void> {
  const folders = new Set(paths().map(folderOf));
  const isIgnored = (path: string): boolean =>
    !folders.has(path) && (isPassedOver(path) || (output !== undefined && path === resolve(output)));
  const watcher = watch([...folders], { ignoreInitial: true, ignored: isIgnored });
  await once(watcher, 'ready');
  const run = async (): Promise<boolean> => {
    for (const folder of paths().map(folderOf)) {
      if (folders.has(folder)) continue;
      folders.add(folder);
      watcher.add(folder);
    }
    return work();
  };
  let timer: NodeJS.Timeout | undefined;
  let running = runAgain(run);
  watcher.on('all', (_event, path) => {
    if (!/\.(ya?ml|json)$/.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(() => runAgain(run));
    }, quietMs);
  });
  await stopSignal();
  clearTimeout(timer);
  await watcher.close();
}

const isPassedOver = (path: string): boolean => basename(path) === 'node_modules' || basename(path).startsWith('.');

/** A watch on a file alone would end when an editor puts another file in its place. */
function folderOf(path: string): string {
  const full = resolve(path);
  return existsSync(full) && statSync(full).isDirectory() ? full : dirname(full);
}

async function runAgain(work: () => Promise<boolean>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
  }
  process.stderr.write('waiting for changes; Ctrl-C ends\n');
}
