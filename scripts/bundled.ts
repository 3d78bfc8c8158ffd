import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

/** Builds a script the way the command is built, so that what is measured is what runs. @returns its path */
export async function bundled(script: string): Promise<string> {
  const bundle = await rolldown({
    input: script,
    platform: 'node',
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
  });
  const dir = mkdtempSync(join(tmpdir(), 'nodewright-script-'));
  await bundle.write({ dir, entryFileNames: 'script.mjs', chunkFileNames: '[name].mjs', format: 'esm', minify: true });
  await bundle.close();
  return join(dir, 'script.mjs');
}

/** Builds a script and runs it until it ends. @returns its exit status */
export async function runBundled(
  script: string,
  args: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<number> {
  const built = await bundled(script);
  const child = spawn(process.execPath, [...nodeFlags, built, ...args], { stdio: 'inherit' });
  // A terminal sends its signals to the child as well, which says what it has done so far.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
  try {
    const [status] = (await once(child, 'exit')) as [number | null];
    return status ?? 1;
  } finally {
    rmSync(dirname(built), { recursive: true, force: true });
  }
}
