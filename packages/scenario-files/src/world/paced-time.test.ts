import { hours, instant, minutes } from '@nodewright/apis';
import { scaledTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { paceTime } from './paced-time.ts';

const start = instant(0);

function aWorld() {
  const scaled = scaledTime({ start, speed: 1 });
  let heard = 0;
  const untilHeard = (): Promise<void> => {
    heard += 1;
    return Promise.resolve();
  };
  return { scaled, time: paceTime(scaled, { kind: 'asFastAsPossible', untilHeard }), heard: () => heard };
}

test('time stops at the first instant at which a condition holds', async () => {
  const { time, scaled } = aWorld();
  let changed = false;
  scaled.clock.at(instant(minutes(7)), () => {
    changed = true;
    time.noteChange();
  });
  expect(await time.runUntil(() => changed, { before: instant(hours(1)) })).toBe(true);
  expect(time.clock.now()).toBe(minutes(7));
  time.stop();
});

test('time goes on to the end when nothing comes true, and waits at every change until it is heard of', async () => {
  const { time, scaled, heard } = aWorld();
  for (const at of [1, 2, 3]) scaled.clock.at(instant(minutes(at)), () => time.noteChange());
  expect(await time.runUntil(() => false, { before: instant(hours(1)) })).toBe(false);
  expect([time.clock.now(), heard()]).toEqual([hours(1), 3]);
  time.stop();
});

test('a condition on the time is looked at although nothing changes', async () => {
  const { time } = aWorld();
  const isLate = (): boolean => time.clock.now() >= minutes(5);
  expect(await time.runUntil(isLate, { before: instant(hours(1)) })).toBe(true);
  // Time goes on at the pace of real time meanwhile.
  expect(time.clock.now()).toBeGreaterThanOrEqual(minutes(5));
  expect(time.clock.now()).toBeLessThan(minutes(6));
  time.stop();
});

test('what a condition throws ends the wait', async () => {
  const { time } = aWorld();
  const fail = (): boolean => {
    throw new Error('no such field');
  };
  await expect(time.runUntil(fail, { before: instant(hours(1)) })).rejects.toThrow('no such field');
  time.stop();
});
