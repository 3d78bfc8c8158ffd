import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Builds a script the way the command is built, so that what is measured is what runs. @returns its path */
export async function bundled(script: string): Promise<string> {
  const bundle = await rolldown({
    input: script,
    platform: 'node',
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
  });
  const dir = mkdtempSync(join(tmpdir(), 'nodewright-bench-'));
  await bundle.write({ dir, entryFileNames: 'bench.mjs', chunkFileNames: '[name].mjs', format: 'esm', minify: true });
  await bundle.close();
  return join(dir, 'bench.mjs');
}
