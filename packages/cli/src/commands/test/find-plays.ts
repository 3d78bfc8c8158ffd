import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import {
  type IncidentEnd,
  listManifestFiles,
  readScenarios,
  ScenarioFileError,
  titleOfResult,
  type ScenarioFile,
} from '@nodewright/scenario-files';
import { InputError } from '../../terminal/exit-status.ts';
import type { TestFlags } from './flags.ts';

/** One scenario, or one case of it, with one seed: plain data that another process can play. */
export type ScenarioPlay = {
  readonly file: string;
  /** Which scenario of the file, and which of its cases. */
  readonly scenario: number;
  readonly case: number;
  readonly title: string;
  readonly seed: number;
  /** Whether its manifests come from standard input. */
  readonly readsInput: boolean;
  /** Whether its cluster begins in a snapshot. */
  readonly isOfSnapshot?: true;
  /** Manifests that take the place of those of the scenario, as an absolute path. */
  readonly instead?: string;
  /** What is played in the place of what the file holds. */
  readonly text?: string;
  /** Of an incident of the library, with the manifests of a team: which end it is, or why it is not played. */
  readonly incident?: { readonly end: IncidentEnd } | { readonly notPlayed: string };
  /** The command that plays it again, without its name and seed [that of its file]. */
  readonly repeat?: string;
  /** Whether steps that cannot be done are passed over. */
  readonly passesOver?: boolean;
};

/** Whether a scenario is among the files. @throws InputError for a path that is not there */
export const hasScenario = (paths: readonly string[]): boolean =>
  paths.flatMap(listScenarioFiles).some((file) => speaksOfScenario(readFileSync(file, 'utf8')));

const speaksOfScenario = (text: string): boolean => /^kind:\s*["']?Scenario\b/m.test(text);

/** The flags that choose among plays. */
export type PlayFlags = Pick<TestFlags, 'seeds' | 'seed' | 'filter'>;

/** @throws InputError when files are wrong, or when there is nothing to play */
export function findPlays(paths: readonly string[], flags: PlayFlags): readonly ScenarioPlay[] {
  const problems: string[] = [];
  const plays = paths.flatMap(listScenarioFiles).flatMap((file) => {
    try {
      return readScenarios(file, readFileSync(file, 'utf8')).flatMap((scenario, at) => playsOf(scenario, at, flags));
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems.join('\n'));
  const { filter } = flags;
  const chosen = plays.filter(({ title }) => filter === undefined || title.includes(filter));
  if (chosen.length > 0) return chosen;
  throw new InputError(
    plays.length === 0
      ? `${paths.map(placeOfPath).join(', ')}: there is no scenario, which is a YAML document with kind: Scenario`
      : `--filter ${filter ?? ''}: no scenario has this in its name; there are ${[...new Set(plays.map(({ title }) => title))].join(', ')}`,
  );
}

/** A file that is named is wrong from its beginning. */
const placeOfPath = (path: string): string => (statSync(path).isDirectory() ? path : `${path}:1:1`);

function playsOf(
  scenario: ScenarioFile,
  at: number,
  { seeds, seed }: Pick<TestFlags, 'seeds' | 'seed'>,
): readonly ScenarioPlay[] {
  const numbers =
    seed === undefined ? Array.from({ length: seeds ?? scenario.seeds }, (_, index) => index + 1) : [seed];
  return scenario.cases.flatMap((played, index) =>
    numbers.map((number) => ({
      file: scenario.file,
      scenario: at,
      case: index,
      title: titleOfResult({ name: scenario.name, case: played.name }),
      seed: number,
      ...(scenario.cluster.snapshot !== undefined && { isOfSnapshot: true as const }),
      readsInput: [...scenario.given, ...played.given].some(({ path }) => path === '-'),
    })),
  );
}

/** A file that is named, or the files of a folder that speak of a scenario. */
function listScenarioFiles(path: string): readonly string[] {
  if (!existsSync(path)) throw new InputError(`${path}: there is no such file or folder`);
  if (!statSync(path).isDirectory()) return [path];
  return listManifestFiles(resolve(path))
    .filter((file) => speaksOfScenario(readFileSync(file, 'utf8')))
    .map((file) => relative(process.cwd(), file));
}
