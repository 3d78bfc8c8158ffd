import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importPaths, packages, root, sources } from './sources.ts';

type Manifest = { readonly exports?: Readonly<Record<string, { readonly source: string }>> };

/** Where others enter a package: what its manifest exports, and what the command and the page start with. */
function entriesOfPackage(name: string): readonly string[] {
  const folder = join(root, 'packages', name);
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const exported = Object.values(exports).map(({ source }) => join(folder, source));
  return [...exported, join(folder, 'src/main.ts'), join(folder, 'src/main.tsx')].filter((file) => existsSync(file));
}

/** The files of a package that the product runs: what its entries import, and so on. */
function reachableFiles(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const folder = dirname(file);
    for (const path of importPaths(file)) if (path.startsWith('.')) waiting.push(join(folder, path));
  }
  return reached;
}

const product = packages.filter((name) => name !== 'testkit');

test('what only tests import lives in testkit', () => {
  const unreached = product.flatMap((name) => {
    const reached = reachableFiles(entriesOfPackage(name));
    return sources(join(root, 'packages', name, 'src')).filter((file) => !reached.has(file));
  });
  expect(unreached.map((file) => relative(root, file))).toEqual([]);
});

test('no package but testkit has code outside of its sources', () => {
  const strays = product
    .flatMap((name) => sources(join(root, 'packages', name)))
    .map((file) => relative(root, file))
    .filter((file) => !/^packages\/[^/]+\/(src|node_modules|dist)\//.test(file));
  expect(strays).toEqual([]);
});
