/**
 * Changes sources one place at a time, runs their tests, and lists the changes that no test notices.
 *
 * `npm run mutate -- SOURCE... [--tests PATH ...]`: a source is a file or a folder; its tests are those of its folder,
 * and those under each path. The test of the same name runs first, the others where it notices nothing. No file is written:
 * Vitest gets the changed source in place of the one on disk. What no test can notice is in `equivalent-mutations.ts`, and
 * not tried.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plugin } from 'vite';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { root, sources } from '../architecture/sources.ts';
import { readFlagsAndWords, refuseFlags } from './flags/read-flags.ts';
import { explainEquivalent, listStaleEquivalents } from './equivalent-mutations.ts';
import { listMutations, type Mutation } from './mutations.ts';

type Change = { readonly file: string; readonly text: string };

let change: Change | undefined;

/** A run that takes so many times as long as the one without a mutation does not end. */
const longestRun = 20;

const changedSource: Plugin = {
  name: 'changed-source',
  enforce: 'pre',
  load: (id) => (id === change?.file ? change.text : undefined),
};

const {
  words: targets,
  values: { tests: further },
} = readFlagsAndWords(
  {
    command: 'npm run mutate --',
    words: 'SOURCE...',
    brief: 'Changes sources one place at a time and lists what no test notices.',
  },
  { tests: { value: 'PATH', isList: true, brief: 'further tests, beside those of the folder of a source' } },
);
if (targets.length === 0) refuseFlags('SOURCE is required: a file or a folder');
const files = targets
  .map((path) => resolve(path))
  .flatMap((path) => (statSync(path).isDirectory() ? sources(path) : [path]));
let vitest = await startVitest();
let folder: string | undefined;
let [all, killed, equivalent] = [0, 0, 0];
for (const file of files) {
  // After a run that was broken off Vitest fails test files that it meets for the first time.
  if (folder !== undefined && folder !== dirname(file)) await replaceVitest();
  folder = dirname(file);
  const tests = await vitest.globTestSpecifications([`${dirname(file)}/`, ...further.map((path) => resolve(path))]);
  const began = performance.now();
  if ((await passTests(tests)) !== 'passed') throw new Error(`the tests of ${file} fail without a mutation`);
  const limitMs = longestRun * (performance.now() - began);
  const isOwnTest = (test: TestSpecification): boolean => isTestOf(file, test);
  const inTurn = [tests.filter(isOwnTest), tests.filter((test) => !isOwnTest(test))];
  const name = relative(root, file);
  const source = readFileSync(file, 'utf8');
  const mutations = listMutations(source);
  for (const mutation of mutations) {
    if (explainEquivalent(name, source, mutation) !== undefined) {
      equivalent += 1;
      continue;
    }
    all += 1;
    if (await isNoticed(file, mutation, { inTurn, limitMs })) killed += 1;
    else console.log(`${name}:${mutation.line}  ${mutation.change}`);
  }
  for (const change of listStaleEquivalents(name, source, mutations))
    console.log(`${name}  is no mutation any more: ${change}`);
}
console.log(`${all} mutations, ${killed} noticed, ${all - killed} not; ${equivalent} are equivalent`);
process.exit(0);

function startVitest(): Promise<Vitest> {
  const conditions = ['source'];
  return createVitest(
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
      // A test that is slow on a busy machine has noticed nothing. What does not end is found by `longestRun`.
      testTimeout: 0,
      hookTimeout: 0,
    },
    { resolve: { conditions }, ssr: { resolve: { conditions } }, plugins: [changedSource] },
  );
}

/** `file.test.ts` and `file.story.test.ts` are about `file.ts`. */
function isTestOf(file: string, { moduleId }: TestSpecification): boolean {
  return moduleId.startsWith(file.replace(/\.ts$/, '.')) && moduleId.endsWith('.test.ts');
}

type MutatedRun = {
  /** The second tests run where the first notice nothing. */
  readonly inTurn: readonly TestSpecification[][];
  readonly limitMs: number;
};

async function isNoticed(file: string, { mutated }: Mutation, { inTurn, limitMs }: MutatedRun): Promise<boolean> {
  let outcome: 'passed' | 'failed' | 'endless' = 'passed';
  change = { file, text: mutated };
  for (const tests of inTurn) {
    vitest.invalidateFile(file);
    outcome = await passTests(tests, limitMs);
    if (outcome !== 'passed') break;
  }
  change = undefined;
  if (outcome === 'endless') await replaceVitest();
  vitest.invalidateFile(file);
  return outcome !== 'passed';
}

/** A mutation may make a loop endless: then its worker is given up with the rest of Vitest. */
async function replaceVitest(): Promise<void> {
  await Promise.race([vitest.close(), sleep(10_000)]);
  vitest = await startVitest();
}

async function passTests(tests: TestSpecification[], limitMs?: number): Promise<'passed' | 'failed' | 'endless'> {
  if (tests.length === 0) return 'passed';
  const files = tests.map(({ moduleId }) => moduleId);
  const specifications = await vitest.globTestSpecifications(files);
  const run = vitest.runTestSpecifications(specifications);
  const finished = await (limitMs === undefined ? run : Promise.race([run, sleep(limitMs)]));
  if (finished === undefined) return 'endless';
  const { testModules, unhandledErrors } = finished;
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok()) ? 'passed' : 'failed';
}
