import { ScenarioFileError, type ScenarioResult } from '@nodewright/scenario-files';
import type { ScenarioPlay } from '../find-plays.ts';
import { playOne } from '../play-here.ts';

/** What a parent process asks for. */
export type PlayRequest = { readonly play: ScenarioPlay; readonly standardInput: string };

/** What a process answers: a result, or why there is none. */
export type PlayAnswer =
  | { readonly kind: 'played'; readonly result: ScenarioResult }
  | { readonly kind: 'wrongFile' | 'defect'; readonly message: string };

/** Plays what the parent process sends, until it closes the channel. */
export function playPart(): Promise<void> {
  return new Promise((resolve) => {
    process.on('disconnect', resolve);
    process.on(
      'message',
      (request: PlayRequest) => void answerPlayRequest(request).then((answer) => process.send?.(answer)),
    );
  });
}

async function answerPlayRequest({ play, standardInput }: PlayRequest): Promise<PlayAnswer> {
  try {
    return { kind: 'played', result: await playOne(play, standardInput) };
  } catch (error) {
    if (error instanceof ScenarioFileError) return { kind: 'wrongFile', message: error.message };
    return { kind: 'defect', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
