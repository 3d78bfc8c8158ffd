import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { parseReleaseDay } from './release-day.ts';

test.each(['v20240828', '20240828'])('%s came out on the day in its name', (release) => {
  expect(parseReleaseDay(release)).toBe(fromTimestamp('2024-08-28T00:00:00Z'));
});

test.each([undefined, '', 'v1.20.4', 'v20241399', 'v202408281', 'xv20240828'])('%s names no day', (release) => {
  expect(parseReleaseDay(release)).toBeUndefined();
});
