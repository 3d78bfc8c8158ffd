import { byNumber } from '@nodewright/apis';
/**
 * One measurement in a process of its own: builds or reads a problem, solves it, prints what it took
 * as JSON; then solves it again and again for a while, now that the code has been used.
 */
import { existsSync, readFileSync } from 'node:fs';
import { prepareTypes, schedulePods, writtenSolution } from '@nodewright/engine';
import type { SchedulingProblem } from '@nodewright/engine';
import { benchCase } from './cases/cases.ts';
import type { BenchCase } from './cases/cases.ts';
import { readProblem } from './cases/read-problem.ts';
import { begin } from './stopwatch.ts';
import type { Elapsed } from './stopwatch.ts';

const [source = '', argument = ''] = process.argv.slice(2);

/** How long it is solved again at least, as Go's benchmarks do; how often at least; and how many further questions are asked about one cluster. */
const againSeconds = 1;
const again = 5;
const questions = 1_000;

const asked: Pick<BenchCase, 'problem' | 'next'> =
  source === '--problem' ? { problem: () => readProblem(argument) } : benchCase(source);

/** A problem whose instance types are prepared, as a controller that has run before has them. */
async function prepared(): Promise<SchedulingProblem> {
  const problem = await asked.problem(Number(argument));
  prepareTypes(problem);
  globalThis.gc?.();
  return problem;
}

const problem = await prepared();
const watch = begin();
const result = schedulePods(problem);
const first = watch();
const peak = peakRssBytes();
const { stats, errors } = writtenSolution(result);
const warmed = warm();
console.log(
  JSON.stringify({
    pods: problem.pods.length,
    seconds: first.seconds,
    cpuSeconds: first.cpuSeconds,
    ...warmed,
    nodes: stats.nodes,
    totalCheapestPrice: Math.round(stats.totalCheapestPrice * 1e4) / 1e4,
    unschedulable: errors.length,
    peakRssBytes: peak,
  }),
);

/** The median of solving it again, its pods anew, over the types and nodes that are known by now; for a cluster that is asked again and again, of a thousand questions. */
function warm(): { readonly warmSeconds: number; readonly warmCpuSeconds: number } {
  const { next } = asked;
  const took: Elapsed[] = [];
  const enough = begin();
  for (let number = 1; next === undefined ? isTooFew(took.length, enough()) : number <= questions; number++) {
    const question = next === undefined ? { ...problem } : next(problem, number);
    const elapsed = begin();
    schedulePods(question);
    took.push(elapsed());
  }
  return {
    warmSeconds: median(took.map(({ seconds }) => seconds)),
    warmCpuSeconds: median(took.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

function isTooFew(solved: number, { seconds }: Elapsed): boolean {
  return solved < again || seconds < againSeconds;
}

function median(all: readonly number[]): number {
  return all.toSorted(byNumber)[Math.floor(all.length / 2)] ?? 0;
}

/** The high-water mark of this program; what the system counts for the process may include the parent it was forked from. */
function peakRssBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kib = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return (kib === undefined ? process.resourceUsage().maxRSS : Number(kib)) * 1024;
}
