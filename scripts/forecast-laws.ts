/**
 * Compares forecasts with what follows, on random clusters.
 *
 * A cluster comes up and is read, some of them in the middle of a rollout. A change is then made to the cluster itself and to
 * the one that is restored from the snapshot. With the same seed both have to be equal in nodes, claims, pods, rollouts, order and
 * instants. Some cases are also forecast with other seeds, and the cluster goes on with one of its own: what it does has to lie
 * inside of what the screen of the forecast says, 95 times out of 100. The status is 1 when some differ.
 * `npm run forecast-laws -- --help` lists the flags.
 */
import { randomBytes } from 'node:crypto';
import { byTextOf } from '@nodewright/apis';
import { drawForecastCase } from '../scenarios/support/forecast-case.ts';
import { checkForecastRange, compareForecast, leastInside } from '../scenarios/support/forecast-law.ts';
import { readFlags, readNumberFlag } from './flags/read-flags.ts';

const flags = readFlags(
  { command: 'npm run forecast-laws --', brief: 'Compares forecasts with what follows, on random clusters.' },
  {
    clusters: { value: 'N', default: '100', brief: 'how many are drawn' },
    minutes: { value: 'M', default: 'Infinity', brief: 'ends after so many minutes' },
    seed: { value: 'S', default: randomBytes(4).toString('hex'), brief: 'what clusters are drawn from' },
    case: { value: 'S-17', brief: 'tries this cluster alone' },
    'range-every': {
      value: 'N',
      default: '10',
      brief: 'every Nth cluster is also forecast with other seeds; 0 is none',
    },
    'range-only': { brief: 'leaves out the comparison with the same seed' },
    seeds: { value: 'N', default: '5', brief: 'how many other seeds' },
    lines: { value: 'N', default: '3', brief: 'how much of a difference is printed' },
  },
);

const start = performance.now();
const seeds = numberOf('seeds');
const every = numberOf('range-every');
/** By what is done to the clusters. */
const counts = new Map<string, CaseCount>();
const ranges = new Map<string, RangeCount>();

type CaseCount = { clusters: number; nodesGone: number; different: number };
type RangeCount = { inside: number; cases: number };

if (flags.case !== undefined) await tryCase(flags.case, every > 0);
else await tryMany();
printTables();
process.exitCode = isAllKept() ? 0 : 1;

function numberOf(name: 'clusters' | 'minutes' | 'range-every' | 'seeds' | 'lines'): number {
  return readNumberFlag(`--${name}`, flags[name]);
}

async function tryMany(): Promise<void> {
  const [clusters, lastMs] = [numberOf('clusters'), numberOf('minutes') * 60_000];
  console.log(`seed ${flags.seed}`);
  for (let nth = 1; nth <= clusters && performance.now() - start < lastMs; nth += 1) {
    await tryCase(`${flags.seed}-${nth}`, every > 0 && nth % every === 0);
    if (nth % 25 === 0)
      console.log(`${nth} clusters, ${sumOf('different')} different, ${processorSeconds()} s of processor time`);
  }
}

async function tryCase(seed: string, withRange: boolean): Promise<void> {
  if (!flags['range-only']) await compareCase(seed);
  if (withRange) await tryRange(seed);
}

async function compareCase(seed: string): Promise<void> {
  const drawn = drawForecastCase(seed);
  const { ran, foreseen, record } = await compareForecast(drawn);
  const count = counts.get(drawn.change) ?? { clusters: 0, nodesGone: 0, different: 0 };
  counts.set(drawn.change, count);
  count.clusters += 1;
  count.nodesGone += record.nodes.filter(({ goneAt }) => goneAt !== undefined).length;
  const at = ran.findIndex((line, index) => line !== foreseen[index]);
  if (at !== -1 || ran.length !== foreseen.length) {
    count.different += 1;
    printDifference(seed, { ran, foreseen, at: at === -1 ? ran.length : at });
  }
}

async function tryRange(seed: string): Promise<void> {
  for (const { measure, isInside, ran, foreseen } of await checkForecastRange(drawForecastCase(seed), seeds)) {
    const range = ranges.get(measure) ?? { inside: 0, cases: 0 };
    ranges.set(measure, range);
    range.cases += 1;
    if (isInside) range.inside += 1;
    else console.log(`OUTSIDE ${seed}: ${measure}: ran ${ran}, foreseen ${foreseen}`);
  }
}

type Difference = { readonly ran: readonly string[]; readonly foreseen: readonly string[]; readonly at: number };

function printDifference(seed: string, { ran, foreseen, at }: Difference): void {
  console.log(`DIFFERENT ${seed}  |  npm run forecast-laws -- --case ${seed} --lines 20`);
  for (let line = at; line < at + numberOf('lines'); line += 1)
    console.log(`  ran      ${ran[line] ?? 'nothing'}\n  foreseen ${foreseen[line] ?? 'nothing'}`);
}

function printTables(): void {
  console.log('| change | clusters | nodes gone | different |\n| --- | --- | --- | --- |');
  for (const [change, { clusters, nodesGone, different }] of [...counts].toSorted(byTextOf(([change]) => change)))
    console.log(`| ${change} | ${clusters} | ${nodesGone} | ${different} |`);
  console.log(`| all | ${sumOf('clusters')} | ${sumOf('nodesGone')} | ${sumOf('different')} |\n`);
  console.log(
    `| range over ${seeds} seeds | cases | inside | outside | least inside |\n| --- | --- | --- | --- | --- |`,
  );
  for (const [measure, { cases, inside }] of ranges)
    console.log(`| ${measure} | ${cases} | ${inside} | ${cases - inside} | ${leastInside(cases)} |`);
  console.log(`${processorSeconds()} s of processor time`);
}

function sumOf(name: keyof CaseCount): number {
  return [...counts.values()].reduce((sum, count) => sum + count[name], 0);
}

function isAllKept(): boolean {
  const inRange = [...ranges.values()].every(({ inside, cases }) => inside >= leastInside(cases));
  return inRange && sumOf('different') === 0;
}

function processorSeconds(): string {
  const { user, system } = process.cpuUsage();
  return ((user + system) / 1e6).toFixed(0);
}
