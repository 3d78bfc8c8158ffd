import type { ScenarioResult } from '@nodewright/scenario-files';
import type { ScenarioPlay } from './find-plays.ts';
import type { OutsideController } from './outside/outside-controller.ts';
import { playOutside } from './outside/play-outside.ts';
import { playOne } from './play-one.ts';

export type PlayingOptions = {
  readonly standardInput: string;
  readonly failFast: boolean;
  /** The controller, where a play runs over ports [in this process, on virtual time]. */
  readonly outside?: OutsideController;
  readonly onResult: (result: ScenarioResult) => void;
};

/** Plays one after the other in this process. */
export async function playHere(
  plays: readonly ScenarioPlay[],
  options: PlayingOptions,
): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const play of plays) {
    const result = await playAnywhere(play, options);
    results.push(result);
    options.onResult(result);
    if (options.failFast && result.failure !== undefined) break;
  }
  return results;
}

/** Plays once, over ports where that is asked. */
export const playAnywhere = (
  play: ScenarioPlay,
  { standardInput, outside }: Pick<PlayingOptions, 'standardInput' | 'outside'>,
): Promise<ScenarioResult> =>
  outside === undefined ? playOne(play, standardInput) : playOutside(play, standardInput, outside);
