import { expect, test } from 'vitest';
import { spellWords } from './spell-words.ts';

test.each([
  ['rollingOut', 'rolling out'],
  ['doNotDisruptNode', 'do not disrupt node'],
  ['budget', 'budget'],
  ['', ''],
])('%s is spelt as words', (name, words) => {
  expect(spellWords(name)).toBe(words);
});
