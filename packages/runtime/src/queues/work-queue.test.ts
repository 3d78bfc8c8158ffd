import { instant } from '@nodewright/apis';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { virtualTime } from '../time/virtual-time.ts';
import { WorkQueue } from './work-queue.ts';

const aQueue = () => {
  const time = virtualTime(instant(0));
  return { time, queue: new WorkQueue(time.clock, () => undefined) };
};

const takeAll = (queue: WorkQueue): readonly string[] => {
  const keys: string[] = [];
  for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key);
  return keys;
};

describe('a work queue', () => {
  test('holds a key once and gives keys in the order in which they were added', () => {
    const { queue } = aQueue();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    expect(takeAll(queue)).toEqual(['b', 'a', 'c']);
  });

  test('gives a key that is added during its turn once more, after the turn', () => {
    const { queue } = aQueue();
    queue.add('a');
    expect(queue.take()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(queue.take()).toBeUndefined();
    queue.done('a');
    expect(takeAll(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.take()).toBeUndefined();
  });

  test('keeps the earliest of several instants', async () => {
    const { time, queue } = aQueue();
    queue.addAt('a', instant(500));
    queue.addAt('a', instant(200));
    queue.addAt('a', instant(900));
    await time.run(instant(199));
    expect(queue.depth).toBe(0);
    await time.run(instant(200));
    expect(takeAll(queue)).toEqual(['a']);
    queue.done('a');
    await time.run(instant(1000));
    expect(queue.depth).toBe(0);
  });

  test('forgets everything when it is closed', async () => {
    const { time, queue } = aQueue();
    queue.add('a');
    queue.addAt('b', instant(5));
    queue.close();
    queue.add('c');
    await time.run(instant(10));
    expect(takeAll(queue)).toEqual([]);
  });

  const aKey = fc.constantFrom('a', 'b', 'c');
  const anAction = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key: aKey }),
    fc.record({ do: fc.constant('addLater' as const), key: aKey, ms: fc.integer({ min: -5, max: 50 }) }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('finish' as const) }),
    fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30 }) }),
  );

  test('never loses a key, and never has one in two hands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAction, { maxLength: 40 }), async (actions) => {
        const { time, queue } = aQueue();
        const held: string[] = [];
        const owed = new Set<string>();
        const take = (): boolean => {
          const key = queue.take();
          if (key === undefined) return false;
          expect(held).not.toContain(key);
          held.push(key);
          owed.delete(key);
          return true;
        };
        for (const action of actions) {
          if (action.do === 'add') queue.add(action.key);
          if (action.do === 'addLater') queue.addAt(action.key, instant(time.clock.now() + action.ms));
          if (action.do === 'add' || action.do === 'addLater') owed.add(action.key);
          if (action.do === 'take') take();
          if (action.do === 'finish' && held.length > 0) queue.done(held.shift() ?? '');
          if (action.do === 'pass') await time.run(instant(time.clock.now() + action.ms));
        }
        await time.run(instant(time.clock.now() + 100));
        while (held.length > 0 || queue.depth > 0) {
          if (!take()) queue.done(held.shift() ?? '');
        }
        expect([...owed]).toEqual([]);
      }),
    );
  });
});
