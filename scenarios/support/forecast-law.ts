import { createForecastWorld, restoreWorld } from '../../packages/forecast/src/world/forecast-world.ts';
import type { ForecastWorld, ForecastWorldOptions } from '../../packages/forecast/src/world/forecast-world.ts';
import { endOfRun } from '../../packages/forecast/src/report/summarize-runs.ts';
import { type ForecastQuestion, runForecast } from '../../packages/forecast/src/run/run-forecast.ts';
import type { RunRecord } from '../../packages/forecast/src/run/run-record.ts';
import type { ForecastCase } from './forecast-case.ts';
import { copyOfLedger, laterSeed, snapAfter, type SnappedWorld } from './snapped-world.ts';

const minute = 60_000;

type Opening = (options: ForecastWorldOptions) => Promise<ForecastWorld>;

/** What came, went and was told, with instants, in a form that two runs can be compared by. */
type ComparedRuns = {
  readonly ran: readonly string[];
  readonly foreseen: readonly string[];
  /** Of the cluster that went on. */
  readonly record: RunRecord;
};

/** Plays a change on the cluster that goes on, and on the one that is restored from its snapshot, with one seed. */
export async function compareForecast(drawn: ForecastCase): Promise<ComparedRuns> {
  const snapped = await snapAfter(drawn.past);
  return compareChange(snapped, questionOf(drawn, snapped));
}

/** The same on a cluster that was read already. */
export async function compareChange(snapped: SnappedWorld, question: ForecastQuestion): Promise<ComparedRuns> {
  const ran = await listRun(question, goOn(snapped));
  const foreseen = await listRun(question, (options) => restoreWorld(snapped.snapshot, options));
  return { ran: ran.lines, foreseen: foreseen.lines, record: ran.record };
}

const questionOf = ({ changeOf, minutes }: ForecastCase, { snapshot }: SnappedWorld): ForecastQuestion => ({
  snapshot,
  change: changeOf(snapshot),
  forMs: minutes * minute,
});

const goOn =
  ({ beginning, ledger }: SnappedWorld): Opening =>
  (options) =>
    createForecastWorld({ ...beginning, ledger: copyOfLedger(ledger) }, options);

async function listRun(question: ForecastQuestion, opening: Opening) {
  const lines: string[] = [];
  let world: ForecastWorld | undefined;
  const open: Opening = async (options) => {
    world = await opening({
      ...options,
      onWrite: (write) => {
        options.onWrite?.(write);
        const { type, collection, object } = write;
        if (world === undefined || !/^(nodes|nodeclaims|pods|noderollouts)/.test(collection)) return;
        if (type !== 'MODIFIED')
          lines.push(`${printInstant(world.time.clock.now())} ${type} ${collection} ${object.metadata.name}`);
      },
    });
    return world;
  };
  const run = await runForecast({ ...question, open }, laterSeed);
  return { lines: [...lines, ...printRun(run)], record: run };
}

/** Nodes with their reasons and instants, evictions, rollouts, groups, and what holds nodes at the end. */
const printRun = (run: RunRecord): readonly string[] =>
  [run.nodes, run.evictions, run.workloads, run.services, run.rollouts, run.groups, run.unschedulable]
    .flat()
    .map((each) => JSON.stringify(each, asText));

const asText = (key: string, value: unknown): unknown =>
  typeof value === 'number' && /At$|^at$|^since$/.test(key) ? printInstant(value) : value;

const printInstant = (at: number): string => new Date(at).toISOString();

/** Whether the cluster itself, with chances of its own, stayed inside of the range of a forecast. */
export type RangeCheck = { readonly measure: string; readonly isInside: boolean };

/** Forecasts a case with `seeds` seeds, and plays it on the cluster itself with a further one. */
export async function checkForecastRange(drawn: ForecastCase, seeds: number): Promise<readonly RangeCheck[]> {
  const snapped = await snapAfter(drawn.past);
  const question = questionOf(drawn, snapped);
  const foreseen: RunRecord[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) foreseen.push(await runForecast(question, seed));
  const ran = await runForecast({ ...question, open: goOn(snapped) }, laterSeed + seeds);
  return measures.map(({ measure, of }) => {
    const values = foreseen.map(of);
    return { measure, isInside: of(ran) >= Math.min(...values) && of(ran) <= Math.max(...values) };
  });
}

const measures: readonly { readonly measure: string; readonly of: (run: RunRecord) => number }[] = [
  { measure: 'the last node is gone', of: (run) => endOfRun(run) ?? Infinity },
  {
    measure: 'nodes that go',
    of: ({ nodes }) => nodes.filter(({ isFromBefore, goneAt }) => isFromBefore && goneAt !== undefined).length,
  },
  { measure: 'most nodes', of: ({ fleet }) => Math.max(...fleet.map(({ nodes }) => nodes)) },
];

/**
 * How many of the cases have to be inside. One more seed is the least or the largest of all with a chance of 2 in `seeds`
 * + 1 at most; with fewer inside than this, a forecast that is true would be that unlucky once in a thousand times.
 */
export function leastInside({ cases, seeds }: { readonly cases: number; readonly seeds: number }): number {
  const inside = (seeds - 1) / (seeds + 1);
  let chance = (1 - inside) ** cases;
  let sum = chance;
  let least = 0;
  while (sum < 0.001 && least < cases) {
    chance *= ((cases - least) / (least + 1)) * (inside / (1 - inside));
    least += 1;
    sum += chance;
  }
  return least;
}
