import { problemFrom } from '@nodewright/engine';
import type { ProblemFile, SchedulingProblem } from '@nodewright/engine';
import { diverseMix } from './diverse.ts';
import { largeCluster, withoutNode, withPods } from './large-cluster.ts';
import { preferenceMix } from './preference.ts';

export type BenchCase = {
  readonly name: string;
  /** Numbers of pods it is measured with unless told otherwise. */
  readonly sizes: readonly number[];
  /** A problem of which no object has been seen before. */
  readonly problem: (pods: number) => SchedulingProblem | Promise<SchedulingProblem>;
  /** Further questions about the same cluster, where that is what the case is about. */
  readonly next?: (problem: SchedulingProblem, number: number) => SchedulingProblem;
};

/** As if it had been read from a file: no two pods share an object. */
const read = (file: ProblemFile): SchedulingProblem => problemFrom(JSON.parse(JSON.stringify(file)) as ProblemFile);

export const benchCases: readonly BenchCase[] = [
  {
    name: 'diverse',
    sizes: [1, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
    problem: (pods) => read(diverseMix(pods)),
  },
  { name: 'preference', sizes: [4_000], problem: (pods) => read(preferenceMix(pods, 'Respect')) },
  { name: 'preference-ignored', sizes: [4_000], problem: (pods) => read(preferenceMix(pods, 'Ignore')) },
  { name: 'catalogue', sizes: [2_000, 20_000], problem: ofCatalogue },
  { name: 'grow', sizes: [100], problem: (pods) => withPods(read(largeCluster()), pods, 0), next: growOn },
  { name: 'shrink', sizes: [20], problem: () => withoutNode(read(largeCluster()), 0), next: withoutNode },
];

/** Loaded when it is asked for: the sandbox is large, and the other cases have nothing to do with it. */
async function ofCatalogue(pods: number): Promise<SchedulingProblem> {
  const { catalogueMix } = await import('./catalogue.ts');
  return catalogueMix(pods);
}

function growOn(problem: SchedulingProblem, number: number): SchedulingProblem {
  return withPods(problem, problem.pods.length, number);
}

export function benchCase(name: string): BenchCase {
  const found = benchCases.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(`no case ${name}; there are ${benchCases.map((each) => each.name).join(', ')}`);
  return found;
}
