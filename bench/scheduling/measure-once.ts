/** One measurement in a process of its own: builds or reads the problem, solves it, prints what it took as JSON. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { problemFrom, schedule, writtenSolution } from '@nodewright/engine';
import type { ProblemFile } from '@nodewright/engine';
import { benchCase } from './cases/cases.ts';

const [source = '', argument = ''] = process.argv.slice(2);

const read = (path: string): ProblemFile => {
  const bytes = readFileSync(path);
  return JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as ProblemFile;
};

const file = source === '--problem' ? read(argument) : benchCase(source).problem(Number(argument));
const problem = problemFrom(file);
// Instance types may be prepared before the clock starts, as a controller that has run before has them.
schedule({ ...problem, pods: [], nodes: [] });
const begun = process.hrtime.bigint();
const result = schedule(problem);
const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
const { stats, errors } = writtenSolution(result);
console.log(
  JSON.stringify({
    pods: problem.pods.length,
    seconds,
    nodes: stats.nodes,
    totalCheapestPrice: Math.round(stats.totalCheapestPrice * 1e4) / 1e4,
    unschedulable: errors.length,
    peakRssBytes: peakRssBytes(),
  }),
);

/** The high-water mark of this program; what the system counts for the process may include the parent it was forked from. */
function peakRssBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kib = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return (kib === undefined ? process.resourceUsage().maxRSS : Number(kib)) * 1024;
}
