import { expect, test } from 'vitest';
import { limitGroups } from './cell-layout.ts';

test('a view that grows draws the groups from the first one on', () => {
  const groups = [
    ['a', [1, 2, 3]],
    ['b', [4, 5]],
    ['c', [6]],
  ] as const;
  const drawnOf = (count: number) => limitGroups(groups, count).map(([, , drawn]) => drawn);
  expect(drawnOf(2)).toEqual([2, 0, 0]);
  expect(drawnOf(4)).toEqual([3, 1, 0]);
  expect(drawnOf(600)).toEqual([3, 2, 1]);
});
