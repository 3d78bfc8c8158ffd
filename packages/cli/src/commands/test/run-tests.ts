import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  printJunit,
  printResults,
  reportObject,
  ScenarioFileError,
  type ScenarioResult,
} from '@nodewright/scenario-files';
import type { CliContext } from '../../terminal/context.ts';
import { exitStatus, InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { findPlays, type ScenarioPlay } from './find-plays.ts';
import type { TestFlags } from './flags.ts';
import { lookCloser } from './look-closer.ts';
import { showProgress } from './progress.ts';
import { playHere } from './play-here.ts';
import { playInProcesses } from './workers/play-in-processes.ts';
import { watchFiles } from './watch-files.ts';

/** How a person types this command again. */
export const testCommandLine = 'nodewright test';

export async function runTests(this: CliContext, flags: TestFlags, ...paths: string[]): Promise<void> {
  if (paths.length === 0)
    throw new InputError('name a scenario file or a folder; `nodewright test init` writes a first one');
  if (flags.seeds !== undefined && flags.seed !== undefined)
    throw new InputError('--seeds and --seed exclude each other');
  if (flags.watch) return watchFiles(paths, () => runOnce(this, flags, findPlays(paths, flags)));
  const hasPassed = await runOnce(this, flags, findPlays(paths, flags));
  if (!hasPassed) this.process.exitCode = exitStatus.failed;
}

/** Plays, reports, and looks closer where that is asked. @returns whether everything holds */
export async function runOnce(context: CliContext, flags: TestFlags, plays: readonly ScenarioPlay[]): Promise<boolean> {
  const standardInput = plays.some(({ readsInput }) => readsInput) ? readFileSync(0, 'utf8') : '';
  const results = await playAll(plays, flags, standardInput).catch(refuseWrongFile);
  if (flags.junit !== undefined) writeFileSync(flags.junit, printJunit(results));
  const lookedAt = await lookCloser({ plays, results, standardInput }, flags);
  const text = [printResults(results, testCommandLine), ...lookedAt].join('\n');
  writeAnswer(context, flags.output, { object: reportObject(results, testCommandLine), text });
  return results.every(({ failure }) => failure === undefined);
}

const refuseWrongFile = (error: unknown): never => {
  throw error instanceof ScenarioFileError ? new InputError(error.message, { cause: error }) : error;
};

/** Results are in the order of the plays, whoever was first. */
async function playAll(
  plays: readonly ScenarioPlay[],
  flags: TestFlags,
  standardInput: string,
): Promise<readonly ScenarioResult[]> {
  const processes = Math.min(flags.parallel ?? availableParallelism(), plays.length);
  const progress = showProgress(plays.length);
  const options = {
    standardInput,
    failFast: flags.failFast,
    onResult: (result: ScenarioResult) => progress.tell(result),
  };
  try {
    return processes > 1 ? await playInProcesses(plays, { ...options, processes }) : await playHere(plays, options);
  } finally {
    progress.end();
  }
}
