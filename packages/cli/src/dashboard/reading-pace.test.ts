import { minutes, seconds } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { attendedPace, restAfterReading, unattendedPace } from './reading-pace.ts';

test.each([
  { reading: 'of a small cluster', readingMs: 20, attended: seconds(1), unattended: seconds(10) },
  { reading: 'of a large one', readingMs: seconds(2), attended: seconds(8), unattended: seconds(40) },
  { reading: 'that AWS did not answer', readingMs: minutes(9), attended: seconds(15), unattended: minutes(1) },
])('the rest after a reading $reading', ({ readingMs, attended, unattended }) => {
  expect(restAfterReading(readingMs, attendedPace)).toBe(attended);
  expect(restAfterReading(readingMs, unattendedPace)).toBe(unattended);
});
