import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  printJunit,
  printResults,
  reportObject,
  ScenarioFileError,
  type ScenarioResult,
} from '@nodewright/scenario-files';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
import type { CliContext } from '../../terminal/context.ts';
import { exitStatus, InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { findPlays, type ScenarioPlay } from './find-plays.ts';
import type { TestFlags } from './flags.ts';
import { lookCloser } from './look-closer.ts';
import { limitProcesses, readOutsideController } from './outside/outside-controller.ts';
import { playInTurns } from './play-in-turns.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import { testCommandLine } from './command-line.ts';
import { tellLintOfPlays } from './lint-plays.ts';
import { watchFiles } from './watch-files.ts';
import { listWatchedPaths } from './watched-paths.ts';

export async function runTests(this: CliContext, flags: TestFlags, ...paths: string[]): Promise<void> {
  if (paths.length === 0)
    throw new InputError('name a scenario file or a folder; `nodewright test init` writes a first one');
  if (flags.seeds !== undefined && flags.seed !== undefined)
    throw new InputError('--seeds and --seed exclude each other');
  const { fuzz } = flags;
  if (fuzz !== undefined) return runFuzz(this, { ...flags, fuzz }, paths);
  const playAgain = (): Promise<boolean> => {
    const plays = findPlays(paths, flags);
    tellLintOfPlays(this, plays);
    return runOnce(this, flags, plays);
  };
  if (flags.watch) {
    const output = flags.keep === undefined ? {} : { output: flags.keep };
    return watchFiles({ paths: () => listWatchedPaths(paths, flags), ...output }, playAgain);
  }
  const hasPassed = await playAgain();
  if (!hasPassed) this.process.exitCode = exitStatus.failed;
}

/** Plays, reports, and looks closer where that is asked. @returns whether everything holds */
export async function runOnce(context: CliContext, flags: TestFlags, plays: readonly ScenarioPlay[]): Promise<boolean> {
  const standardInput = plays.some(({ readsInput }) => readsInput) ? readFileSync(0, 'utf8') : '';
  const results = await playAll(plays, flags, standardInput).catch(refuseWrongFile);
  if (flags.junit !== undefined) writeAnswerFile('--junit', flags.junit, printJunit(results));
  const lookedAt = await lookCloser({ plays, results, standardInput }, flags);
  const text = [printResults(results, testCommandLine), ...lookedAt].join('\n');
  writeAnswer(context, flags.output, { object: reportObject(results, testCommandLine), text });
  return results.every(({ failure }) => failure === undefined);
}

const refuseWrongFile = (error: unknown): never => {
  throw error instanceof ScenarioFileError ? new InputError(error.message, { cause: error }) : error;
};

async function playAll(
  plays: readonly ScenarioPlay[],
  flags: TestFlags,
  standardInput: string,
): Promise<readonly ScenarioResult[]> {
  const outside = readOutsideController(flags);
  const processes = limitProcesses(outside, plays.length, flags.parallel ?? availableParallelism());
  return playInTurns(plays, { standardInput, failFast: flags.failFast, processes, ...(outside && { outside }) });
}
