import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

test('the README shows what the story tells, leaving out only the middle', () => {
  const shown = /<!-- story[^>]*-->\n+```\n([\s\S]*?)\n```/.exec(read('README.md'))?.[1] ?? '';
  const [beginning = '', end = ''] = shown.split('\n\n...\n\n');
  const told = read('scenarios/upgrade-nodes-with-drift.golden.txt').trim();
  expect(beginning).not.toBe('');
  expect(told.startsWith(beginning)).toBe(true);
  expect(told.endsWith(end)).toBe(true);
});

test('the README has two commands for a fresh machine, and no third', () => {
  const commands = [...read('README.md').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1]?.trim());
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
