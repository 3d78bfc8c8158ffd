/**
 * Compares forecasts with what follows, on random clusters.
 *
 * A cluster comes up and is read, some of them in the middle of a rollout. A change is then made to the cluster itself and to
 * the one that is restored from the snapshot. With the same seed both have to be equal in nodes, claims, pods, rollouts, order and
 * instants. Every `--range-every`th case [10] is also forecast with `--seeds` [5] other seeds, and the cluster goes on with
 * one of its own: what it does has to lie inside of what the screen of the forecast says, 95 times out of 100. `--range-only`
 * leaves out the comparison with the same seed.
 *
 * `npm run forecast-laws -- [--clusters N] [--minutes M] [--seed S]`, and `--case S-17` for one of them. The status is 1 when
 * some differ.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { byText } from '@nodewright/apis';
import { drawForecastCase } from '../scenarios/support/forecast-case.ts';
import { checkForecastRange, compareForecast, leastInside } from '../scenarios/support/forecast-law.ts';

const { values: flags } = parseArgs({
  options: {
    clusters: { type: 'string', default: '100' },
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    'range-every': { type: 'string', default: '10' },
    'range-only': { type: 'boolean', default: false },
    seeds: { type: 'string', default: '5' },
    case: { type: 'string' },
    lines: { type: 'string', default: '3' },
  },
});

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
  const value = Number(flags[name]);
  if (value >= 0) return value;
  throw new Error(`--${name} is "${flags[name]}", wanted a number from 0`);
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
  for (const [change, { clusters, nodesGone, different }] of [...counts].toSorted(([a], [b]) => byText(a, b)))
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
