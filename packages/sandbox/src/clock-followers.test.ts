import { hours, instant, minutes, seconds, byNumber } from '@nodewright/apis';
import { followedTime, scaledTime, virtualTime, type ScaledTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { ClockFollowers } from './clock-followers.ts';

const start = instant(Date.UTC(2024, 0, 28, 16));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A machine whose own time stands, so that nothing passes but what is advanced. */
const standingWall = { now: () => 0, after: () => ({ cancel: () => undefined }), turn };

/** A paused sandbox, the clock of its callers, and a way to let clocks follow it. */
function aSandboxClock() {
  const time = scaledTime({ start, speed: 1, wall: standingWall });
  time.pause();
  const machine = virtualTime(instant(0));
  const followers = new ClockFollowers({ time, callersClock: machine.clock });
  const follow = (name: string) =>
    followedTime({
      read: async () => time.status(),
      follow: async (next, signal) => {
        await followers.follow(name, next, signal);
        return time.status();
      },
      wall: standingWall,
    });
  return { time, machine, followers, follow };
}

const turns = async (count = 20): Promise<void> => {
  for (let at = 0; at < count; at += 1) await turn();
};

test('two clocks that follow fire their timers in one order with those of the sandbox', async () => {
  const { time, follow } = aSandboxClock();
  const [one, other] = await Promise.all([follow('one'), follow('other')]);
  const log: string[] = [];
  const every = (name: string, clock: ScaledTime['clock'], ms: number): void =>
    void clock.at(instant(clock.now() + ms), () => {
      log.push(`${(clock.now() - start) / 1000} ${name}`);
      every(name, clock, ms);
    });
  every('sandbox', time.clock, seconds(7));
  every('one', one.clock, seconds(5));
  every('other', other.clock, seconds(11));
  await turns();
  await turns();
  await time.advance(minutes(10));
  await turns();
  const instants = log.map((line) => Number(line.split(' ')[0]));
  expect(instants).toEqual(instants.toSorted(byNumber));
  expect(log.length).toBe(85 + 120 + 54);
  for (const followed of [one, other]) followed.stop();
  time.stop();
});

test('a clock that no longer answers is waited for no longer', async () => {
  const { time, followers, machine } = aSandboxClock();
  const answered = followers.follow('gone', instant(start + seconds(1)), new AbortController().signal);
  const advanced = time.advance(hours(1));
  await answered;
  await turns();
  expect(time.clock.now()).toBe(start + seconds(1));
  await machine.run(instant(seconds(30)));
  await advanced;
  expect(time.clock.now()).toBe(start + hours(1));
});

test('a clock whose connection ends is waited for no longer', async () => {
  const { time, followers, machine } = aSandboxClock();
  const connection = new AbortController();
  const answered = followers.follow('gone', instant(start + seconds(1)), connection.signal);
  connection.abort();
  await answered;
  const advanced = time.advance(hours(1));
  await machine.run(instant(seconds(5)));
  await advanced;
  expect(time.clock.now()).toBe(start + hours(1));
});

test('a request that replaces another one of the same clock outlives it', async () => {
  const { time, followers, machine } = aSandboxClock();
  const first = new AbortController();
  const answered = followers.follow('one', instant(start + seconds(9)), first.signal);
  void followers.follow('one', instant(start + seconds(3)), new AbortController().signal);
  first.abort();
  await answered;
  void time.advance(hours(1));
  await turns();
  expect(time.clock.now()).toBe(start + seconds(3));
  await machine.run(instant(seconds(4)));
  expect(time.clock.now()).toBe(start + seconds(3));
  time.stop();
});

test('a clock with nothing to do is told within ten seconds what time it is', async () => {
  const { time, followers, machine } = aSandboxClock();
  const paused = followers.follow('idle', undefined, new AbortController().signal);
  await machine.run(instant(seconds(10)));
  await paused;
  expect(time.clock.now()).toBe(start);
});

test('a clock too many is refused', async () => {
  const { followers } = aSandboxClock();
  const follow = (name: string): Promise<void> => followers.follow(name, start, new AbortController().signal);
  for (let at = 0; at < 16; at += 1) void follow(`controller-${at}`);
  await expect(follow('controller-16')).rejects.toThrow('at most 16 clocks follow a sandbox');
});
