import { expect, test } from 'vitest';
import { findUnsafeKeys } from './unsafe-keys.ts';

test('one file reads and writes members by words of users; no other source can find what an object inherits', () => {
  const home = 'packages/apis/src/values/own-property.ts';
  const found = findUnsafeKeys();
  // The search is exercised: it finds the reads and writes of the file that may have them.
  expect(found.filter((place) => place.startsWith(home))).toHaveLength(2);
  expect(found.filter((place) => !place.startsWith(home))).toEqual([]);
});
