import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolloutDefaults } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { printRolloutDefault } from './rollout-defaults.ts';
import { root } from './sources.ts';

test('docs/rollouts.md has every default of a policy with its reason', () => {
  const page = readFileSync(join(root, 'docs/rollouts.md'), 'utf8');
  const section = page.slice(page.indexOf('## Defaults')).replaceAll(/\s+/g, ' ');
  const missing = Object.entries(rolloutDefaults)
    .map(([name, each]) => printRolloutDefault(name, each))
    .filter((line) => !section.includes(line));
  expect(missing).toEqual([]);
});
