import { fromTimestamp, toTimestamp } from '@nodewright/apis';
import type { Snapshot } from '@nodewright/forecast';
import { expect, test } from 'vitest';
import { createPageForecasts } from './page-forecasts.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const printed = JSON.stringify({
  kind: 'Forecast',
  takenAt: toTimestamp(now),
  until: '2024-03-02T12:00:00Z',
  change: { manifests: [] },
  nodes: [{ node: 'a', nodePool: 'web', reason: 'Expired', begins: '2024-03-01T13:00:00Z' }],
  rollouts: [],
});

/** Forecasts that end when the test says so. */
function aForecaster() {
  let [made, ended] = [0, 0];
  let settle: (text: string | Error) => void = () => undefined;
  const forecasts = createPageForecasts({
    takeSnapshot: () => Promise.resolve({} as Snapshot),
    forecast: (_, signal) => {
      made += 1;
      signal.addEventListener('abort', () => (ended += 1));
      return new Promise((resolve, reject) => {
        settle = (text) => (typeof text === 'string' ? resolve(text) : reject(text));
      });
    },
  });
  const end = async (text: string | Error): Promise<void> => {
    await untilIdle();
    settle(text);
    await untilIdle();
  };
  return { forecasts, end, made: () => made, ended: () => ended };
}

const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one forecast is made at a time, and the page goes on meanwhile', async () => {
  const { forecasts, end, made } = aForecaster();
  expect(forecasts.standing()).toEqual({ isRunning: false });
  forecasts.begin();
  forecasts.begin();
  expect(forecasts.standing()).toEqual({ isRunning: true });
  expect(forecasts.last()).toBeUndefined();
  await end(printed);
  expect([made(), forecasts.standing()]).toEqual([1, { isRunning: false }]);
  expect(forecasts.last()?.entries.map(({ id, row }) => `${id} ${row?.words}`)).toEqual(['a leaving, for Expired']);
});

test('one that cannot be made says why, and leaves the one before', async () => {
  const { forecasts, end } = aForecaster();
  forecasts.begin();
  await end(printed);
  forecasts.begin();
  await end(new Error('the snapshot has no nodes'));
  expect(forecasts.standing()).toEqual({ isRunning: false, problem: 'the snapshot has no nodes' });
  expect(forecasts.last()?.until).toBe('2024-03-02T12:00:00Z');
  forecasts.begin();
  expect(forecasts.standing()).toEqual({ isRunning: true });
});

test('one that is cancelled ends its process, and leaves the one before and the way to the next', async () => {
  const { forecasts, end, made, ended } = aForecaster();
  forecasts.begin();
  await end(printed);
  forecasts.begin();
  await untilIdle();
  forecasts.cancel();
  expect([forecasts.standing(), ended()]).toEqual([{ isRunning: false }, 1]);
  await end(new Error('it was killed'));
  expect(forecasts.standing()).toEqual({ isRunning: false });
  expect(forecasts.last()?.until).toBe('2024-03-02T12:00:00Z');
  forecasts.begin();
  await untilIdle();
  expect([made(), forecasts.standing()]).toEqual([3, { isRunning: true }]);
  forecasts.stop();
  forecasts.begin();
  expect([ended(), forecasts.standing()]).toEqual([2, { isRunning: false }]);
});
