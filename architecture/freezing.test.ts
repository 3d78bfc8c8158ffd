import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packages, root, sources } from './sources.ts';

test('what is frozen holds only what is frozen: two functions freeze objects, each with all that they hold', () => {
  const freezing = packages
    .flatMap((name) => sources(join(root, 'packages', name, 'src')))
    .filter((file) => readFileSync(file, 'utf8').includes('Object.freeze('));
  expect(freezing.map((file) => relative(root, file))).toEqual([
    'packages/kube-api/src/storage/frozen.ts',
    'packages/testkit/src/freezing/freeze-shared.ts',
  ]);
});
