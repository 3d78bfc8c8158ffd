import { run } from '@stricli/core';
import { decideForBothWords, inheritedWords } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { createApplication } from './app.ts';
import { describeInheritedFlag } from './terminal/inherited-flag.ts';
import { readSettings } from './controller/read-settings.ts';
import { schedulerConfig } from './controller/scheduler-config.ts';

/** What a command line answers: its exit code and both streams. */
async function answer(...args: readonly string[]): Promise<unknown> {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text) };
  const host: { stdout: typeof stream; stderr: typeof stream; exitCode?: number | string | null } = {
    stdout: stream,
    stderr: stream,
  };
  await run(createApplication, args, { process: host });
  return [host.exitCode, texts];
}

const kebabCase = (word: string): string => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first line that is said about a flag, before the library sees it or by the library. */
async function flagAnswer(flag: string): Promise<string> {
  const said = describeInheritedFlag(['crds', flag]) ?? JSON.stringify(await answer('crds', flag));
  return said.includes('there is no flag') ? 'there is no such flag' : said;
}

function outcomeOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return (error as Error).message;
  }
}

const places: Readonly<Record<string, (word: string) => unknown>> = {
  'a command': (word) => answer(word),
  'a flag': (word) => flagAnswer(`--${word}`),
  'a flag in kebab case': (word) =>
    flagAnswer(`--${kebabCase(word)}`).then((said) => said.replaceAll(kebabCase(word), word)),
  'a flag that is switched off': (word) => flagAnswer(`--no-${word}`),
  'the value of a choice': (word) => answer('images', '-o', word),
  'a kind of fault': (word) => answer('fault', 'add', word),
  'a feature gate': (word) =>
    outcomeOf(() => {
      const { settings, ...rest } = readSettings({ featureGates: `${word}=true` }, { CLUSTER_NAME: 'demo' });
      return [[...settings.featureGates], rest];
    }),
  'a variable of the environment': (word) =>
    outcomeOf(() => readSettings({}, { CLUSTER_NAME: 'demo', LOG_LEVEL: word }).settings.logLevel),
  'a field of the scheduler’s configuration': (word) =>
    outcomeOf(() => schedulerConfig(JSON.stringify(Object.fromEntries([[word, 1]])))),
};

describe.each(inheritedWords)('the word %s', (word) => {
  test.each(Object.entries(places))('is like any other word: %s', async (_place, decide) => {
    const { inherited, plain } = await decideForBothWords(word, decide);
    expect(inherited).toBe(plain);
  });
});
