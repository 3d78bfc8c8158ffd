import { problemFrom, schedule, writtenSolution } from '@nodewright/engine';
import type { ProblemFile, SchedulingProblem, SolutionFile } from '@nodewright/engine';

/** What solving took: milliseconds from the parsed problem to the solution, and the most memory the process has held so far. */
export type SolvingStats = { readonly solveMs: number; readonly peakRssBytes: number };

export type Solved = { readonly solution: SolutionFile; readonly stats: SolvingStats };

export const solveFile = (file: ProblemFile): Solved => solve(problemFrom(file));

/** Solves a problem, measuring. */
export function solve(problem: SchedulingProblem): Solved {
  const begun = performance.now();
  const result = schedule(problem);
  const solveMs = performance.now() - begun;
  return { solution: writtenSolution(result), stats: { solveMs, peakRssBytes: process.resourceUsage().maxRSS * 1024 } };
}
