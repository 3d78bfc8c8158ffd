import { generateHelpTextForAllCommands, run } from '@stricli/core';
import { expect, test } from 'vitest';
import { createApplication } from '../app.ts';
import { currentFlagName } from '../terminal/earlier-flags.ts';
import { commandExamples } from './command-examples.ts';
import { mapCommands } from './map-commands.ts';

const help = new Map(generateHelpTextForAllCommands(createApplication));

test('every command has an example, and its help shows it', () => {
  const names = [...help.keys()].map((name) => name.replace('nodewright ', ''));
  expect(Object.keys(commandExamples).toSorted()).toEqual(names.toSorted());
  for (const [name, [first]] of Object.entries(commandExamples))
    expect(help.get(`nodewright ${name}`)).toContain(`EXAMPLES\n  ${first}\n`);
});

test('a list of commands names the flags that each one needs, and its arguments', async () => {
  const printed = { text: '' };
  const stdout = { write: (text: string) => (printed.text += text) };
  await run(createApplication, ['--help'], { process: { stdout, stderr: stdout } });
  expect(printed.text).toContain('\n  nodewright forecast [FLAGS]\n');
  expect(printed.text).toContain('\n  nodewright preflight (--kubernetes-version value) [FLAGS]\n');
  expect(printed.text).toContain('\n  nodewright resume [FLAGS] [<name>]\n');
  expect(printed.text).toContain('\n  nodewright rollout list|status|');
  expect(printed.text.match(/\[--/g)).toBeNull();
});

/** The words of the first `nodewright` of a line in a shell. */
function wordsOf(example: string): readonly string[] {
  const line = /nodewright ([^|>)]*)/.exec(example)?.[1] ?? '';
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Routes an example to its command and reads its flags and arguments, without doing what it says. */
async function parseExample(example: string): Promise<{ readonly reached: string; readonly complaint: string }> {
  const seen = { reached: '', complaint: '' };
  const { root } = createApplication;
  if (!('getAllEntries' in root)) throw new Error('the application has no routes');
  const recorded = mapCommands(root, (command, path) => ({
    ...command,
    loader: async () => () => {
      seen.reached = path.join(' ');
    },
  }));
  const stderr = { write: (text: string) => (seen.complaint += text) };
  const process = { stdout: { write: () => undefined }, stderr };
  await run({ ...createApplication, root: recorded }, wordsOf(example).map(currentFlagName), { process });
  return seen;
}

for (const [name, examples] of Object.entries(commandExamples))
  test(`nodewright ${name} takes its examples`, async () => {
    for (const example of examples) expect(await parseExample(example)).toEqual({ reached: name, complaint: '' });
  });
