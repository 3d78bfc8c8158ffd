import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNodePool, aPod } from '@nodewright/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runSimulation } from './simulate.ts';
import type { SimulateFlags } from './flags.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'problems-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a problem that cannot be read spoils none of the others of its folder', async () => {
  const problem = { instanceTypes: [], nodePools: [aNodePool()], pods: [aPod('p')] };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('a.json', '{"pods": [');
  write('b.json', JSON.stringify({ ...problem, pods: {} }));
  write('c.json', JSON.stringify(problem));
  const out = join(folder, 'out');
  const flags: SimulateFlags = { problem: folder, out, ignorePreferences: false, output: 'json' };
  const told = await runSimulation
    .call({ process: { stdout: process.stdout, stderr: process.stderr } }, flags)
    .catch(String);
  expect(told).toMatch(/^InputError: .*a\.json: .*\n.*b\.json: pods must be a list, not \{\}$/);
  expect(readdirSync(out)).toEqual(['c.json']);
});
