import { instant, byNumberOf } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import type { Timer } from '../clock.ts';
import { scaledTime, type ScaledTimeOptions } from './scaled-time.ts';
import { waitTurn, type Wall } from './wall.ts';

const start = Date.UTC(2024, 0, 28, 16);
const hours = (count: number): number => count * 3_600_000;

/** A wall whose time the test moves. */
class TestWall implements Wall {
  #now = 0;
  #alarms: { readonly due: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): Timer {
    const alarm = { due: this.#now + ms, callback };
    this.#alarms.push(alarm);
    return { cancel: () => (this.#alarms = this.#alarms.filter((other) => other !== alarm)) };
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }

  /** Sets the time without telling anybody, as a busy machine does. */
  jump(ms: number): void {
    this.#now += ms;
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (let next = this.#due(until); next !== undefined; next = this.#due(until)) {
      this.#alarms = this.#alarms.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
      await waitTurn();
    }
    this.#now = until;
  }

  get alarms(): readonly number[] {
    return this.#alarms.map(({ due }) => due - this.#now);
  }

  #due(until: number) {
    const due = this.#alarms.filter((alarm) => alarm.due <= until);
    return due.toSorted(byNumberOf(({ due }) => due))[0];
  }
}

function aWorld(options: Partial<ScaledTimeOptions> = {}) {
  const wall = new TestWall();
  const time = scaledTime({ start: instant(start), speed: 3600, wall, ...options });
  const log: string[] = [];
  const elapsed = (): number => (time.clock.now() - start) / 3_600_000;
  const note = (atHours: number, name: string): Timer =>
    time.clock.at(instant(start + hours(atHours)), () => log.push(`${name} at ${elapsed()} h`));
  return { wall, time, log, elapsed, note };
}

describe('scaled time', () => {
  test('passes as many times faster as its speed says', async () => {
    const { wall, time, elapsed } = aWorld();
    await wall.pass(2000);
    expect(elapsed()).toBe(2);
    time.setSpeed(7200);
    await wall.pass(1000);
    expect(elapsed()).toBe(4);
  });

  test('fires each timer at its own instant, in order, with one alarm on the wall', async () => {
    const { wall, log, note } = aWorld();
    note(3, 'c');
    note(1, 'a');
    note(1, 'b');
    expect(wall.alarms).toEqual([1000]);
    await wall.pass(5000);
    expect(log).toEqual(['a at 1 h', 'b at 1 h', 'c at 3 h']);
  });

  test('waits for a far timer in pieces that the wall can measure', async () => {
    const { wall, log, note } = aWorld({ speed: 1 });
    note(24 * 30, 'expired');
    expect(wall.alarms).toEqual([60_000]);
    await wall.pass(hours(24 * 30));
    expect(log).toEqual(['expired at 720 h']);
  });

  test('never tells an instant beyond a timer that has not fired', async () => {
    const { wall, log, elapsed, note } = aWorld();
    note(1, 'a');
    wall.jump(1100);
    expect(elapsed()).toBe(1);
    await wall.pass(0);
    expect(log).toEqual(['a at 1 h']);
    expect(elapsed()).toBeCloseTo(1.1, 3);
  });

  test('slips when the machine is late, and skips nothing', async () => {
    const { wall, log, elapsed, note } = aWorld();
    note(1, 'a');
    note(2, 'b');
    wall.jump(10_000);
    await wall.pass(0);
    expect(log).toEqual(['a at 1 h']);
    expect(elapsed()).toBe(1);
    await wall.pass(1000);
    expect(log).toEqual(['a at 1 h', 'b at 2 h']);
  });

  test('keeps up with the wall, whatever is under way, when it is told to', async () => {
    const { wall, time, log, elapsed, note } = aWorld({ keepsUp: true });
    void time.gate.call(() => new Promise(() => undefined));
    note(1, 'a');
    note(2, 'b');
    wall.jump(10_000);
    await wall.pass(0);
    expect(log).toEqual(['a at 10 h', 'b at 10 h']);
    expect(elapsed()).toBe(10);
    await wall.pass(1000);
    expect(elapsed()).toBe(11);
  });

  test('stands still while it is paused, and goes on where it was', async () => {
    const { wall, time, log, elapsed, note } = aWorld();
    note(2, 'a');
    await wall.pass(1000);
    time.pause();
    await wall.pass(60_000);
    expect([elapsed(), time.status().paused, log]).toEqual([1, true, []]);
    time.resume();
    await wall.pass(1000);
    expect(log).toEqual(['a at 2 h']);
  });

  for (const { fact, paused } of [
    { fact: 'advances through every timer at once, then runs on from there', paused: false },
    { fact: 'advances while it is paused, and stays paused', paused: true },
  ]) {
    test(fact, async () => {
      const { wall, time, log, elapsed, note } = aWorld();
      if (paused) time.pause();
      time.clock.at(instant(start + hours(5)), () => note(6, 'from a timer'));
      note(300, 'late');
      await time.advance(hours(240));
      expect([log, elapsed()]).toEqual([['from a timer at 6 h'], 240]);
      await wall.pass(60_000);
      expect(elapsed()).toBe(paused ? 240 : 300);
    });
  }

  test('an advance ends where time is paused', async () => {
    const { time, log, elapsed, note } = aWorld();
    note(1, 'a');
    time.clock.at(instant(start + hours(2)), () => time.pause());
    note(3, 'b');
    await time.advance(hours(240));
    expect([log, elapsed(), time.status().paused]).toEqual([['a at 1 h'], 2, true]);
    time.resume();
    await time.advance(hours(2));
    expect(log).toEqual(['a at 1 h', 'b at 3 h']);
  });

  test('does not fire while a call is under way, but does not wait for it forever', async () => {
    const { wall, time, log, note } = aWorld();
    let finish: () => void = () => undefined;
    const call = time.gate.call(() => new Promise<void>((resolve) => (finish = resolve)));
    note(1, 'a');
    const ticking: Wall['turn'] = async () => {
      await waitTurn();
      wall.jump(300);
    };
    wall.turn = ticking;
    await wall.pass(1000);
    expect(log).toEqual([]);
    for (let turns = 0; turns < 6; turns++) await waitTurn();
    expect(log).toHaveLength(1);
    finish();
    await call;
  });

  test('tells about a timer callback that throws, and goes on', async () => {
    const errors: unknown[] = [];
    const { wall, time, log, note } = aWorld({ onError: (error) => errors.push(error) });
    time.clock.at(instant(start + hours(1)), () => {
      throw new Error('broken timer');
    });
    note(2, 'next');
    await wall.pass(3000);
    expect(errors).toEqual([new Error('broken timer')]);
    expect(log).toEqual(['next at 2 h']);
  });

  test('lets go of the wall when it is stopped', () => {
    const { wall, time, note } = aWorld();
    note(1, 'a');
    time.stop();
    expect(wall.alarms).toEqual([]);
  });

  test('refuses a speed at which nothing would ever happen', () => {
    expect(() => aWorld({ speed: 0 })).toThrow('speed 0 is not a finite number above 0');
  });

  describe('that is held', () => {
    test('does not pass the hold, and does not catch up on what it waited', async () => {
      const { wall, time, elapsed, log, note } = aWorld();
      note(1, 'before');
      note(2, 'at the hold');
      note(3, 'after');
      time.hold('follower', instant(start + hours(2)));
      await wall.pass(9000);
      expect([elapsed(), log]).toEqual([2, ['before at 1 h', 'at the hold at 2 h']]);
      time.hold('follower', undefined);
      await wall.pass(500);
      expect(elapsed()).toBe(2.5);
      await wall.pass(500);
      expect(log.at(-1)).toBe('after at 3 h');
    });

    test('is advanced to the hold, fires what is set there, and goes on when the hold is moved', async () => {
      const { time, elapsed, log, note } = aWorld();
      note(5, 'later');
      time.hold('follower', instant(start + hours(2)));
      const advanced = time.advance(hours(6));
      await waitTurn();
      expect(elapsed()).toBe(2);
      note(2, 'set at the hold');
      await waitTurn();
      expect(log).toEqual(['set at the hold at 2 h']);
      time.hold('follower', instant(start + hours(8)));
      await advanced;
      expect([elapsed(), log.at(-1)]).toEqual([6, 'later at 5 h']);
    });

    test('ends an advance when it is paused', async () => {
      const { time, elapsed } = aWorld();
      time.hold('follower', instant(start + hours(2)));
      const advanced = time.advance(hours(6));
      await waitTurn();
      time.pause();
      await advanced;
      expect([elapsed(), time.status().paused]).toEqual([2, true]);
    });
  });
});
