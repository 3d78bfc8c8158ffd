import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { realTime } from './real-time.ts';

test('real time passes by itself, and timers fire in their order', async () => {
  const { clock } = realTime();
  const before = clock.now();
  const fired: string[] = [];
  clock.at(instant(before + 20), () => fired.push('second'));
  clock.at(instant(before + 5), () => fired.push('first'));
  clock.at(instant(before + 10), () => fired.push('never')).cancel();
  await clock.sleep(40);
  expect(fired).toEqual(['first', 'second']);
  expect(clock.now() - before).toBeGreaterThanOrEqual(39);
});

test('a timer that is further away than the machine can count does not fire at once', async () => {
  const { clock } = realTime();
  let fired = false;
  const timer = clock.at(instant(clock.now() + 30 * 86_400_000), () => {
    fired = true;
  });
  await clock.sleep(20);
  timer.cancel();
  expect(fired).toBe(false);
});

test('a sleep ends with the reason of its signal', async () => {
  const { clock } = realTime();
  const controller = new AbortController();
  clock.at(instant(clock.now() + 5), () => controller.abort(new Error('enough')));
  await expect(clock.sleep(60_000, controller.signal)).rejects.toThrow('enough');
});

test('calls on real time go through at once, each with its own number', async () => {
  const { gate } = realTime();
  const numbers = await Promise.all(
    [1, 2].map(() =>
      gate.call(async (ticket) => {
        await gate.park(ticket);
        return ticket;
      }),
    ),
  );
  expect(numbers).toEqual([1, 2]);
});
