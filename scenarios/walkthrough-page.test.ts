import { expect, test } from 'vitest';
import { differsFromPage, readPageSteps } from './support/walkthrough-page.ts';

test('a page is read as commands, each with what is shown and how it ends', () => {
  const page =
    'Type\n\n```sh\none\ntwo\n```\n\nand see\n\n```\nA B\n```\n\n```yaml\na: b\n```\n\n```sh status=1\nthree\n```\n';
  expect(readPageSteps(page)).toEqual([
    { commands: 'one\ntwo\n', shown: 'A B\n', status: 0 },
    { commands: 'three\n', status: 1 },
  ]);
});

test.each([
  { shown: 'NAME  AGE\na-... 5s', output: 'NAME     AGE\na-17     5s\n', differs: false },
  { shown: 'NAME  AGE\na-... 5s', output: 'NAME     AGE\nb-17     5s\n', differs: true },
  { shown: 'one', output: 'one\ntwo\n', differs: true },
  { shown: 'one\n...', output: 'one\ntwo\nthree\n', differs: false },
  { shown: '...\nlast', output: 'last\n', differs: false },
  { shown: 'a.c', output: 'abc\n', differs: true },
])('a page that shows $shown and a command that prints $output: $differs', ({ shown, output, differs }) => {
  expect(differsFromPage(shown, output)).toBe(differs);
});
