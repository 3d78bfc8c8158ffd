import { type Instant, minutes } from '@nodewright/apis';
import { type ForecastReport, makeForecast } from '@nodewright/forecast';
import { createForecastWorld, restoreWorld } from '../../packages/forecast/src/world/forecast-world.ts';
import type {
  ForecastWorld,
  ForecastWorldOptions,
  WorldBeginning,
} from '../../packages/forecast/src/world/forecast-world.ts';
import { endOfRun, goesInRun, surgeOf } from '../../packages/forecast/src/report/summarize-runs.ts';
import { type ForecastQuestion, runForecast } from '../../packages/forecast/src/run/run-forecast.ts';
import type { RunRecord } from '../../packages/forecast/src/run/run-record.ts';
import type { ForecastCase } from './forecast-case.ts';
import { copyOfLedger, laterSeed, snapAfter, type SnappedWorld } from './snapped-world.ts';

type Opening = (options: ForecastWorldOptions) => Promise<ForecastWorld>;

/** What came, went and was told, with instants, in a form that two runs can be compared by. */
type ComparedRuns = {
  readonly ran: readonly string[];
  readonly foreseen: readonly string[];
  /** Of the cluster that went on. */
  readonly record: RunRecord;
};

/**
 * Plays a change on the cluster that goes on, and on the one that is restored from its snapshot, with one seed. Machines of both
 * take as long as the snapshot has seen: how long they take is no decision of the controllers.
 */
export async function compareForecast(drawn: ForecastCase): Promise<ComparedRuns> {
  const snapped = await snapAfter(drawn.past);
  return compareChange(snapped, questionOf(drawn, snapped));
}

/** The same on a cluster that was read already. */
export async function compareChange(snapped: SnappedWorld, question: ForecastQuestion): Promise<ComparedRuns> {
  const ran = await listRun(question, goOn(snapped, snapped.snapshot.observed.boots));
  const foreseen = await listRun(question, (options) => restoreWorld(snapped.snapshot, options));
  return { ran: ran.lines, foreseen: foreseen.lines, record: ran.record };
}

const questionOf = ({ changeOf, minutes: length }: ForecastCase, { snapshot }: SnappedWorld): ForecastQuestion => ({
  snapshot,
  change: changeOf(snapshot),
  forMs: minutes(length),
});

/** @param boots how long its machines take, where that is not what is usual */
const goOn =
  ({ beginning, ledger }: SnappedWorld, boots?: WorldBeginning['boots']): Opening =>
  (options) =>
    createForecastWorld({ ...beginning, ledger: copyOfLedger(ledger), ...(boots && { boots }) }, options);

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

/** Where the cluster itself came to lie, with chances of its own. */
export type RangeCheck = {
  readonly measure: string;
  readonly isInside: boolean;
  readonly ran: string;
  readonly foreseen: string;
};

/**
 * Forecasts a case with `seeds` seeds as the command does it, and plays it on the cluster itself with a further one. Machines of
 * the cluster take what is usual for their image; the forecast knows of that only what it has seen.
 */
export async function checkForecastRange(drawn: ForecastCase, seeds: number): Promise<readonly RangeCheck[]> {
  const snapped = await snapAfter(drawn.past);
  const question = questionOf(drawn, snapped);
  const { summary, runs } = await makeForecast(question, { seeds });
  const ran = await runForecast({ ...question, open: goOn(snapped) }, laterSeed + seeds);
  const end = endOfRun(ran);
  const gone = ran.nodes.filter(goesInRun).length;
  const surge = surgeOf(ran).nodes;
  const { ends, nodesReplacedInRuns: replaced } = summary;
  return [
    {
      measure: 'when the last node is gone',
      isInside: isEndInside(end, { ends, runs }),
      ran: end === undefined ? 'no end' : printInstant(end),
      foreseen: ends === undefined ? 'no end' : `${ends.least} to ${ends.most} in ${ends.runs} of ${runs} runs`,
    },
    {
      measure: 'how many nodes go',
      isInside: replaced.least <= gone && gone <= replaced.most,
      ran: String(gone),
      foreseen: `${replaced.least} to ${replaced.most}`,
    },
    {
      measure: 'how many nodes more there are at most',
      isInside: surge <= summary.surge.nodes,
      ran: String(surge),
      foreseen: `at most ${summary.surge.nodes}`,
    },
  ];
}

type ForeseenEnd = { readonly ends: ForecastReport['summary']['ends'] | undefined; readonly runs: number };

/** A cluster that does not come to an end is inside where some run does not either. */
function isEndInside(end: Instant | undefined, { ends, runs }: ForeseenEnd): boolean {
  if (end === undefined) return ends === undefined || ends.runs < runs;
  return ends !== undefined && Date.parse(ends.least) <= end && end <= Date.parse(ends.most);
}

/**
 * How many of the cases have to be inside, where each is with a chance of 95 %: with fewer, a forecast that is true would be
 * that unlucky once in a thousand times.
 */
export function leastInside(cases: number): number {
  const inside = 0.95;
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
