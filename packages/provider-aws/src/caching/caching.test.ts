import { fromTimestamp, instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { batchAnswer, Batcher, batchError } from './batcher.ts';
import { ExpiringCache } from './expiring-cache.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');
const after = (ms: number) => instant(start + ms);
const window = { idleMs: 100, longestMs: 250, largest: 3 };

/** A batcher that doubles numbers and remembers its batches and when they went out. */
function aBatcher() {
  const time = virtualTime(start);
  const batches: { at: number; items: readonly number[] }[] = [];
  const batcher = new Batcher<number, number>(time.clock, window, async (items) => {
    batches.push({ at: time.clock.now() - start, items });
    if (items.includes(13)) throw new Error('unlucky');
    return items.map((item) => (item === 7 ? batchError(new Error('alone')) : batchAnswer(item * 2)));
  });
  return { time, batches, batcher };
}

test('calls made at about the same time go out as one, and each gets its own answer', async () => {
  const { time, batches, batcher } = aBatcher();
  const answers = await time.finish(Promise.all([batcher.add(1), batcher.add(2)]));
  expect(answers).toEqual([2, 4]);
  expect(batches).toEqual([{ at: 100, items: [1, 2] }]);
});

test('a batch waits no longer than its longest time, however much comes in', async () => {
  const { time, batches, batcher } = aBatcher();
  const first = batcher.add(1);
  time.clock.at(after(90), () => void batcher.add(2));
  time.clock.at(after(180), () => void batcher.add(3).catch(() => {}));
  await time.finish(first);
  await time.run(after(1000));
  expect(batches[0]).toEqual({ at: 180, items: [1, 2, 3] });
});

test('a stream of items makes one call in each of the longest times', async () => {
  const { time, batches, batcher } = aBatcher();
  for (let at = 0; at < 10; at += 1) time.clock.at(after(at * 130), () => void batcher.add(20 + at));
  await time.run(after(3_000));
  expect(batches).toEqual([
    ...[0, 1, 2, 3, 4].map((at) => ({ at: 100 + at * 130, items: [20 + at] })),
    { at: 900, items: [25, 26] },
    { at: 1_160, items: [27, 28] },
    { at: 1_420, items: [29] },
  ]);
  void batcher.add(30);
  await time.run(after(4_000));
  expect(batches.at(-1)).toEqual({ at: 3_100, items: [30] });
});

test('a batch that fails fails for everyone in it', async () => {
  const { time, batcher } = aBatcher();
  const outcomes = await time.finish(Promise.allSettled([batcher.add(1), batcher.add(13)]));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('an item of a batch fails alone where the batch says so', async () => {
  const { time, batcher } = aBatcher();
  const outcomes = await time.finish(Promise.allSettled([batcher.add(1), batcher.add(7)]));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('a value is loaded once for all who ask, and again when it has expired', async () => {
  const time = virtualTime(start);
  const cache = new ExpiringCache<number>(time.clock, 60_000);
  let loads = 0;
  const load = async (): Promise<number> => (loads += 1);
  expect(await Promise.all([cache.remember('a', load), cache.remember('a', load)])).toEqual([1, 1]);
  await time.run(after(59_999));
  expect(await cache.remember('a', load)).toBe(1);
  await time.run(after(60_000));
  expect(await cache.remember('a', load)).toBe(2);
});

test('a load that failed is not remembered', async () => {
  const cache = new ExpiringCache<number>(virtualTime(start).clock, 60_000);
  await expect(cache.remember('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.remember('a', async () => 1)).toBe(1);
});

test('a caller who wants a younger value than others do gets one, and the others share it', async () => {
  const time = virtualTime(start);
  const cache = new ExpiringCache<number>(time.clock, 5_000);
  let loads = 0;
  const load = async (): Promise<number> => (loads += 1);
  expect(await cache.remember('key', load)).toBe(1);
  await time.run(after(2_000));
  expect(await cache.remember('key', load)).toBe(1);
  expect(await cache.remember('key', load, 1_000)).toBe(2);
  expect(await cache.remember('key', load, 1_000)).toBe(2);
  expect(await cache.remember('key', load)).toBe(2);
});

test('a value that is kept throws when a test changes it', async () => {
  const cache = new ExpiringCache<string[]>(virtualTime(start).clock, 60_000);
  const kept = await cache.remember('a', async () => ['m5.large']);
  expect(() => kept.push('m5.xlarge')).toThrow(TypeError);
});
