import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';

/** Changes come in groups: an editor writes, renames and touches. */
const quietMs = 200;

/**
 * Works once, and again after every change of a YAML or JSON file in the folders of the paths or below, until SIGINT or
 * SIGTERM.
 * @param paths files and folders; asked anew after each change, as a file may name others then
 */
export async function watchFiles(paths: () => readonly string[], work: () => Promise<boolean>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watchers = new Map<string, FSWatcher>();
  const workAgain = async (): Promise<void> => {
    watchAlso(watchers, paths().flatMap(listFolders), noteChange);
    await runAgain(work);
  };
  const noteChange = (file: string | null): void => {
    if (file !== null && /^[^.]+$/.test(file))
      watchAlso(watchers, [...watchers.keys()].flatMap(listFolders), noteChange);
    else if (!/\.(ya?ml|json)$/.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(workAgain);
    }, quietMs);
  };
  running = workAgain();
  await stopSignal();
  clearTimeout(timer);
  for (const watcher of watchers.values()) watcher.close();
}

/**
 * Each folder is watched by itself: a watch on a file ends where an editor puts another in its place, and so does Node's
 * recursive one on Linux.
 */
function watchAlso(
  watchers: Map<string, FSWatcher>,
  folders: readonly string[],
  onChange: (file: string | null) => void,
): void {
  for (const [folder, watcher] of watchers) {
    if (existsSync(folder)) continue;
    watcher.close();
    watchers.delete(folder);
  }
  for (const folder of folders)
    if (!watchers.has(folder))
      watchers.set(
        folder,
        watch(folder, (_kind, file) => onChange(file)).on('error', () => undefined), // a folder that goes ends its watch
      );
}

/** The folder of a file, or the folder with all below it that may hold manifests. */
function listFolders(path: string): readonly string[] {
  const folder = resolve(path);
  if (!existsSync(folder)) return existsSync(dirname(folder)) ? [dirname(folder)] : [];
  return statSync(folder).isDirectory() ? withFoldersBelow(folder) : [dirname(folder)];
}

const withFoldersBelow = (folder: string): readonly string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .flatMap(({ name }) => withFoldersBelow(join(folder, name))),
];

async function runAgain(work: () => Promise<boolean>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
  }
  process.stderr.write('waiting for changes; Ctrl-C ends\n');
}
