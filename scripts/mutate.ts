/**
 * Changes sources one place at a time, runs their tests, and lists the changes that no test notices.
 *
 * `npm run mutate -- SOURCE... [--tests PATH...]`: a source is a file or a folder; its tests are those of its folder,
 * and those under the paths. No file is written: Vitest gets the changed source in place of the one on disk.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { sources } from '../architecture/sources.ts';
import { listMutations, type Mutation } from './mutations.ts';

type Change = { readonly file: string; readonly text: string };

let change: Change | undefined;

const changedSource: Plugin = {
  name: 'changed-source',
  enforce: 'pre',
  load: (id) => (id === change?.file ? change.text : undefined),
};

const [targets, further] = splitArguments(process.argv.slice(2));
const files = targets
  .map((path) => resolve(path))
  .flatMap((path) => (statSync(path).isDirectory() ? sources(path) : [path]));
const conditions = ['source'];
const vitest = await createVitest(
  'test',
  {
    config: false,
    watch: false,
    include: ['packages/*/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.process.test.ts'],
    setupFiles: ['packages/testkit/src/freezing/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    reporters: [{}],
    bail: 1,
  },
  { resolve: { conditions }, ssr: { resolve: { conditions } }, plugins: [changedSource] },
);
let [all, killed] = [0, 0];
for (const file of files) {
  const tests = await vitest.globTestSpecifications([`${dirname(file)}/`, ...further.map((path) => resolve(path))]);
  if (!(await passTests(vitest, tests))) throw new Error(`the tests of ${file} fail without a mutation`);
  for (const mutation of listMutations(readFileSync(file, 'utf8'))) {
    all += 1;
    if (await isNoticed(file, mutation, tests)) killed += 1;
    else console.log(`${relative('.', file)}:${mutation.line}  ${mutation.change}`);
  }
}
console.log(`${all} mutations, ${killed} noticed, ${all - killed} not`);
await vitest.close();
process.exit(0);

async function isNoticed(file: string, { mutated }: Mutation, tests: TestSpecification[]): Promise<boolean> {
  change = { file, text: mutated };
  vitest.invalidateFile(file);
  const isUnnoticed = await passTests(vitest, tests);
  change = undefined;
  vitest.invalidateFile(file);
  return !isUnnoticed;
}

async function passTests(runner: Vitest, tests: TestSpecification[]): Promise<boolean> {
  if (tests.length === 0) return true;
  const { testModules, unhandledErrors } = await runner.runTestSpecifications(tests);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
}

function splitArguments(given: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = given.indexOf('--tests');
  return at === -1 ? [given, []] : [given.slice(0, at), given.slice(at + 1)];
}
