import type { ScenarioResult } from '@nodewright/scenario-files';
import type { ScenarioPlay } from './find-plays.ts';
import { playHere, type PlayingOptions } from './play-here.ts';
import { showProgress } from './progress.ts';
import { playInProcesses } from './workers/play-in-processes.ts';

export type PlayInTurnsOptions = Pick<PlayingOptions, 'failFast' | 'outside'> & {
  readonly processes: number;
  readonly standardInput?: string;
};

/** Plays with progress on stderr. Results are in the order of the plays, whoever was first. */
export async function playInTurns(
  plays: readonly ScenarioPlay[],
  { processes, standardInput = '', ...rest }: PlayInTurnsOptions,
): Promise<readonly ScenarioResult[]> {
  const progress = showProgress(plays.length);
  const options = { ...rest, standardInput, onResult: (result: ScenarioResult) => progress.tell(result) };
  try {
    return processes > 1 ? await playInProcesses(plays, { ...options, processes }) : await playHere(plays, options);
  } finally {
    progress.end();
  }
}
