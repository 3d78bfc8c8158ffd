import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invariants } from './invariants.ts';

const [guide = ''] = readFileSync(join(import.meta.dirname, '../../../../docs/invariants.md'), 'utf8').split('\n## ');

test('the documentation lists the invariants with their sentences, in order', () => {
  const listed = [...guide.matchAll(/^- `([a-z-]+)`: ((?:.+\n(?: {2}.+\n)*))/gm)].map(([, id, text = '']) => [
    id,
    text.replaceAll(/\s+/g, ' ').trim(),
  ]);
  expect(listed).toEqual(invariants.map(({ id, sentence }) => [id, sentence]));
});

test('an id names one invariant', () => {
  const ids = invariants.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
