import { join } from 'node:path';
import { writeOwn } from '@nodewright/apis';
import type { SolutionFile } from '@nodewright/engine';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { createAnswerFolder, writeAnswerFile } from '../../terminal/answer-file.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { AnsweredSimulation } from './answered-simulation.ts';
import { printedSolution } from './print-solution.ts';
import { isFolder, problemFilesIn, problemName, readProblem } from './problem-source.ts';
import { solveFile, type SolvingStats } from './solve-problem.ts';
import type { SimulateFlags } from './flags.ts';

export async function runSimulation(this: CliContext, flags: SimulateFlags): Promise<void> {
  const { problem } = flags;
  checkFlags(flags);
  if (problem !== undefined && isFolder(problem)) return solveFolder(problem, flags);
  const { answer, text, stats } =
    problem === undefined ? await foreseeManifests(this, flags) : solvedProblem(problem, readProblem(problem));
  if (flags.stats !== undefined) writeStats(flags.stats, stats);
  writeAnswer(this, flags.output, { object: answerOfSimulation(answer), text });
  const { length } = answer.errors;
  if (length > 0) throw new NotNowError(`${length} ${length === 1 ? 'pod has' : 'pods have'} no place`);
}

/** A problem says all of itself: what changes manifests or their reading has no part in it. */
function checkFlags(flags: SimulateFlags): void {
  if (flags.problem === undefined) {
    if (flags.out !== undefined) throw new InputError('--out goes with --problem DIR');
    return;
  }
  const { problem: _, out: _out, stats: _stats, output: _output, ignorePreferences, ...others } = flags;
  const [besides] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (besides === undefined && !ignorePreferences) return;
  const name = besides?.[0] ?? 'ignorePreferences';
  const flag = `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
  throw new InputError(`${flag} does not go with --problem: a problem has its own options, pools and pods`);
}

/** The embedded cluster and cloud, which manifests are read with, are loaded for manifests alone. */
const foreseeManifests = async (context: CliContext, flags: SimulateFlags): Promise<AnsweredSimulation> =>
  (await import('./foresee-manifests.ts')).foreseeManifests(context, flags);

function solvedProblem(path: string, file: ReturnType<typeof readProblem>): AnsweredSimulation {
  const { solution, stats } = solveFile(file, path);
  return { answer: solution, text: printedSolution(solution), stats };
}

/**
 * Solves every problem of a folder in this process; solutions have the names of their problems.
 * @throws InputError with what is wrong with some, when all the others have their solutions
 */
function solveFolder(folder: string, { out, stats }: SimulateFlags): void {
  if (out === undefined) throw new InputError(`${folder} is a folder: say with --out DIR where the solutions go`);
  const files = problemFilesIn(folder);
  if (files.length === 0) throw new InputError(`${folder}: there is no .json file in this folder`);
  createAnswerFolder('--out', out);
  const took: Record<string, SolvingStats> = {};
  const wrong: string[] = [];
  for (const path of files) {
    try {
      const solved = solveFile(readProblem(path), path);
      writeOwn(took, problemName(path), solved.stats);
      writeAnswerFile('--out', join(out, `${problemName(path)}.json`), printSolutionJson(solved.solution));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      wrong.push(error.message);
    }
  }
  if (stats !== undefined) writeStats(stats, took);
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
}

const writeStats = (path: string, stats: SolvingStats | Readonly<Record<string, SolvingStats>>): void =>
  writeAnswerFile('--stats', path, `${JSON.stringify(stats)}\n`);

const answerOfSimulation = (solution: SolutionFile) => ({ kind: 'SchedulingSolution', ...solution });

const printSolutionJson = (solution: SolutionFile): string =>
  `${JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', ...answerOfSimulation(solution) })}\n`;
