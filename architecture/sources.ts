import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The TypeScript files under a folder that are no tests. */
export const sources = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** What a file imports or hands on: group 2 is there for types alone, the path is in group 3, of a lazy import in group 4. */
export const specifiers =
  /(import|export)(\s+type)?\s[^'"`;]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** What a file imports or hands on, as written. */
export const importPaths = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(specifiers)].map((match) => match[3] ?? match[4] ?? '');

export const packages = readdirSync(join(root, 'packages'));

/** What is no package: programs of the repository, benches, and what scenarios and these tests share. */
export const workshopSources = (): readonly string[] =>
  ['architecture', 'bench', 'scenarios', 'scripts'].flatMap((folder) => sources(join(root, folder)));

/** Every test of the repository. */
export const testSources = (): readonly string[] =>
  ['architecture', 'bench', 'packages', 'scenarios', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );

/** The sources of every package: no tests, nothing generated. */
export const productSources = (): readonly string[] =>
  packages
    .flatMap((name) => sources(join(root, 'packages', name, 'src')))
    .filter((file) => !file.endsWith('.generated.ts'));
