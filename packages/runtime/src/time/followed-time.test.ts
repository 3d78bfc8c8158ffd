import { instant } from '@nodewright/apis';
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
        const [next] = alarms.toSorted((a, b) => a.due - b.due);
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

async function following(first: Partial<ClockStatus> = {}) {
  let status: ClockStatus = { now: instant(start), speed: 10, paused: false, ...first };
  const hand = handWall();
  const time = await followedTime({ read: async () => status, wall: hand.wall, everyMs: 100 });
  return { ...hand, time, tell: (change: Partial<ClockStatus>) => (status = { ...status, ...change }) };
}

test('passes as fast as the other clock', async () => {
  const { time, pass, tell } = await following();
  await pass(50);
  expect(time.clock.now()).toBe(start + 500);
  tell({ speed: 100, now: instant(start + 1000) });
  await pass(50);
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

test('catches up when the other clock was advanced, firing every timer on the way', async () => {
  const { time, pass, tell } = await following({ paused: true });
  const fired: number[] = [];
  for (const ms of [60_000, 10_000]) time.clock.at(instant(start + ms), () => fired.push(time.clock.now() - start));
  tell({ now: instant(start + 3_600_000) });
  await pass(100);
  expect(fired).toEqual([10_000, 60_000]);
  expect(time.clock.now()).toBe(start + 3_600_000);
  time.stop();
});

test('waits, and is not set back, when it is ahead', async () => {
  const { time, pass } = await following();
  await pass(1_150);
  const ahead = time.clock.now();
  await pass(90);
  expect(time.clock.now()).toBe(ahead);
  time.stop();
});
