import { expect, test } from 'vitest';
import { parseGroupUpdate } from './parse-group-update.ts';

test.each([
  ['workers', { group: 'workers' }],
  ['workers=1.31.2-20250212', { group: 'workers', release: '1.31.2-20250212' }],
  ['a_b-9=x=y', { group: 'a_b-9', release: 'x=y' }],
])('%s is a group, with a release where one is named', (text, update) => {
  expect(parseGroupUpdate(text)).toEqual(update);
});

test.each(['', '-workers', 'workers=', '=1.31.2', 'two words', 'workers=a b'])('"%s" is refused', (text) => {
  expect(() => parseGroupUpdate(text)).toThrow(
    `must be the name of a managed node group, or NAME=RELEASE, not "${text}"`,
  );
});
