import { expect, test } from 'vitest';
import { ambiguousShare, declarations, oneWordFunctions, repeatedNames } from './names.ts';

/** Every controller and plan has these, so they tell a reader the same thing everywhere. */
const houseWords = new Set(['observe', 'plan', 'perform', 'report']);

/** The parts of a schema and lengths of time read as words of a small language. */
const schemaWords = [
  'choice',
  'flag',
  'integer',
  'list',
  'object',
  'optional',
  'quantity',
  'rule',
  'text',
  'timestamp',
];
const timeWords = ['days', 'earliest', 'hours', 'instant', 'latest', 'minutes', 'seconds'];
const smallLanguages = new Set([...schemaWords, ...timeWords]);

const all = declarations();

test('an exported name exists once', () => {
  const repeated = [...repeatedNames(all.filter(({ isExported }) => isExported)).keys()];
  expect(repeated.filter((name) => !houseWords.has(name))).toEqual([]);
});

test('an exported function has a name of more than one word', () => {
  const single = new Set(oneWordFunctions(all).map(({ name }) => name));
  expect([...single].filter((name) => !houseWords.has(name) && !smallLanguages.has(name))).toEqual([]);
});

test('few declarations share their name with one in another file', () => {
  expect(ambiguousShare(all)).toBeLessThan(0.037);
});
