import { defineConfig } from 'vitest/config';
import { inProcess, resolve, ssr } from './vitest.config.ts';

/** The tests of `npm run test:quick`: those that live through no story and try no thousands of cases. */
export default defineConfig({
  resolve,
  ssr,
  test: {
    ...inProcess,
    exclude: [...inProcess.exclude, 'scenarios/**', '**/*.{story,laws}.test.ts'],
    maxWorkers: '100%',
    // What is loaded is kept from run to run.
    experimental: { fsModuleCache: true },
  },
});
