import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SolutionFile } from '@nodewright/engine';
import type { Context } from '../context.ts';
import { InputError, NotNowError } from '../exit-status.ts';
import { printedSolution } from '../simulation/print-solution.ts';
import { isFolder, problemFilesIn, problemName, readProblem } from '../simulation/problem-source.ts';
import { solveProblem } from '../simulation/solve-problem.ts';
import type { SolvingStats } from '../simulation/solve-problem.ts';
import type { SimulateFlags } from './simulate-flags.ts';

export function simulate(this: Context, flags: SimulateFlags): void {
  const { problem } = flags;
  if (problem === undefined)
    throw new InputError('nothing to simulate: give --problem FILE, or --problem DIR --out DIR');
  if (isFolder(problem)) return solveFolder(problem, flags);
  const { solution, stats } = solveProblem(readProblem(problem));
  if (flags.stats !== undefined) writeStats(flags.stats, stats);
  this.process.stdout.write(flags.output === 'json' ? json(solution) : `${printedSolution(solution)}\n`);
  const { length } = solution.errors;
  if (length > 0) throw new NotNowError(`${length} ${length === 1 ? 'pod has' : 'pods have'} no place`);
}

/** Solves every problem of a folder in this process; solutions have the names of their problems. */
function solveFolder(folder: string, { out, stats }: SimulateFlags): void {
  if (out === undefined) throw new InputError(`${folder} is a folder: say with --out DIR where the solutions go`);
  mkdirSync(out, { recursive: true });
  const took: Record<string, SolvingStats> = {};
  for (const path of problemFilesIn(folder)) {
    const solved = solveProblem(readProblem(path));
    took[problemName(path)] = solved.stats;
    writeFileSync(join(out, `${problemName(path)}.json`), json(solved.solution));
  }
  if (stats !== undefined) writeStats(stats, took);
}

const writeStats = (path: string, stats: SolvingStats | Readonly<Record<string, SolvingStats>>): void =>
  writeFileSync(path, `${JSON.stringify(stats)}\n`);

const json = (solution: SolutionFile): string =>
  `${JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', kind: 'SchedulingSolution', ...solution })}\n`;
