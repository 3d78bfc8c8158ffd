import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>>;

const manifests = [
  'package.json',
  'site/package.json',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
].map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest);

const asked = new Set(
  manifests
    .flatMap(({ dependencies = {}, devDependencies = {} }) => Object.entries({ ...dependencies, ...devDependencies }))
    .filter(([name]) => !name.startsWith('@nodewright/')),
);

test('every dependency is pinned to one version', () => {
  expect([...asked].filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('docs/dependencies.md says of every dependency what it is for', () => {
  const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const listed = [...page.matchAll(/^\| ([@a-z][^|]*?) +\|/gm)].flatMap(([, names = '']) => names.split(', '));
  const names = new Set([...asked].map(([name]) => name));
  expect(listed.filter((name) => name !== 'package').toSorted()).toEqual([...names].toSorted());
});
