import { byNumber } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { parseIndexes, printIndexes } from './index-ranges.ts';

const cases: readonly [readonly number[], string][] = [
  [[], ''],
  [[3], '3'],
  [[0, 1], '0,1'],
  [[4, 2, 3, 0], '0,2-4'],
  [[10, 11, 12, 20], '10-12,20'],
];

for (const [indexes, text] of cases) {
  test(`indexes ${indexes.join(' ') || 'of nothing'} are written "${text}", and read again`, () => {
    expect(printIndexes(indexes)).toBe(text);
    expect([...parseIndexes(text)]).toEqual(indexes.toSorted(byNumber));
  });
}
