import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const mostLines = 400;

/** Files that are longer still. A file that was shortened leaves the list; none is added. */
const longFiles = new Set<string>();

const folders = ['architecture', 'bench', 'packages', 'scenarios', 'scripts'];

test(`a file has ${mostLines} lines at the most`, () => {
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.generated)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/') && !file.includes('/dist/'));
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > mostLines);
  expect(new Set(long.map((file) => relative(root, file)))).toEqual(longFiles);
});
