import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { limitTime } from './limit-time.ts';

const untilNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Collects everything that nothing refers to. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

test('the time is up also where nothing but the limit refers to the signal', async () => {
  const ended = once(limitTime(200).signal, 'abort');
  // What has been looked at stays until the end of the turn.
  await untilNextTurn();
  collectGarbage();
  const [event] = (await ended) as [Event];
  expect((event.target as AbortSignal).reason).toMatchObject({ name: 'TimeoutError' });
});

test('it ends with the signal above it, also with one that has ended before', () => {
  const above = new AbortController();
  const { signal, end } = limitTime(3_600_000, above.signal);
  expect(signal.aborted).toBe(false);
  above.abort(new Error('stopped'));
  expect(signal.reason).toEqual(new Error('stopped'));
  const late = limitTime(3_600_000, above.signal);
  expect(late.signal.aborted).toBe(true);
  end();
  late.end();
});

test('nothing is aborted once it is let go', () => {
  const above = new AbortController();
  const { signal, end } = limitTime(3_600_000, above.signal);
  end();
  above.abort();
  expect(signal.aborted).toBe(false);
});
