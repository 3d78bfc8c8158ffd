import { fromTimestamp, instant } from '@nodewright/apis';
import { ApiError, createMetrics, seededRandom, silentLogger, virtualTime } from '@nodewright/runtime';
import { aPod, fakeCloud } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { countersOf } from '../../reporting/counters.ts';
import { defaultOperatorSettings } from '../../settings.ts';
import type { Objects } from '../../state/objects.ts';
import { evictionKey } from './key.ts';
import { startEvictionController } from './watches.ts';

const start = fromTimestamp('2024-03-01T12:00:00Z');

/** The controller with so many pods in its queue, and how often the Eviction API was asked after some milliseconds. */
function askToEvict(pods: number, evict: () => Promise<void>, cpuRequestsMillis = 1_000) {
  const time = virtualTime(start);
  const metrics = createMetrics();
  let asked = 0;
  const host = {
    cloud: fakeCloud({ now: () => time.clock.now(), instanceTypes: [], images: () => [] }),
    clock: time.clock,
    random: seededRandom('evictions'),
    log: silentLogger,
    metrics,
    counters: countersOf(metrics),
    report: () => undefined,
  };
  const pod = aPod('web', { nodeName: 'ip-a' });
  const objects = {
    pods: { get: (name: string) => ({ ...pod, metadata: { ...pod.metadata, name, uid: name } }) },
    nodes: { get: () => undefined },
    podDisruptionBudgets: { by: () => [] },
  } as unknown as Objects;
  const client = {
    evict: () => {
      asked += 1;
      return evict();
    },
  };
  const settings = { ...defaultOperatorSettings, cpuRequestsMillis };
  const controller = startEvictionController(host, { objects, client, settings });
  for (let index = 0; index < pods; index += 1)
    controller.enqueue(
      evictionKey({ ...pod, metadata: { ...pod.metadata, name: `web-${index}`, uid: `web-${index}` } }),
    );
  return async (afterMs: number) => {
    await time.run(instant(start + afterMs));
    return asked;
  };
}

const noAnswer = () => new Promise<never>(() => undefined);
const refuse = () =>
  Promise.reject(
    new ApiError({ kind: 'Status', status: 'Failure', code: 429, reason: 'TooManyRequests', message: '' }),
  );

test.each([
  ['one processor', 1_000, 100],
  ['sixty processors', 60_000, 5_000],
  ['more', 90_000, 5_000],
])('with %s (%i m) the Eviction API is asked for %i pods at once', async (_, cpuRequestsMillis, pods) => {
  expect(await askToEvict(5_100, noAnswer, cpuRequestsMillis)(0)).toBe(pods);
});

test('refused evictions are asked for again: 1,000 at once, and 100 each second', async () => {
  const askedAfter = askToEvict(1_100, refuse);
  expect(await askedAfter(99)).toBe(1_100);
  expect(await askedAfter(100)).toBe(1_100 + 1_010);
  expect(await askedAfter(1_000)).toBe(2 * 1_100);
  expect(await askedAfter(1_010)).toBe(2 * 1_100 + 1);
});
