import { instant, byNumberOf } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { followedTime } from './followed-time.ts';
import type { ClockStatus } from './scaled-time.ts';
import type { Wall } from './wall.ts';

/** A wall whose time passes by hand. */
function handWall(): { readonly wall: Wall; readonly pass: (ms: number) => Promise<void> } {
  let now = 0;
  let alarms: { readonly due: number; readonly ring: () => void }[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  };
  return {
    wall: {
      now: () => now,
      turn,
      after: (ms, ring) => {
        const alarm = { due: now + ms, ring };
        alarms = [...alarms, alarm];
        return { cancel: () => (alarms = alarms.filter((other) => other !== alarm)) };
      },
    },
    pass: async (ms) => {
      const until = now + ms;
      for (;;) {
        const [next] = alarms.toSorted(byNumberOf(({ due }) => due));
        if (next === undefined || next.due > until) break;
        alarms = alarms.filter((other) => other !== next);
        now = Math.max(now, next.due);
        next.ring();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

const start = 1_000_000;

type Asked = { readonly next: number | undefined; readonly answer: (status: Partial<ClockStatus>) => void };

/** A clock that follows one that the test answers for. */
async function following(first: Partial<ClockStatus> = {}) {
  let status: ClockStatus = { now: instant(start), speed: 10, paused: false, ...first };
  const hand = handWall();
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  let isGone = false;
  const time = await followedTime({
    read: async () => status,
    follow: (next, signal) =>
      isGone
        ? Promise.reject(new Error('gone'))
        : new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('asked anew')));
            const answer = (change: Partial<ClockStatus>): void => {
              status = { ...status, ...change };
              resolve(status);
            };
            asked.push({ next: next === undefined ? undefined : next - start, answer });
          }),
    onFailure: (failure) => void failures.push(failure),
    wall: hand.wall,
  });
  await hand.pass(0);
  return {
    ...hand,
    time,
    asked,
    failures,
    leave: () => (isGone = true),
    /** The other clock answers what it was asked last. */
    answer: async (change: Partial<ClockStatus>) => {
      asked.at(-1)?.answer(change);
      await hand.pass(0);
    },
  };
}

test('passes as fast as the other clock', async () => {
  const { time, pass, answer } = await following();
  await pass(50);
  expect(time.clock.now()).toBe(start + 500);
  await answer({ speed: 100, now: instant(start + 1000) });
  await pass(50);
  expect(time.clock.now()).toBe(start + 1000 + 5000);
  time.stop();
});

test('stands still while the other clock is paused', async () => {
  const { time, pass } = await following({ paused: true });
  await pass(90);
  expect(time.clock.now()).toBe(start);
  time.stop();
});

test('fires every timer on the way to the instant that the other clock tells, and then says what is next', async () => {
  const { time, answer, asked } = await following({ paused: true });
  const fired: number[] = [];
  for (const ms of [60_000, 10_000, 4_000_000])
    time.clock.at(instant(start + ms), () => fired.push(time.clock.now() - start));
  await answer({ now: instant(start + 3_600_000) });
  expect(fired).toEqual([10_000, 60_000]);
  expect(time.clock.now()).toBe(start + 3_600_000);
  expect(asked.map(({ next }) => next)).toEqual([undefined, 4_000_000]);
  time.stop();
});

test('is at most ten seconds ahead, and never set back', async () => {
  const { time, pass, answer } = await following();
  await pass(60_000);
  expect(time.clock.now()).toBe(start + 10_000);
  await answer({ now: instant(start + 1_000) });
  await pass(60_000);
  expect(time.clock.now()).toBe(start + 11_000);
  time.stop();
});

test('goes on as it did when the other clock is gone, and asks again', async () => {
  const { time, pass, answer, failures, leave } = await following();
  leave();
  await answer({ now: instant(start) });
  await pass(60_000);
  expect(time.clock.now()).toBe(start + 600_000);
  expect(failures.length).toBeGreaterThan(100);
  time.stop();
});

test('a timer before the one that was told is told at once, and brings the clock no further ahead', async () => {
  const { time, pass, asked } = await following();
  for (let ms = 1_000; ms < 30_000; ms += 1_000) {
    time.clock.at(instant(time.clock.now() + 500), () => undefined);
    await pass(100);
  }
  expect(asked[1]?.next).toBe(500);
  expect(time.clock.now()).toBe(start + 10_000);
  time.stop();
});
