import { expect, test } from 'vitest';
import { nameCause, spellWords } from './spell-words.ts';

test.each([
  ['rollingOut', 'rolling out'],
  ['doNotDisruptNode', 'do not disrupt node'],
  ['budget', 'budget'],
  ['', ''],
])('%s is spelt as words', (name, words) => {
  expect(spellWords(name)).toBe(words);
});

test('a cause without an object is called by what a person looks for', () => {
  expect(nameCause('doNotDisruptNode')).toBe('annotation do-not-disrupt');
  expect(nameCause('nodePoolNotFound')).toBe('no launches');
  expect(nameCause('protectedPod')).toBe('protected pod');
});
