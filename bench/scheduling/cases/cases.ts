import type { ProblemFile } from '@nodewright/engine';
import { diverseMix } from './diverse.ts';
import { growingCluster, shrinkingCluster } from './large-cluster.ts';
import { preferenceMix } from './preference.ts';

export type BenchCase = {
  readonly name: string;
  /** Numbers of pods it is measured with unless told otherwise. */
  readonly sizes: readonly number[];
  readonly problem: (pods: number) => ProblemFile;
};

export const benchCases: readonly BenchCase[] = [
  { name: 'diverse', sizes: [1, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000], problem: diverseMix },
  { name: 'preference', sizes: [4_000], problem: (pods) => preferenceMix(pods, 'Respect') },
  { name: 'preference-ignored', sizes: [4_000], problem: (pods) => preferenceMix(pods, 'Ignore') },
  { name: 'grow', sizes: [100], problem: growingCluster },
  { name: 'shrink', sizes: [20], problem: shrinkingCluster },
];

export function benchCase(name: string): BenchCase {
  const found = benchCases.find((each) => each.name === name);
  if (found === undefined)
    throw new Error(`no case ${name}; there are ${benchCases.map((each) => each.name).join(', ')}`);
  return found;
}
