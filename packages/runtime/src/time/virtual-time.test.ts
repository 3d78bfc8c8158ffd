import { instant, inOrder, byNumberOf } from '@nodewright/apis';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { StuckError, virtualTime, type VirtualTime } from './virtual-time.ts';
import { waitTurn } from './wall.ts';

const start = instant(Date.UTC(2024, 0, 28, 16));
const after = (ms: number) => instant(start + ms);
const never = (): never => {
  throw new Error('never called');
};

/** A call that tells when it is served. */
const call = ({ gate }: VirtualTime, log: string[], name: string, signal?: AbortSignal): Promise<void> =>
  gate.call(async (ticket) => {
    await gate.park(ticket, signal);
    log.push(name);
  }, name);

describe('virtual time', () => {
  test('fires timers by instant, equal ones in the order in which they were set', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 })), async (delays) => {
        const time = virtualTime(start);
        const fired: { readonly delay: number; readonly order: number; readonly at: number }[] = [];
        for (const [order, delay] of delays.entries()) {
          time.clock.at(after(delay), () => fired.push({ delay, order, at: time.clock.now() }));
        }
        await time.run(after(20));
        const expected = delays.map((delay, order) => ({ delay, order, at: start + delay }));
        expect(fired).toEqual(
          expected.toSorted(
            inOrder(
              byNumberOf(({ delay }) => delay),
              byNumberOf(({ order }) => order),
            ),
          ),
        );
      }),
    );
  });

  test('leaves later timers alone and stops at the instant it was asked for', async () => {
    const time = virtualTime(start);
    time.clock.at(after(1001), never);
    await time.run(after(1000));
    expect(time.clock.now()).toBe(after(1000));
  });

  test('fires a timer that is already due at the present instant', async () => {
    const time = virtualTime(start);
    let at: number | undefined;
    time.clock.at(after(-5000), () => {
      at = time.clock.now();
    });
    await time.run(start);
    expect(at).toBe(start);
  });

  test('passes in whole milliseconds', async () => {
    const time = virtualTime(start);
    await time.finish(time.clock.sleep(1.2));
    expect(time.clock.now()).toBe(after(2));
  });

  test('forgets a cancelled timer, however often and late it is cancelled', async () => {
    const time = virtualTime(start);
    const timer = time.clock.at(after(1), never);
    timer.cancel();
    timer.cancel();
    const spent = time.clock.at(after(1), () => undefined);
    await time.run(after(2));
    spent.cancel();
    expect(await time.step()).toBe('idle');
  });

  test('wakes a sleeper at its time, or with the reason of its signal', async () => {
    const time = virtualTime(start);
    const controller = new AbortController();
    const aborted = time.clock.sleep(10_000, controller.signal);
    time.clock.at(after(500), () => controller.abort(new Error('enough')));
    const slept = time.clock.sleep(2000).then(() => time.clock.now());
    await expect(time.finish(aborted)).rejects.toThrow('enough');
    expect(time.clock.now()).toBe(after(500));
    expect(await time.finish(slept)).toBe(after(2000));
    expect(await time.step()).toBe('idle');
  });

  test('ends the drive with the error of a timer callback, and can be driven on', async () => {
    const time = virtualTime(start);
    const log: number[] = [];
    time.clock.at(after(1), () => {
      throw new Error('broken timer');
    });
    time.clock.at(after(2), () => log.push(time.clock.now()));
    await expect(time.run(after(5))).rejects.toThrow('broken timer');
    expect(time.clock.now()).toBe(after(1));
    await time.run(after(5));
    expect(log).toEqual([after(2)]);
  });

  test('has one driver at a time', async () => {
    const time = virtualTime(start);
    const first = time.run(after(1));
    await expect(time.run(after(1))).rejects.toThrow('being driven already');
    await first;
  });

  test('runs until something holds, or until nothing can make it hold', async () => {
    const time = virtualTime(start);
    expect(await time.runUntil(() => time.clock.now() >= after(7), { before: after(100) })).toBe(false);
    time.clock.at(after(7), () => undefined);
    time.clock.at(after(9), () => undefined);
    expect(await time.runUntil(() => time.clock.now() >= after(7), { before: after(100) })).toBe(true);
    expect(time.clock.now()).toBe(after(7));
  });

  test('says so when the work it should finish can never end', async () => {
    const time = virtualTime(start);
    await expect(time.finish(new Promise(() => undefined))).rejects.toThrow('the work has not ended');
  });
});

