import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyManifests, readManifests } from './manifest-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pool = (name: string, weight?: number) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  ...(weight === undefined ? {} : { spec: { weight } }),
});

test('an object is told with its document where a file has several', () => {
  const path = join(folder, 'two.yaml');
  writeFileSync(path, '{apiVersion: v1, kind: Pod}\n---\n# nothing\n---\n{apiVersion: v1, kind: Pod}\n');
  expect(readManifests([path]).map(({ source }) => source)).toEqual([`${path}: document 1`, `${path}: document 3`]);
});

test('a folder without manifests is an error', () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  expect(() => readManifests([empty])).toThrow('no .yaml, .yml or .json file is in this folder');
});

test('of what is written twice the last counts, and it stands for what a cluster has', () => {
  const other = { ...pool('other'), apiVersion: 'karpenter.sh/v1beta1' };
  expect(applyManifests([pool('a', 1), pool('b'), pool('a', 2)], [pool('a', 3), pool('c'), other])).toEqual([
    pool('a', 2),
    pool('b'),
    pool('c'),
    other,
  ]);
});
