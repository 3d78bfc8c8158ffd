import type { SolutionFile } from '@nodewright/engine';
import type { SolvingStats } from './solve-problem.ts';

/** The answer for programs and for people, and what it took. */
export type AnsweredSimulation = {
  readonly answer: SolutionFile;
  readonly text: string;
  readonly stats: SolvingStats;
};
