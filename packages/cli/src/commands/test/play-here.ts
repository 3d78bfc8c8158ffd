import { readFileSync } from 'node:fs';
import { playScenario, prepareScenario, readScenarios, type ScenarioResult } from '@nodewright/scenario-files';
import type { ScenarioPlay } from './find-plays.ts';

export type PlayingOptions = {
  readonly standardInput: string;
  readonly failFast: boolean;
  readonly onResult: (result: ScenarioResult) => void;
};

/** Plays one after the other in this process. */
export async function playHere(
  plays: readonly ScenarioPlay[],
  options: PlayingOptions,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const play of plays) {
    const result = await playOne(play, options.standardInput);
    results.push(result);
    options.onResult(result);
    if (options.failFast && result.failure !== undefined) break;
  }
  return results;
}

/** Reads the file again: a play is the same in every process. */
export async function playOne(
  play: ScenarioPlay,
  standardInput: string,
  options: Omit<Parameters<typeof playScenario>[1], 'seed'> = {},
): Promise<ScenarioResult> {
  const scenario = readScenarios(play.file, readFileSync(play.file, 'utf8'))[play.scenario];
  const played = scenario?.cases[play.case];
  if (scenario === undefined || played === undefined) throw new Error(`${play.file} has changed while it was played`);
  const place = { file: play.file, line: 1, column: 1 };
  const prepared = prepareScenario(scenario, played, {
    standardInput: () => standardInput,
    ...(play.instead !== undefined && { instead: [{ path: play.instead, place }] }),
  });
  return playScenario(prepared, { ...options, seed: play.seed });
}
