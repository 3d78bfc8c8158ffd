#!/usr/bin/env node
/**
 * Builds the documentation of this version: `npm run site [-- --version V] [--base /docs/] [--out FOLDER] [--sources URL]`.
 * Versions that lie in the folder already stay there. See docs/site.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFlags } from './flags/read-flags.ts';
import { readRelease } from './release/release-files.ts';
import { buildSite } from './site/build-site.ts';

const root = join(import.meta.dirname, '..');
const release = readRelease(root);
const values = readFlags(
  { command: 'npm run site --', brief: 'Builds the documentation of this version, beside the versions from before.' },
  {
    version: {
      value: 'VERSION',
      default: release.version,
      brief: 'the folder of this version, and its name in the list',
    },
    base: { value: 'PATH', default: '/', brief: 'the path under which the server has the folder' },
    out: { value: 'FOLDER', default: 'site/dist', brief: 'the folder, with the versions from before' },
    sources: { value: 'URL', brief: 'where the files of this version can be read' },
  },
);

if (!existsSync(join(root, 'site/node_modules/vitepress'))) {
  console.log('installing the generator into site/node_modules, about 100 MB');
  execFileSync('npm', ['ci', '--silent'], { cwd: join(root, 'site'), stdio: 'inherit' });
}
try {
  const out = resolve(root, values.out);
  const { pages, folder, latest } = buildSite({
    ...values,
    sources: values.sources ?? '',
    root,
    out,
    builtAt: release.createdAt,
  });
  console.log(
    `${pages} pages in ${folder}; latest is ${latest}\nserve ${out} as ${values.base} with any server of files`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
