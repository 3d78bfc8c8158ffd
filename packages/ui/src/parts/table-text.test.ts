import { expect, test } from 'vitest';
import { compareTableValues, formatTsv, matchesFilter } from './table-text.ts';

test('a table is copied with a line for each row, whatever its cells hold', () => {
  expect(
    formatTsv(
      ['Node', 'Pods'],
      [
        ['a\tb\nc', 3],
        [undefined, 0],
      ],
    ),
  ).toBe('Node\tPods\na b c\t3\n\t0');
});

test('numbers are in order of their size, texts in that of byText, and what is absent comes last', () => {
  const sorted = (values: readonly (string | number | undefined)[]) => values.toSorted(compareTableValues);
  expect([10, 9, 100].toSorted(compareTableValues)).toEqual([9, 10, 100]);
  expect(sorted(['b', 'a', 'B'])).toEqual(['B', 'a', 'b']);
  expect([
    compareTableValues(undefined, 1),
    compareTableValues(1, undefined),
    compareTableValues(undefined, undefined),
  ]).toEqual([1, -1, 0]);
});

test('a filter finds rows that have all of its words somewhere', () => {
  const row = ['ip-10-0-1-7', 'NodePool/default', 3];
  expect(['', 'default', 'DEFAULT 10-0', '3'].map((filter) => matchesFilter(row, filter))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(matchesFilter(row, 'default batch')).toBe(false);
});
