import { expect, test } from 'vitest';
import { ambiguousShare, declarations, oneWordFunctions, repeatedNames } from './names.ts';

/** Every controller and plan has these, so they tell a reader the same thing everywhere. */
const houseWords = new Set(['observe', 'plan', 'perform', 'report']);

/** Single words that stay, each with its reason. The list only shrinks. */
const reasonsOfWords: Readonly<Record<string, readonly string[]>> = {
  'a schema is written as a tree of these, as in other languages for schemas': [
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
  ],
  'a length of time is read as a number with its unit: minutes(5)': ['days', 'hours', 'minutes', 'seconds'],
  'the one constructor of the type of the same name': ['instant'],
  'the adjective is the whole question: the earliest of these instants': ['earliest', 'latest'],
};
const wordsWithReason = new Set(Object.values(reasonsOfWords).flat());

const all = declarations();

test('an exported name exists once', () => {
  const repeated = [...repeatedNames(all.filter(({ isExported }) => isExported)).keys()];
  expect(repeated.filter((name) => !houseWords.has(name))).toEqual([]);
});

test('an exported function has a name of more than one word, or the word has a reason', () => {
  const single = new Set(oneWordFunctions(all).map(({ name }) => name));
  expect([...single].filter((name) => !houseWords.has(name) && !wordsWithReason.has(name))).toEqual([]);
  expect([...wordsWithReason].filter((name) => !single.has(name))).toEqual([]);
});

test('few declarations share their name with one in another file', () => {
  expect(ambiguousShare(all)).toBeLessThan(0.037);
});
