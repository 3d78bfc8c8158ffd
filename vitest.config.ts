import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'] } };

/** In continuous integration the totals are also left in a file, for the closing line. */
const reporters =
  process.env['CI'] === undefined ? ['default'] : ['default', ['json', { outputFile: 'test-results.json' }]];

export default defineConfig({
  test: {
    reporters: reporters as ['default'],
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
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'process',
          include: ['packages/*/src/**/*.process.test.ts', 'scenarios/**/*.process.test.ts'],
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
