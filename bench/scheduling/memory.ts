import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundled } from '../../scripts/bundled.ts';

type Held = {
  /** When every pod has been read and none is placed. */
  readonly read: number;
  /** Before the last try: with the solution so far. */
  readonly solved: number;
};

const podCounts = [1_000, 10_000, 100_000];
const classCounts = [10, 100, 1_000];

/** Prints what the solver holds beyond the problem, by pods and by classes of pods that nothing tells apart. */
export async function benchMemory(): Promise<void> {
  const script = await bundled(join(import.meta.dirname, 'measure-memory.ts'));
  console.log(['classes', 'pods', 'read KiB', 'a pod more, bytes', 'solved KiB'].map(padded).join(''));
  for (const classes of classCounts) {
    let before: { readonly pods: number; readonly held: Held } | undefined;
    for (const pods of podCounts) {
      const held = measured(script, pods, classes);
      const more = before && (held.read - before.held.read) / (pods - before.pods);
      console.log([classes, pods, kib(held.read), more?.toFixed(1) ?? '', kib(held.solved)].map(padded).join(''));
      before = { pods, held };
    }
  }
}

/** Without optimized code, which would be counted as well. */
function measured(script: string, pods: number, classes: number): Held {
  const child = spawnSync(process.execPath, ['--expose-gc', '--no-opt', script, String(pods), String(classes)], {
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Held;
}

const kib = (bytes: number): number => Math.round(bytes / 1024);
const padded = (cell: string | number): string => String(cell).padStart(20);
