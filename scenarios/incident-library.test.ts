import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { playScenario, prepareScenario, readScenarios } from '@nodewright/scenario-files';
import { expect, test } from 'vitest';

const library = fileURLToPath(new URL('../examples/incidents', import.meta.url));
const files = readdirSync(library).filter((name) => name.endsWith('.yaml'));

const paper = readFileSync(fileURLToPath(new URL('../docs/incidents.md', import.meta.url)), 'utf8');

/** Every case of a file, with its manifests read. */
const casesOf = (name: string) => {
  const file = join(library, name);
  return readScenarios(file, readFileSync(file, 'utf8')).flatMap((scenario) =>
    scenario.cases.map((played) => prepareScenario(scenario, played, { standardInput: () => '' })),
  );
};

/** Plays one case of a file. @returns what has failed */
async function playCase(name: string, title = ''): Promise<string | undefined> {
  const prepared = casesOf(name).find((each) => each.case.name === title);
  if (prepared === undefined) throw new Error(`${name} has no case "${title}"`);
  return (await playScenario(prepared, { seed: 1 })).failure?.message;
}

test('every file of the library can be played, and begins with the incident that it is named after', () => {
  const names = files.map((name) => casesOf(name)[0]?.scenario.name.split(':')[0]);
  expect(names).toEqual(files.map((name) => name.replace('.yaml', '')));
});

test('docs/incidents.md names the file of every incident', () => {
  expect(files.filter((name) => !paper.includes(`[${name}](../examples/incidents/${name})`))).toEqual([]);
});

test('a policy is the guard of an incident: without one it happens', () => {
  const cases = files
    .map((name) => casesOf(name).map((prepared) => prepared.case.name))
    .filter(({ length }) => length > 1);
  expect(cases.length).toBeGreaterThan(0);
  for (const [first] of cases) expect(first).toBe('without a policy');
});

test('R12 ends without endpoints where nothing protects them, and keeps one where a policy does', async () => {
  expect(await playCase('R12.yaml', 'without a policy')).toBeUndefined();
  expect(await playCase('R12.yaml', 'with nothing but protect.lastEndpoint')).toBeUndefined();
});

test('R29 ends with all nodes as they were', async () => {
  expect(await playCase('R29.yaml')).toBeUndefined();
});
