import { readFileSync } from 'node:fs';
import { instant } from '@nodewright/apis';
import {
  judgeIncident,
  playScenario,
  prepareScenario,
  readScenarios,
  type ScenarioResult,
} from '@nodewright/scenario-files';
import type { ScenarioPlay } from './find-plays.ts';

/** Reads the file again: a play is the same in every process. */
export async function playOne(
  play: ScenarioPlay,
  standardInput: string,
  options: Omit<Parameters<typeof playScenario>[1], 'seed'> = {},
): Promise<ScenarioResult> {
  const text = play.text ?? readFileSync(play.file, 'utf8');
  const scenario = readScenarios(play.file, text)[play.scenario];
  const played = scenario?.cases[play.case];
  if (scenario === undefined || played === undefined) throw new Error(`${play.file} has changed while it was played`);
  const { incident, repeat } = play;
  if (incident !== undefined && 'notPlayed' in incident)
    return resultOfLeftOut(play, scenario.name, incident.notPlayed);
  const place = { file: play.file, line: 1, column: 1 };
  const prepared = prepareScenario(scenario, played, {
    standardInput: () => standardInput,
    ...(play.instead !== undefined && { instead: [{ path: play.instead, place }] }),
  });
  const passesOver = play.passesOver ?? false;
  const result = await playScenario(prepared, { ...options, seed: play.seed, passesOver });
  const judged = incident === undefined ? result : judgeIncident(result, prepared, incident.end);
  return { ...judged, ...(repeat !== undefined && { repeat }) };
}

const resultOfLeftOut = ({ file, seed }: ScenarioPlay, name: string, because: string): ScenarioResult => ({
  name,
  case: '',
  file,
  seed,
  startedAt: instant(0),
  endedAt: instant(0),
  remarks: [],
  passedOver: [],
  verdict: { kind: 'notPlayed', because },
});
