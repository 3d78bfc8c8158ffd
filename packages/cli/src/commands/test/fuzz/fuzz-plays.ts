import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  drawEvents,
  fuzzManifests,
  type FuzzSubject,
  prepareScenario,
  readFuzzSubject,
  readScenarios,
  ScenarioFileError,
  type WrittenStep,
  writeHistory,
} from '@nodewright/scenario-files';
import { seededRandom } from '@nodewright/runtime';
import { InputError } from '../../../terminal/exit-status.ts';
import type { ScenarioPlay } from '../find-plays.ts';

/** A history that is drawn, and how it is played. */
export type DrawnHistory = {
  readonly subject: FuzzSubject;
  /** Its number is the seed of its events. */
  readonly number: number;
  readonly events: readonly WrittenStep[];
  readonly play: ScenarioPlay;
};

/** What is fuzzed, and the folder that paths of its manifests are relative to. */
export type FuzzTarget = { readonly subject: FuzzSubject; readonly folder: string };

/** The cases of a scenario file, each once, whatever its seeds. */
export function targetsOfPlays(plays: readonly ScenarioPlay[], standardInput: string): readonly FuzzTarget[] {
  const first = new Map(plays.map((play) => [`${play.file} ${play.scenario} ${play.case}`, play]));
  return [...first.values()].flatMap((play) => {
    const text = readFileSync(play.file, 'utf8');
    const scenario = readScenarios(play.file, text)[play.scenario];
    const played = scenario?.cases[play.case];
    if (scenario === undefined || played === undefined) return [];
    const prepared = orRefuse(() => prepareScenario(scenario, played, { standardInput: () => standardInput }));
    return [{ subject: readFuzzSubject(prepared, text, play), folder: dirname(play.file) }];
  });
}

/** Manifests that no scenario names: they are all that is given. */
export function targetOfManifests(paths: readonly string[]): FuzzTarget {
  const folder = '.';
  const given = paths.map((path) => relative(folder, path) || '.');
  const file = join(folder, 'fuzz.yaml');
  const text = writeHistory(
    { name: 'manifests', spec: { given }, workloads: [], families: [], zones: [] },
    [],
    'manifests',
  );
  const [scenario] = readScenarios(file, text);
  const [played] = scenario?.cases ?? [];
  if (scenario === undefined || played === undefined) throw new Error('a written history is a scenario');
  const prepared = orRefuse(() => prepareScenario(scenario, played, { standardInput: () => '' }));
  return { subject: fuzzManifests(prepared, given), folder };
}

/** @throws InputError for manifests that cannot be read */
function orRefuse<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error;
    throw new InputError(error.problems.map(({ message }) => message).join('\n'), { cause: error });
  }
}

/** The history of a number. Number 0 has no events: it tells whether the manifests work at all. */
export function drawHistoryOf({ subject, folder }: FuzzTarget, number: number): DrawnHistory {
  const random = seededRandom(`fuzz ${number}`);
  const events = number === 0 ? [] : drawEvents(subject, random);
  const file = join(folder, `fuzz-${slugOfText(subject.name)}-${number}.yaml`);
  const drawn = { subject, number, events };
  return { ...drawn, play: playOfEvents({ ...drawn, file }, events) };
}

const slugOfText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);

/** Chance in the cluster is that of the first seed, so that the file that is written fails without a flag. */
const fuzzSeed = 1;

/** A play of some events in the place of a history's own. */
export function playOfEvents(
  { subject, number, file }: Pick<DrawnHistory, 'subject' | 'number'> & { readonly file: string },
  events: readonly WrittenStep[],
): ScenarioPlay {
  const title = `${subject.name}: history ${number}`;
  return {
    file,
    text: writeHistory(subject, events, title),
    passesOver: true,
    scenario: 0,
    case: 0,
    title,
    seed: fuzzSeed,
    readsInput: false,
  };
}
