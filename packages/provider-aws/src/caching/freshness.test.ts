import { instant, type Instant, minutes, byNumber } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpiringCache } from './expiring-cache.ts';
import { type AnswerNews, Freshness } from './freshness.ts';

const lengthMs = minutes(120);

/** An account whose only fact is how often it has changed: at some instants by somebody, at others because time passes. */
function anAccount(changes: readonly number[], timed: readonly number[]) {
  const time = virtualTime(instant(0));
  const handlers: (() => void)[] = [];
  let isSteady = true;
  const news: AnswerNews = {
    onChange: (handler) => void handlers.push(handler),
    nextChange: (since) => timed.map(instant).filter((at) => at > since)[0],
    isSteady: () => isSteady,
  };
  for (const at of changes) time.clock.at(instant(at), () => handlers.forEach((handler) => handler()));
  return {
    time,
    news,
    fact: (): number => [...changes, ...timed].filter((at) => at <= time.clock.now()).length,
    lag: (): void => {
      isSteady = false;
    },
  };
}

/** What a reader sees who asks every minute through a cache, and how often the account was asked. */
async function readingsOf(changes: readonly number[], timed: readonly number[], maxAgeMs: number, isTold: boolean) {
  const { time, news, fact } = anAccount(changes, timed);
  const cache = new ExpiringCache<number>(
    time.clock,
    minutes(60),
    new Freshness(time.clock, isTold ? news : undefined),
  );
  const readings: number[] = [];
  let asked = 0;
  const ask = async (): Promise<number> => {
    asked += 1;
    return fact();
  };
  for (let at = 0; at <= lengthMs; at += minutes(1)) {
    await time.run(instant(at));
    readings.push(await cache.remember('fact', ask, maxAgeMs));
  }
  return { readings, asked };
}

/** Between two readings. */
const instants = fc
  .array(fc.nat(lengthMs / 1_000), { maxLength: 6 })
  .map((all) => all.map((at) => at * 1_000 + 1).toSorted(byNumber));

test('a reader who is told of changes reads the same as one who is not, and asks at most twice for each change', async () => {
  await fc.assert(
    fc.asyncProperty(instants, instants, fc.integer({ min: 1, max: 60 }), async (changes, timed, age) => {
      const told = await readingsOf(changes, timed, minutes(age), true);
      expect(told.readings).toEqual((await readingsOf(changes, timed, minutes(age), false)).readings);
      expect(told.asked).toBeLessThanOrEqual(1 + 2 * (changes.length + timed.length));
    }),
    { numRuns: 25 },
  );
});

test('answers are steady until one from before a change ends, and until time changes them', async () => {
  const { time, news } = anAccount([30_001], [minutes(90)]);
  const freshness = new Freshness(time.clock, news);
  const until = (topics?: 'market'): Instant | undefined => freshness.steadyUntil(topics && [topics]);
  await time.run(instant(30_000));
  const before = freshness.version();
  expect([freshness.isGood(instant(0), minutes(5)), until()]).toEqual([true, minutes(90)]);
  await time.run(instant(60_000));
  expect([freshness.version(), freshness.isGood(instant(0), minutes(5)), until()]).toEqual([
    before + 1,
    true,
    minutes(5),
  ]);
  expect(until('market')).toBe(minutes(90));
  expect(freshness.isGood(instant(40_000), minutes(1))).toBe(true);
  await time.run(instant(minutes(6)));
  expect([freshness.isGood(instant(0), minutes(5)), until()]).toEqual([false, minutes(90)]);
  await time.run(instant(minutes(91)));
  expect([freshness.version(), until()]).toEqual([before + 2, undefined]);
});

test('nobody can tell while descriptions lag behind: answers age as over the network', async () => {
  const { time, news, lag } = anAccount([], []);
  const freshness = new Freshness(time.clock, news);
  lag();
  await time.run(instant(minutes(5)));
  expect([freshness.isGood(instant(0), minutes(6)), freshness.isGood(instant(0), minutes(5))]).toEqual([true, false]);
  expect(freshness.steadyUntil()).toBe(minutes(5));
});

test('of many changes in a row none is missed', async () => {
  const changes = Array.from({ length: 50 }, (_, index) => 60_000 + index * 100);
  const { time, news } = anAccount(changes, []);
  const freshness = new Freshness(time.clock, news);
  await time.run(instant(minutes(10)));
  for (const since of [0, 60_050, 61_250, 64_850]) expect(freshness.isGood(instant(since), 10_000)).toBe(false);
  expect(freshness.isGood(instant(64_950), 10_000)).toBe(true);
});
