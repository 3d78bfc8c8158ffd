import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { nextInstancePoll } from './poll.ts';

for (const { now, next } of [
  { now: 0, next: 5_000 },
  { now: 1, next: 5_000 },
  { now: 4_999, next: 5_000 },
  { now: 5_000, next: 10_000 },
]) {
  test(`what is looked at after ${now} ms is looked at again after ${next} ms, with all others`, () => {
    expect(nextInstancePoll(instant(now))).toBe(next);
  });
}
