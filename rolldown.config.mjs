import { execFileSync } from 'node:child_process';
import { defineConfig } from 'rolldown';

/** Which build speaks in the logs: the start of its commit id; none outside a checkout. */
function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

export default defineConfig({
  input: { nodewright: 'packages/cli/src/main.ts' },
  platform: 'node',
  transform: { define: { 'process.env.NODEWRIGHT_COMMIT': JSON.stringify(commit()) } },
  // The AWS clients come as modules, so that operations without a caller are left out.
  resolve: { conditionNames: ['source', 'node', 'import', 'default'], mainFields: ['module', 'main'] },
  output: {
    dir: 'packages/cli/dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    cleanDir: true,
    minify: true,
  },
  onLog(level, log, handler) {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    if (level === 'warn') handler('warn', log);
  },
});
