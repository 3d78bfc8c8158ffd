import { expect, test } from 'vitest';
import { someAtATime } from './some-at-a-time.ts';

const pause = (): Promise<void> => new Promise((resolve) => queueMicrotask(resolve));
const { signal } = new AbortController();

test('work is begun in order, so many at a time', async () => {
  const begun: number[] = [];
  let [running, most] = [0, 0];
  await someAtATime([1, 2, 3, 4, 5, 6, 7], { atATime: 3, signal }, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await pause();
    running -= 1;
  });
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test('what fails keeps nothing else from its turn, and the first failure is told', async () => {
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    await pause();
    if (item % 2 === 0) throw new Error(`${item} cannot be`);
    done.push(item);
  };
  await expect(someAtATime([1, 2, 3, 4, 5], { atATime: 2, signal }, work)).rejects.toThrow('2 cannot be');
  expect(done).toEqual([1, 3, 5]);
});

test('nothing is begun any more once the signal aborts', async () => {
  const stopping = new AbortController();
  const begun: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await pause();
    if (item === 2) stopping.abort(new Error('the controller is stopping'));
  };
  const all = someAtATime([1, 2, 3, 4, 5, 6], { atATime: 2, signal: stopping.signal }, work);
  await expect(all).rejects.toThrow('stopping');
  expect(begun.length).toBeLessThan(6);
});
