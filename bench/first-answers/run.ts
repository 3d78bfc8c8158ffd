import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { byNumber } from '@nodewright/apis';
import { readFlags, readNumberFlag, refuseFlags } from '../../scripts/flags/read-flags.ts';

type Answers = { readonly first: number; readonly again: readonly number[] };

const root = join(import.meta.dirname, '../..');
const urlOf = (path: string): string => pathToFileURL(join(root, path)).href;

/**
 * What the first answer of a command costs: all processor time of its process, from the start of Node on, beside the same
 * command run again in that process. Medians of `--runs` processes, of the build (`npm run build`).
 */
export async function benchFirstAnswers(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- first-answers', brief: 'Measures commands in a new process, and again in it.' },
    {
      command: { value: 'WORDS', isList: true, brief: 'a command and its flags: "simulate --problem FILE"' },
      again: { value: 'N', default: '15', brief: 'how often it runs again in a process' },
      runs: { value: 'N', default: '5', brief: 'processes of each command' },
    },
    argv,
  );
  if (values.command.length === 0)
    refuseFlags('nothing to measure: give one --command "simulate --problem FILE" or more');
  const again = readNumberFlag('--again', values.again);
  const runs = Array.from({ length: readNumberFlag('--runs', values.runs) });
  console.log(
    'processor ms: whole process up to the first answer, the same answer once more in it, and how many times that',
  );
  for (const command of values.command) {
    const answers = runs.map(() => answersOf(command.split(' '), again));
    const first = medianOf(answers.map((each) => each.first));
    const warm = medianOf(answers.map((each) => medianOf(each.again)));
    console.log(
      `${first.toFixed(0).padStart(8)}${warm.toFixed(0).padStart(8)}${(first / warm).toFixed(1).padStart(8)}  ${command}`,
    );
  }
}

function answersOf(words: readonly string[], again: number): Answers {
  const script = join(import.meta.dirname, 'answer-again.mjs');
  const built = urlOf('packages/cli/dist/nodewright.mjs');
  const launcher = urlOf('packages/cli/bin/nodewright.mjs');
  const { stderr } = spawnSync(process.execPath, [script, launcher, built, String(again), ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"first"')) throw new Error(stderr);
  return JSON.parse(line) as Answers;
}

const medianOf = (all: readonly number[]): number => all.toSorted(byNumber)[Math.floor(all.length / 2)] ?? 0;
