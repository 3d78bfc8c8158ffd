import { type ChildProcess, fork } from 'node:child_process';
import type { ScenarioResult } from '@nodewright/scenario-files';
import { InputError } from '../../../terminal/exit-status.ts';
import type { ScenarioPlay } from '../find-plays.ts';
import type { PlayingOptions } from '../play-here.ts';
import type { PlayAnswer, PlayRequest } from './play-part.ts';

/** Plays in several processes of this command. Each takes the next play when it is free. */
export async function playInProcesses(
  plays: readonly ScenarioPlay[],
  options: PlayingOptions & { readonly processes: number },
): Promise<readonly ScenarioResult[]> {
  const results = new Map<ScenarioPlay, ScenarioResult>();
  const waiting = [...plays];
  const children = Array.from({ length: options.processes }, startProcess);
  try {
    await Promise.all(children.map((child) => playWith(child, { waiting, results, options })));
  } finally {
    for (const child of children) child.kill();
  }
  return plays.flatMap((play) => results.get(play) ?? []);
}

const startProcess = (): ChildProcess =>
  fork(process.argv[1] ?? '', ['test', 'play-part'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

type SharedWork = {
  readonly waiting: ScenarioPlay[];
  readonly results: Map<ScenarioPlay, ScenarioResult>;
  readonly options: PlayingOptions;
};

async function playWith(child: ChildProcess, { waiting, results, options }: SharedWork): Promise<void> {
  for (let play = waiting.shift(); play !== undefined; play = waiting.shift()) {
    const { standardInput, outside } = options;
    const request = { play, standardInput, ...(outside && { outside }) };
    const result = resultOfAnswer(await askProcess(child, request));
    results.set(play, result);
    options.onResult(result);
    if (options.failFast && result.failure !== undefined) waiting.length = 0;
  }
}

function askProcess(child: ChildProcess, request: PlayRequest): Promise<PlayAnswer> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error(`the process that played ${request.play.title} ended`));
    child.once('exit', end);
    child.once('message', (answer: PlayAnswer) => {
      child.off('exit', end);
      resolve(answer);
    });
    child.send(request);
  });
}

function resultOfAnswer(answer: PlayAnswer): ScenarioResult {
  if (answer.kind === 'played') return answer.result;
  throw answer.kind === 'wrongInput' ? new InputError(answer.message) : new Error(answer.message);
}
