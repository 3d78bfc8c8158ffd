import { watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../../terminal/exit-status.ts';
import { stopSignal } from '../../world/stop-signal.ts';

/** Changes come in groups: an editor writes, renames and touches. */
const quietMs = 200;

/** Works once, and again after every change below the folders of the paths, until SIGINT or SIGTERM. */
export async function watchFiles(paths: readonly string[], work: () => Promise<boolean>): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(resolve(path))));
  let timer: NodeJS.Timeout | undefined;
  let running = runAgain(work);
  const watchers = [...folders].map((folder) =>
    watch(folder, { recursive: true }, (_kind, name) => {
      if (!/\.(ya?ml|json)$/.test(name ?? '')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(() => runAgain(work));
      }, quietMs);
    }),
  );
  await stopSignal();
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
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
