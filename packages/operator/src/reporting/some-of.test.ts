import { expect, test } from 'vitest';
import { printSomeNames } from './some-of.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index + 1}`);

test.each<readonly [number, string]>([
  [0, ''],
  [1, 'n1'],
  [5, 'n1, n2, n3, n4, n5'],
  [6, 'n1, n2, n3, n4, n5 and 1 other(s)'],
  [100, 'n1, n2, n3, n4, n5 and 95 other(s)'],
])('of %d names are printed: %s', (count, text) => expect(printSomeNames(names(count))).toBe(text));
