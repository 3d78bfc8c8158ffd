import { expect, test } from 'vitest';
import { parseFlags } from './parse-flags.ts';

const usage = { command: 'npm run try --', brief: 'Tries it.' };
const flags = {
  seed: { value: 'S', brief: 'what is drawn from' },
  minutes: { value: 'M', default: '10', brief: 'how long' },
  log: { brief: 'prints each step' },
  file: { value: 'FILE', isList: true, brief: 'what is read' },
} as const;

const parse = (...argv: readonly string[]) => parseFlags(usage, flags, argv);

test('values, defaults, switches and lists are read', () => {
  expect(parse('--seed=7', '--log', '--file', 'a', '--file', 'b')).toEqual({
    kind: 'run',
    values: { seed: '7', minutes: '10', log: true, file: ['a', 'b'] },
    words: [],
  });
  expect(parse()).toEqual({
    kind: 'run',
    values: { seed: undefined, minutes: '10', log: false, file: [] },
    words: [],
  });
});

test('the help has each flag once, with its value and its default', () => {
  expect(parse('--seed', '7', '--help')).toEqual({
    kind: 'help',
    text: [
      'usage: npm run try -- [flags]',
      '  Tries it.',
      '',
      'flags:',
      '  --seed S         what is drawn from',
      '  --minutes M      how long [10]',
      '  --log            prints each step',
      '  --file FILE ...  what is read',
    ].join('\n'),
  });
  expect(parse('-h').kind).toBe('help');
});

test.each([
  [['--sed', '7'], 'unknown flag --sed'],
  [['-s'], 'unknown flag -s'],
  [['--toString'], 'unknown flag --toString'],
  [['--no-log'], 'unknown flag --no-log'],
  [['--seed'], '--seed needs a value: --seed S'],
  [['--seed', '--log'], '--seed needs a value: --seed S'],
  [['--log=yes'], '--log takes no value'],
  [['7'], '"7" is not expected: no words go without a flag'],
])('%j is refused: %s', (argv, complaint) => {
  expect(parse(...argv)).toEqual({ kind: 'refused', complaint });
});

test('words are read where the script takes some', () => {
  expect(parseFlags({ ...usage, words: 'SOURCE...' }, flags, ['a', '--log', 'b'])).toMatchObject({
    kind: 'run',
    words: ['a', 'b'],
    values: { log: true },
  });
});
