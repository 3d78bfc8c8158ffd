import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { byText } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { productSources, root } from './sources.ts';

/** ADR 7: what is worked out from an object, or known of it, is kept by these and by nothing else. */
const memos = [
  'packages/apis/src/values/derived.ts',
  'packages/apis/src/values/latest-per-object.ts',
  'packages/apis/src/values/object-notes.ts',
  'packages/apis/src/values/once-per-item.ts',
];

test('weak maps are made by the memos of ADR 7 alone', () => {
  const found = productSources()
    .filter((file) => /new Weak(?:Map|Set)\b/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file));
  expect(found.toSorted(byText)).toEqual(memos);
});
