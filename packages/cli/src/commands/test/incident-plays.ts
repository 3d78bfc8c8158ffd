import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  fitIncident,
  type IncidentEnd,
  quoteWord,
  readScenarios,
  readTeamManifests,
  ScenarioFileError,
  type ScenarioFile,
  type TeamManifests,
  titleOfResult,
} from '@nodewright/scenario-files';
import { InputError } from '../../terminal/exit-status.ts';
import { testCommandLine } from './command-line.ts';
import { findPlays, type ScenarioPlay } from './find-plays.ts';
import type { IncidentFlags } from './flags.ts';

/** How a person plays an incident again. */
export const commandOfIncident = ({ file }: ScenarioPlay): string =>
  `${testCommandLine} incidents ${basename(file, '.yaml')}`;

/**
 * The incidents as they fit the manifests of a team. One that does not fit is told once.
 * @throws InputError for manifests that cannot be read, and a filter that leaves nothing
 */
export function fitPlays(files: readonly string[], flags: IncidentFlags, manifests: string): readonly ScenarioPlay[] {
  const team = readTeam(manifests);
  const { filter, ...rest } = flags;
  const plays = findPlays(files, rest).flatMap((play) => fitPlay(play, team, manifests) ?? []);
  const chosen = plays.filter(({ title }) => filter === undefined || title.includes(filter));
  if (chosen.length > 0) return chosen;
  throw new InputError(`--filter ${filter ?? ''}: no incident has this in its name`);
}

/** @returns undefined for an end that says no more than another one */
function fitPlay(play: ScenarioPlay, team: TeamManifests, manifests: string): ScenarioPlay | undefined {
  const repeat = `${commandOfIncident(play)} --manifests ${quoteWord(manifests)}`;
  const fitted = fitIncident(readFileSync(play.file, 'utf8'), team);
  if ('notPlayed' in fitted)
    return play.case === 0 ? { ...play, title: nameOfFile(play), repeat, incident: fitted } : undefined;
  const [scenario] = readScenarios(play.file, fitted.text);
  const played = scenario?.cases[play.case];
  if (scenario === undefined || played === undefined || isReplaced(scenario, played, team)) return undefined;
  const guarded: IncidentEnd = team.hasPolicy ? 'ownPolicies' : 'guarded';
  const end = scenario.cases.length > 1 && play.case === 0 ? 'bad' : guarded;
  const title = titleOfResult({ name: scenario.name, case: played.name });
  return { ...play, title, text: fitted.text, instead: resolve(manifests), repeat, incident: { end } };
}

const nameOfFile = ({ file }: ScenarioPlay): string => readScenarios(file, readFileSync(file, 'utf8'))[0]?.name ?? file;

/** A guard of the library in whose place policies of the team stand is played once, as the preset. */
const isReplaced = ({ cases }: ScenarioFile, played: ScenarioFile['cases'][0], { hasPolicy }: TeamManifests): boolean =>
  hasPolicy && cases.indexOf(played) > 0 && !played.given.some(({ path }) => path.endsWith('standard-policy.yaml'));

function readTeam(manifests: string): TeamManifests {
  try {
    return readTeamManifests(resolve(manifests));
  } catch (error) {
    throw error instanceof ScenarioFileError ? new InputError(error.message, { cause: error }) : error;
  }
}
