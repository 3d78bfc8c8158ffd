import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Clock, Timer } from '../clock.ts';
import { scaledTime } from './scaled-time.ts';
import { StandstillError } from './standstill.ts';
import { virtualTime } from './virtual-time.ts';

/** Sets a timer again whenever it has fired. */
function setAgain(clock: Clock, ms: number, name?: string): { stop(): void } {
  let timer: Timer;
  const impatient = (): void => void (timer = clock.at(instant(clock.now() + ms), impatient, name));
  impatient();
  return { stop: () => timer.cancel() };
}

for (const ms of [0, 1]) {
  test(`a run ends with the name of the timer that is due again after ${ms} ms`, async () => {
    const time = virtualTime(instant(0));
    const impatient = setAgain(time.clock, ms, 'pods default/web');
    await expect(time.run(instant(86_400_000))).rejects.toThrow('time does not pass: pods default/web sets timers');
    impatient.stop();
    await time.run(instant(86_400_000));
    expect(time.clock.now()).toBe(86_400_000);
  });
}

test('a timer without a name is told by the line that sets it', async () => {
  const time = virtualTime(instant(0));
  setAgain(time.clock, 0);
  await expect(time.run(instant(1000))).rejects.toThrow(
    /impatient .*\(.*standstill\.story\.test\.ts:\d+:\d+\) sets timers/,
  );
});

test('a sleep that takes no time is told by the line that sleeps', async () => {
  const time = virtualTime(instant(0));
  const drowsy = async (): Promise<void> => {
    for (;;) await time.clock.sleep(0);
  };
  void drowsy();
  await expect(time.run(instant(1000))).rejects.toThrow(
    /drowsy .*\(.*standstill\.story\.test\.ts:\d+:\d+\) sets timers/,
  );
});

test('many timers of one instant, and one that is due every two milliseconds, let time pass', async () => {
  const time = virtualTime(instant(0));
  let fired = 0;
  for (let count = 0; count < 20_000; count += 1) time.clock.at(instant(5000), () => (fired += 1), 'pods');
  const patient = setAgain(time.clock, 2, 'poll');
  await time.run(instant(60_000));
  patient.stop();
  expect(fired).toBe(20_000);
});

test('an advance ends with the name, and time goes on as before', async () => {
  const time = scaledTime({ start: instant(0), speed: 1 });
  time.pause();
  const impatient = setAgain(time.clock, 0, 'pods default/web');
  await expect(time.advance(1000)).rejects.toThrow(StandstillError);
  expect(time.status()).toMatchObject({ now: 0, paused: true });
  impatient.stop();
  await time.advance(1000);
  expect(time.status()).toMatchObject({ now: 1000, paused: true });
  time.stop();
});
