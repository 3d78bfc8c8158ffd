import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export const resolve = { conditions: ['source'] };
export const ssr = { resolve: { conditions: ['source'] } };

/** In continuous integration the totals are also left in a file, for the closing line. */
const reporters =
  process.env['CI'] === undefined ? ['default'] : ['default', ['json', { outputFile: 'test-results.json' }]];

/**
 * A test ends by an event, never by the time it took: these limits only keep a test that hangs from hanging for ever. They
 * are long, because the machine may be slow and busy with other work.
 */
const safetyNet = { testTimeout: 1_200_000, hookTimeout: 1_200_000 };

const processes = ['packages/*/src/**/*.process.test.ts', 'scenarios/**/*.process.test.ts'];

/** Those that take longest of their project come first, so that no worker is left alone with one at the end. */
const longestFirst = [
  /kills|walkthrough|node-group|by-hand|page|sandbox-command|two-ways|rollouts\/incidents|calls\.test|throttling/,
  /\/scenarios\//,
  /\.(?:story|laws)\.test\.ts$/,
  /./,
];

const rankOf = ({ moduleId }: TestSpecification): number => longestFirst.findIndex((files) => files.test(moduleId));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** What is watched or cached is frozen in tests, so that a change in place throws. See ADR 7. */
const setupFiles = ['packages/testkit/src/freezing/setup.ts'];

/** Worlds of one process on virtual time share nothing but the modules, which each worker loads once. */
export const inProcess = {
  include: ['{packages/*/src,architecture,bench,scripts,scenarios}/**/*.test.ts'],
  exclude: ['**/node_modules/**', ...processes],
  pool: 'threads' as const,
  isolate: false,
  setupFiles,
  ...safetyNet,
};

export default defineConfig({
  test: {
    reporters: reporters as ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'process',
          include: processes,
          pool: 'forks',
          isolate: false,
          setupFiles,
          ...safetyNet,
          // They wait for their processes half of the time: more workers keep the processors busy.
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        ssr,
        test: { ...inProcess, name: 'in-process', maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } },
      },
    ],
  },
});
