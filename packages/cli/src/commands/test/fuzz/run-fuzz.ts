import { availableParallelism } from 'node:os';
import {
  printResults,
  reportObject,
  type ScenarioResult,
  shrinkEvents,
  type WrittenStep,
} from '@nodewright/scenario-files';
import { writeAnswerFile } from '../../../terminal/answer-file.ts';
import type { CliContext } from '../../../terminal/context.ts';
import { exitStatus, InputError } from '../../../terminal/exit-status.ts';
import { writeAnswer } from '../../../terminal/output.ts';
import { findPlays, hasScenario } from '../find-plays.ts';
import type { TestFlags } from '../flags.ts';
import { playOne } from '../play-one.ts';
import { testCommandLine } from '../command-line.ts';
import { playInTurns } from '../play-in-turns.ts';
import {
  drawHistoryOf,
  type DrawnHistory,
  type FuzzTarget,
  playOfEvents,
  targetOfManifests,
  targetsOfPlays,
} from './fuzz-plays.ts';

/** A failure is made small for as many plays as this, and so many failures at most. */
const mostHistories = 60;
const mostShrunk = 3;

/** `nodewright test --fuzz N PATH...`: random histories, and the smallest ones that fail as scenario files. */
export async function runFuzz(
  context: CliContext,
  flags: TestFlags & { readonly fuzz: number },
  paths: readonly string[],
): Promise<void> {
  refuseOtherFlags(flags);
  const targets = listFuzzTargets(paths, flags);
  const histories = targets.flatMap((target) => numbersOf(flags).map((number) => drawHistoryOf(target, number)));
  const results = await playInTurns(
    histories.map(({ play }) => play),
    { processes: Math.min(flags.parallel ?? availableParallelism(), histories.length), failFast: flags.failFast },
  );
  const found = await shrinkFailures(histories, results);
  const text = [describeCounts(targets, histories, results), ...found.map(({ text }) => text)].join('\n');
  writeAnswer(context, flags.output, {
    object: Object.assign(reportObject(results, testCommandLine), { found: found.map(({ file }) => file) }),
    text,
  });
  if (found.length > 0) context.process.exitCode = exitStatus.failed;
}

function refuseOtherFlags(flags: TestFlags): void {
  const others = [
    ['--seeds', flags.seeds !== undefined],
    ['--junit', flags.junit !== undefined],
    ['--keep', flags.keep !== undefined],
    ['--open', flags.open !== undefined],
    ['--watch', flags.watch],
    ['--wire', flags.wire],
    ['--controller', flags.controller !== undefined],
  ] as const;
  const refused = others.filter(([, isGiven]) => isGiven).map(([name]) => name);
  if (refused.length > 0)
    throw new InputError(`${refused.join(', ')}: give it with the file that --fuzz writes, not with --fuzz`);
}

const listFuzzTargets = (paths: readonly string[], flags: TestFlags): readonly FuzzTarget[] =>
  hasScenario(paths)
    ? targetsOfPlays(findPlays(paths, { seed: 1, ...pickFilter(flags) }), '')
    : [targetOfManifests(paths)];

const pickFilter = ({ filter }: TestFlags): Pick<TestFlags, 'filter'> => (filter === undefined ? {} : { filter });

/** Number 0 comes first: what fails without any event is no find. */
const numbersOf = ({ fuzz, seed = 1 }: TestFlags & { readonly fuzz: number }): readonly number[] => [
  0,
  ...Array.from({ length: fuzz }, (_, nth) => seed + nth),
];

type Found = { readonly file: string; readonly text: string };

/** The first failures of different rules, each as a file. Where nothing works without events, that is the find. */
async function shrinkFailures(
  histories: readonly DrawnHistory[],
  results: readonly ScenarioResult[],
): Promise<readonly Found[]> {
  const failed = histories.flatMap((history, at) => {
    const result = results[at];
    return result?.failure === undefined ? [] : [{ history, result }];
  });
  const distinct = new Map(
    failed.toReversed().map((each) => [`${each.history.subject.name} ${each.result.failure?.text ?? ''}`, each]),
  );
  const found: Found[] = [];
  for (const { history, result } of [...distinct.values()].toReversed().slice(0, mostShrunk))
    found.push(await writeSmallest(history, result));
  return found;
}

async function writeSmallest(history: DrawnHistory, first: ScenarioResult): Promise<Found> {
  const { file } = history.play;
  const fails = async (events: readonly WrittenStep[]): Promise<boolean> =>
    isSameFailure(await playEvents(history, events), first);
  const possible = history.events.filter((_step, at) => !first.passedOver.includes(at + 1));
  const start = possible.length < history.events.length && (await fails(possible)) ? possible : history.events;
  const events = await shrinkEvents(start, { fails, mostTries: mostHistories });
  const play = playOfEvents({ ...history, file }, events);
  writeAnswerFile('the scenario', file, play.text ?? '');
  const result = await playOne({ ...play, passesOver: false }, '');
  return { file, text: ['', `written to ${file}:`, printResults([result], testCommandLine)].join('\n') };
}

const playEvents = (history: DrawnHistory, events: readonly WrittenStep[]): Promise<ScenarioResult> =>
  playOne(playOfEvents({ ...history, file: history.play.file }, events), '');

const isSameFailure = ({ failure }: ScenarioResult, first: ScenarioResult): boolean =>
  failure !== undefined && failure.kind === first.failure?.kind && failure.text === first.failure.text;

function describeCounts(
  targets: readonly FuzzTarget[],
  histories: readonly DrawnHistory[],
  results: readonly ScenarioResult[],
): string {
  const lines = targets.map(({ subject }) => {
    const own = histories.flatMap((history, at) =>
      history.subject === subject ? [{ history, result: results[at] }] : [],
    );
    const failed = own.flatMap(({ history, result }) => (result?.failure === undefined ? [] : history.number));
    if (failed.includes(0)) return `${subject.name}: fails before anything happens`;
    const numbers = failed.length === 0 ? '' : ` (${failed.join(', ')})`;
    return `${subject.name}: ${own.length - 1} histories, ${failed.length} failed${numbers}`;
  });
  return lines.join('\n');
}
