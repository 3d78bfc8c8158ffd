import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'] } };

/** In continuous integration the totals are also left in a file, for the closing line. */
const reporters =
  process.env['CI'] === undefined ? ['default'] : ['default', ['json', { outputFile: 'test-results.json' }]];

/**
 * A test ends by an event, never by the time it took: these limits only keep a test that hangs from hanging for ever. They
 * are long, because the machine may be slow and busy with other work.
 */
const safetyNet = { testTimeout: 1_200_000, hookTimeout: 1_200_000 };

export default defineConfig({
  test: {
    reporters: reporters as ['default'],
    maxWorkers: availableParallelism(),
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scenarios/**/*.test.ts', 'architecture/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.process.test.ts'],
          pool: 'threads',
          isolate: false,
          ...safetyNet,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'process',
          include: ['packages/*/src/**/*.process.test.ts', 'scenarios/**/*.process.test.ts'],
          pool: 'forks',
          ...safetyNet,
        },
      },
    ],
  },
});
