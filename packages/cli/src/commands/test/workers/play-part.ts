import { ScenarioFileError, type ScenarioResult } from '@nodewright/scenario-files';
import { InputError } from '../../../terminal/exit-status.ts';
import type { ScenarioPlay } from '../find-plays.ts';
import { playAnywhere, type PlayingOptions } from '../play-here.ts';

/** What a parent process asks for. */
export type PlayRequest = Pick<PlayingOptions, 'standardInput' | 'outside'> & { readonly play: ScenarioPlay };

/** What a process answers: a result, or why there is none. */
export type PlayAnswer =
  | { readonly kind: 'played'; readonly result: ScenarioResult }
  | { readonly kind: 'wrongInput' | 'defect'; readonly message: string };

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

async function answerPlayRequest({ play, ...options }: PlayRequest): Promise<PlayAnswer> {
  try {
    return { kind: 'played', result: await playAnywhere(play, options) };
  } catch (error) {
    if (error instanceof ScenarioFileError || error instanceof InputError)
      return { kind: 'wrongInput', message: error.message };
    return { kind: 'defect', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
