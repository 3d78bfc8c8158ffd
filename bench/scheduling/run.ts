import { byNumberOf } from '@nodewright/apis';
import type { SchedulingProblem } from '@nodewright/engine';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from '../../scripts/bundled.ts';
import { benchMemory } from './memory.ts';
import { benchCase, benchCases } from './cases/cases.ts';
import { readProblem } from './cases/read-problem.ts';
import { lowestPrice } from './price-bound.ts';
import { referenceAnswers, referencePodsPerSecond } from './reference.ts';
import { readFlags, readNumberFlag } from '../../scripts/flags/read-flags.ts';

type Measured = {
  readonly pods: number;
  /** The first solution of the process, by the wall. */
  readonly seconds: number;
  /** The same on the processor: what it would take on a machine that does nothing else. */
  readonly cpuSeconds: number;
  /** Once the code has been used, by the wall; for a cluster that is asked again, each of a thousand questions. */
  readonly warmSeconds: number;
  readonly warmCpuSeconds: number;
  readonly nodes: number;
  readonly totalCheapestPrice: number;
  readonly unschedulable: number;
  readonly peakRssBytes: number;
};

/** The built script to run, and how often. */
type Runner = { readonly script: string; readonly runs: number };

/**
 * As a Go program is compiled before it runs, and as Go's benchmarks collect garbage before the
 * clock starts; nothing is solved before. One helper thread, as the controller is deployed with: of the
 * four that Node starts, those without a core of their own take turns with the thread that solves.
 */
const compiledBefore = ['--no-lazy', '--expose-gc', '--v8-pool-size=1'];

type Row = Measured & {
  readonly name: string;
  readonly podsPerSecond: number;
  readonly warmPodsPerSecond: number;
  /** What Karpenter's own benchmark makes of the case, in pods per second. */
  readonly reference?: number;
  /** What no answer can be below; absent where there are nodes already, whose room costs nothing more, or pods are left over. */
  readonly lowestPrice?: number;
};

/** Measures cases or problem files, five fresh processes each, and prints the median of each as a line. */
export async function benchScheduling(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- scheduling', brief: 'Measures the solver, each case in processes of its own.' },
    {
      case: { value: 'CASE', brief: 'this case alone' },
      pods: { value: 'N', brief: 'this size alone' },
      problem: { value: 'FILE', isList: true, brief: 'measures the problem in a file' },
      json: { value: 'FILE', brief: 'also writes the results there' },
      runs: { value: 'N', default: '5', brief: 'processes of each case' },
    },
    argv,
  );
  if (values.case === 'memory') return benchMemory();
  const cases = values.case === undefined ? (values.problem.length === 0 ? benchCases : []) : [benchCase(values.case)];
  const runner = {
    script: await bundled(join(import.meta.dirname, 'measure-once.ts')),
    runs: readNumberFlag('--runs', values.runs),
  };
  const rows: Row[] = [];
  const report = (row: Row): void => {
    rows.push(row);
    console.log(line(row));
  };
  console.log(heading);
  for (const { name, sizes } of cases) {
    for (const pods of values.pods === undefined ? sizes : [readNumberFlag('--pods', values.pods)]) {
      report(await withBound(median(name, [name, String(pods)], runner), await benchCase(name).problem(pods)));
    }
  }
  for (const path of values.problem)
    report(await withBound(median(fileName(path), ['--problem', path], runner), readProblem(path)));
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ kind: 'SchedulingBenchmark', rows }, null, 2)}\n`);
  if (rows.some(isWorse)) process.exitCode = 1;
}

function median(name: string, argv: readonly string[], { script, runs }: Runner): Row {
  const all = Array.from({ length: runs }, () => measured(script, argv)).toSorted(byNumberOf(({ seconds }) => seconds));
  const middle = all[Math.floor(all.length / 2)];
  if (middle === undefined) throw new Error('at least one run is needed');
  const reference = referencePodsPerSecond[`${name} ${middle.pods}`];
  return {
    name,
    ...middle,
    podsPerSecond: middle.pods / middle.seconds,
    warmPodsPerSecond: middle.pods / middle.warmSeconds,
    ...(reference === undefined ? {} : { reference }),
  };
}

async function withBound(row: Row, problem: SchedulingProblem): Promise<Row> {
  if (problem.nodes.length > 0 || row.unschedulable > 0) return row;
  const bound = await lowestPrice(problem, problem.pods);
  if (bound > row.totalCheapestPrice + 0.001) throw new Error(`${row.name}: an answer is below the bound ${bound}`);
  return { ...row, lowestPrice: Math.round(bound * 1e4) / 1e4 };
}

function measured(script: string, argv: readonly string[]): Measured {
  const child = spawnSync(process.execPath, [...compiledBefore, script, ...argv], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Measured;
}

const fileName = (path: string): string => path.replace(/^.*\//, '').replace(/\.json(\.gz)?$/, '');

const line = (row: Row): string =>
  [
    row.pods,
    ...speed(row.podsPerSecond, row),
    milliseconds(row.seconds),
    milliseconds(row.cpuSeconds),
    ...speed(row.warmPodsPerSecond, row),
    milliseconds(row.warmSeconds),
    milliseconds(row.warmCpuSeconds),
    row.nodes,
    row.totalCheapestPrice.toFixed(2),
    ...priceGap(row),
    row.unschedulable,
    Math.round(row.peakRssBytes / 2 ** 20),
  ].reduce((text: string, cell) => text + padded(cell), row.name.padStart(18));

const speed = (podsPerSecond: number, { reference }: Row): readonly (string | number)[] => [
  Math.round(podsPerSecond),
  reference === undefined ? '' : (podsPerSecond / reference).toFixed(1),
];

/** The bound, and how much dearer the answer is, in percent. */
const priceGap = ({ totalCheapestPrice, lowestPrice }: Row): readonly string[] =>
  lowestPrice === undefined || lowestPrice === 0
    ? ['', '']
    : [lowestPrice.toFixed(2), ((totalCheapestPrice / lowestPrice - 1) * 100).toFixed(1)];

const padded = (cell: string | number): string => String(cell).padStart(14);
const milliseconds = (seconds: number): string => (seconds * 1_000).toFixed(seconds < 0.01 ? 2 : 1);

const titles = ['pods/s', 'times', 'ms', 'cpu ms'];

const heading = [
  'first: the first solution of a new process; warm: solved again in it, as Karpenter is measured;',
  "times: as fast as Karpenter's own benchmark; each line the median of several processes;",
  'bound: what no answer can cost less than; gap: how much more this one costs',
  '',
  'case'.padStart(18) +
    ['pods', ...titles.map((title) => `first ${title}`), ...titles.map((title) => `warm ${title}`)]
      .concat(['nodes', '$/h', 'bound $/h', 'gap %', 'out', 'MiB'])
      .map((title) => padded(title))
      .join(''),
].join('\n');

/** More nodes, a higher price or more pods left over than Karpenter's answer to the same file. */
function isWorse({ name, nodes, totalCheapestPrice, unschedulable }: Row): boolean {
  const reference = referenceAnswers[name];
  if (reference === undefined) return false;
  return (
    nodes > reference.nodes ||
    totalCheapestPrice > reference.highestPrice + 0.005 ||
    unschedulable > reference.unschedulable
  );
}