describe('calls on virtual time', () => {
  test('are served one per step, in the order in which they were made, before any timer fires', async () => {
    const time = virtualTime(start);
    const log: string[] = [];
    time.clock.at(start, () => log.push('timer'));
    const late = time.gate.call(async (ticket) => {
      await waitTurn();
      await time.gate.park(ticket);
      log.push('first');
    });
    const early = call(time, log, 'second');
    expect([await time.step(), ...log]).toEqual(['served', 'first']);
    expect([await time.step(), ...log]).toEqual(['served', 'first', 'second']);
    expect([await time.step(), ...log]).toEqual(['fired', 'first', 'second', 'timer']);
    await Promise.all([late, early]);
  });

  test('and hand-overs take their turns by number, each alone and before any timer', async () => {
    const time = virtualTime(start);
    const log: string[] = [];
    time.clock.at(after(0), () => log.push('timer'));
    const first = call(time, log, 'first').then(() => log.push('after first'));
    time.gate.handOver(() => void Promise.resolve().then(() => log.push('handed over')));
    const second = call(time, log, 'second');
    await time.run(after(0));
    await Promise.all([first, second]);
    expect(log).toEqual(['first', 'after first', 'handed over', 'second', 'timer']);
  });

  test('leave the queue when they are aborted, and hold nothing up', async () => {
    const time = virtualTime(start);
    const log: string[] = [];
    const controller = new AbortController();
    const aborted = call(time, log, 'aborted', controller.signal);
    const other = call(time, log, 'other');
    controller.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    await time.settle();
    await other;
    expect(log).toEqual(['other']);
    await expect(call(time, log, 'too late', controller.signal)).rejects.toThrow('gone');
    expect(await time.step()).toBe('idle');
  });

  test('that end while they are parked leave the queue too', async () => {
    const time = virtualTime(start);
    const abandoned = time.gate.call(async (ticket) => {
      time.gate.park(ticket).catch(() => undefined);
    });
    await abandoned;
    await time.settle();
    expect(await time.step()).toBe('idle');
  });

  test('that are made while another is being served are named when nothing is ever quiet', async () => {
    const time = virtualTime(start, { stuckAfterMs: 5 });
    const log: string[] = [];
    const outer = time.gate.call(async (ticket) => {
      await time.gate.park(ticket);
      await call(time, log, 'GET nodes inside');
    }, 'POST pods');
    outer.catch(() => undefined);
    await expect(time.settle()).rejects.toThrow(StuckError);
    await expect(time.settle()).rejects.toThrow(
      'neither parked nor finished: #1 POST pods; parked: #2 GET nodes inside',
    );
  });

  test('that got their name while they parked are called by it', async () => {
    const time = virtualTime(start, { stuckAfterMs: 5 });
    const log: string[] = [];
    const outer = time.gate.call(async (ticket) => {
      await time.gate.park(ticket, undefined, 'DescribeImages');
      await call(time, log, 'inside');
    });
    outer.catch(() => undefined);
    await expect(time.settle()).rejects.toThrow('neither parked nor finished: #1 DescribeImages');
  });

  test('and work outside give the same order however long each takes', async () => {
    const orderWith = async (turns: readonly number[]): Promise<readonly number[]> => {
      const time = virtualTime(start);
      const log: number[] = [];
      const takes = async (count: number): Promise<void> => {
        for (let left = count; left > 0; left--) await waitTurn();
      };
      const all = turns.map((count, index) => time.gate.outside(() => takes(count)).then(() => log.push(index)));
      await time.settle();
      await Promise.all(all);
      return log;
    };
    expect(await orderWith([9, 0, 4])).toEqual([0, 1, 2]);
    expect(await orderWith([0, 7, 1])).toEqual([0, 1, 2]);
  });

  test('come in another order, the same for the same seed, when an interleaving is asked for', async () => {
    const orderOf = async (seed: number): Promise<readonly string[]> => {
      const time = virtualTime(start, { interleaving: seededRandom(seed) });
      const log: string[] = [];
      const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => call(time, log, name));
      await time.settle();
      await Promise.all(calls);
      return log;
    };
    const orders = await Promise.all([1, 2, 3, 4].map(orderOf));
    expect(await orderOf(1)).toEqual(orders[0]);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    for (const order of orders) expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
