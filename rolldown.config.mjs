import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { nodewright: 'packages/cli/src/main.ts' },
  platform: 'node',
  resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
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
