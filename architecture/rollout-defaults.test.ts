import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolloutDefaults } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { printRolloutDefault } from './rollout-defaults.ts';
import { root } from './sources.ts';

test('docs/rollouts.md has every default of a policy with its reason', () => {
  const page = readFileSync(join(root, 'docs/rollouts.md'), 'utf8').split('\n');
  const expected = Object.entries(rolloutDefaults).map(([name, each]) => printRolloutDefault(name, each));
  const from = page.findIndex((line) => line.startsWith('| field '));
  const rows = page.slice(from + 2, from + 2 + expected.length).map((line) => line.replaceAll(/ +/g, ' '));
  expect(rows).toEqual(expected);
});
