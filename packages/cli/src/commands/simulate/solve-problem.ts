import {
  prepareTypes,
  problemFrom,
  schedulePods,
  writtenSolution,
  type ProblemFile,
  type SchedulingProblem,
  type SchedulingResult,
  type SolutionFile,
} from '@nodewright/engine';
import { InputError } from '../../terminal/exit-status.ts';

/**
 * What solving took: milliseconds to prepare the instance types, which serves every later round over them, then
 * milliseconds from the parsed problem to the solution, and the most memory the process has held so far.
 */
export type SolvingStats = { readonly setupMs: number; readonly solveMs: number; readonly peakRssBytes: number };

export type Solved = {
  readonly result: SchedulingResult;
  readonly solution: SolutionFile;
  readonly stats: SolvingStats;
};

/** @throws InputError when the problem holds something that is no quantity, naming the file */
export function solveFile(file: ProblemFile, path: string): Solved {
  try {
    return solveProblem(problemFrom(file));
  } catch (error) {
    if (error instanceof Error && error.name === 'ValueError')
      throw new InputError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Solves a problem, measuring. */
export function solveProblem(problem: SchedulingProblem): Solved {
  const begun = performance.now();
  prepareTypes(problem);
  const prepared = performance.now();
  const result = schedulePods(problem);
  const [setupMs, solveMs] = [prepared - begun, performance.now() - prepared];
  const stats = { setupMs, solveMs, peakRssBytes: process.resourceUsage().maxRSS * 1024 };
  return { result, solution: writtenSolution(result), stats };
}
