/**
 * One measurement in a process of its own: builds or reads a problem, solves it, prints what it took
 * as JSON; then solves it again, afresh, now that the code has been used.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { prepareTypes, problemFrom, schedule, writtenSolution } from '@nodewright/engine';
import type { ProblemFile, SchedulingProblem } from '@nodewright/engine';
import { benchCase } from './cases/cases.ts';
import type { BenchCase } from './cases/cases.ts';
import { begin } from './stopwatch.ts';

const [source = '', argument = ''] = process.argv.slice(2);

/** How often it is solved again, and how many further questions are asked about one cluster. */
const again = 5;
const questions = 1_000;

function fromFile(path: string): SchedulingProblem {
  const bytes = readFileSync(path);
  return problemFrom(JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as ProblemFile);
}

const asked: Pick<BenchCase, 'problem' | 'next'> =
  source === '--problem' ? { problem: () => fromFile(argument) } : benchCase(source);

/** A problem whose instance types are prepared, as a controller that has run before has them. */
async function prepared(): Promise<SchedulingProblem> {
  const problem = await asked.problem(Number(argument));
  prepareTypes(problem);
  globalThis.gc?.();
  return problem;
}

const problem = await prepared();
const watch = begin();
const result = schedule(problem);
const first = watch();
const peak = peakRssBytes();
const { stats, errors } = writtenSolution(result);
console.log(
  JSON.stringify({
    pods: problem.pods.length,
    seconds: first.seconds,
    cpuSeconds: first.cpuSeconds,
    againCpuSeconds: await cpuSecondsAgain(),
    nodes: stats.nodes,
    totalCheapestPrice: Math.round(stats.totalCheapestPrice * 1e4) / 1e4,
    unschedulable: errors.length,
    peakRssBytes: peak,
  }),
);

/** On the processor: the median of solving it afresh; for a cluster that is asked again and again, the mean of a thousand questions. */
async function cpuSecondsAgain(): Promise<number> {
  const { next } = asked;
  if (next !== undefined) {
    const elapsed = begin();
    for (let number = 1; number <= questions; number++) schedule(next(problem, number));
    return elapsed().cpuSeconds / questions;
  }
  const took: number[] = [];
  for (let i = 0; i < again; i++) {
    const fresh = await prepared();
    const elapsed = begin();
    schedule(fresh);
    took.push(elapsed().cpuSeconds);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(again / 2)] ?? 0;
}

/** The high-water mark of this program; what the system counts for the process may include the parent it was forked from. */
function peakRssBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kib = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return (kib === undefined ? process.resourceUsage().maxRSS : Number(kib)) * 1024;
}
