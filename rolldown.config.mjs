import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'rolldown';

const root = import.meta.dirname;

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

const onLog = (level, log, handler) => {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
  if (level === 'warn') handler('warn', log);
};

const packageFolder = /.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;

/** Lists the packages whose code is in the bundle, as package-lock.json names their folders. The SBOM and the licences follow it. */
const bundledPackages = {
  name: 'bundled-packages',
  generateBundle(options, bundle) {
    const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
    const folders = modules.flatMap((id) => packageFolder.exec(id)?.[0] ?? []);
    const names = [...new Set(folders.map((folder) => relative(root, folder).replaceAll('\\', '/')))].toSorted(
      (a, b) => Number(a > b) - Number(a < b),
    );
    this.emitFile({
      type: 'asset',
      fileName: 'bundled-packages.json',
      source: `${JSON.stringify(names, undefined, 2)}\n`,
    });
  },
};

const command = defineConfig({
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
  plugins: [bundledPackages],
  onLog,
});

/** The files that the page needs beside its script. */
const pageFiles = {
  name: 'page-files',
  generateBundle() {
    for (const fileName of ['index.html', 'page.css'])
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`packages/ui/src/${fileName}`) });
  },
};

/** What `nodewright ui` serves. Built after the command, which empties the folder. */
const page = defineConfig({
  input: { page: 'packages/ui/src/main.tsx' },
  platform: 'browser',
  tsconfig: 'packages/ui/tsconfig.json',
  resolve: { conditionNames: ['source', 'import', 'browser', 'default'] },
  // Of a package that defines schemas and types of a whole cluster, the page needs how texts are ordered.
  treeshake: { moduleSideEffects: false },
  plugins: [pageFiles, bundledPackages],
  output: { dir: 'packages/cli/dist/page', format: 'esm', entryFileNames: '[name].js', minify: true },
  onLog,
});

export default [command, page];
