#!/usr/bin/env node
/**
 * Builds the documentation of this version: `npm run site [-- --version V] [--base /docs/] [--out FOLDER] [--sources URL]`.
 * Versions that lie in the folder already stay there. See docs/site.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readRelease } from './release/release-files.ts';
import { buildSite } from './site/build-site.ts';

const root = join(import.meta.dirname, '..');
const release = readRelease(root);
const { values } = parseArgs({
  options: {
    version: { type: 'string', default: release.version },
    base: { type: 'string', default: '/' },
    out: { type: 'string', default: join(root, 'site/dist') },
    sources: { type: 'string', default: '' },
  },
});

if (!existsSync(join(root, 'site/node_modules/vitepress'))) {
  console.log('installing the generator into site/node_modules, about 100 MB');
  execFileSync('npm', ['ci', '--silent'], { cwd: join(root, 'site'), stdio: 'inherit' });
}
try {
  const out = resolve(values.out);
  const { pages, folder, latest } = buildSite({ ...values, root, out, builtAt: release.createdAt });
  console.log(
    `${pages} pages in ${folder}; latest is ${latest}\nserve ${out} as ${values.base} with any server of files`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
