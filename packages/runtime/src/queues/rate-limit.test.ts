import { instant } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jitteredBackoff } from './backoff.ts';
import { seededRandom } from '../seeded-random.ts';
import { exponentialBackoff, slowestOf, tokenBucket } from './rate-limit.ts';

test('a key waits twice as long each time, up to the limit, until it is forgotten', () => {
  const limit = exponentialBackoff({ baseMs: 1000, maxMs: 60_000 });
  const delays = Array.from({ length: 8 }, () => limit.delayMs('a'));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(limit.delayMs('b')).toBe(1000);
  limit.forget('a');
  expect(limit.delayMs('a')).toBe(1000);
});

test('a bucket gives its burst at once and then one per interval', () => {
  let now = 0;
  const bucket = tokenBucket({ now: () => instant(now) }, { perSecond: 10, burst: 3 });
  const delays = Array.from({ length: 5 }, () => bucket.delayMs('any'));
  expect(delays).toEqual([0, 0, 0, 100, 200]);
  now = 10_000;
  expect(Array.from({ length: 4 }, () => bucket.delayMs('any'))).toEqual([0, 0, 0, 100]);
});

test('a bucket never lets through more than burst and rate allow', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 50 }), (pauses) => {
      let now = 0;
      const bucket = tokenBucket({ now: () => instant(now) }, { perSecond: 5, burst: 2 });
      const released = pauses.map((pause) => {
        now += pause;
        return now + bucket.delayMs('any');
      });
      for (const [index, at] of released.entries()) {
        const since = released[index - 2] ?? Number.NEGATIVE_INFINITY;
        expect(at - since).toBeGreaterThanOrEqual(200 - 1e-6);
      }
    }),
  );
});

test('the slowest of several limits decides, and all are forgotten together', () => {
  const limit = slowestOf(
    exponentialBackoff({ baseMs: 10, maxMs: 100 }),
    exponentialBackoff({ baseMs: 40, maxMs: 50 }),
  );
  expect([1, 2, 3, 4].map(() => limit.delayMs('a'))).toEqual([40, 50, 50, 80]);
  limit.forget('a');
  expect(limit.delayMs('a')).toBe(40);
});

test('a jittered delay stays between the doubled base and twice that, and below twice the maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer(), (failures, seed) => {
      const delay = jitteredBackoff(failures, { baseMs: 800, maxMs: 30_000 }, seededRandom(seed));
      const least = Math.min(800 * 2 ** Math.min(failures - 1, 52), 30_000);
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThan(2 * least);
    }),
  );
});
