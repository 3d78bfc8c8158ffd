import { expect, test } from 'vitest';
import { formatUtc } from './format-utc.ts';

for (const { at, printed } of [
  { at: '2024-09-03T20:30:59Z', printed: '2024-09-03 20:30 UTC' },
  { at: '2024-09-03T23:30:00.5-02:00', printed: '2024-09-04 01:30 UTC' },
]) {
  test(`${at} is ${printed}`, () => expect(formatUtc(at)).toBe(printed));
}
