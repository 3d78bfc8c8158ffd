import { fromTimestamp, instant, minutes, type Instant, type NodePool, type Pod } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { aNodePool, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { withJoinFailures } from './join-failures.ts';
import { createObjects } from './objects.ts';
import { specFingerprint } from './spec-fingerprint.ts';
import { Stillness } from './stillness.ts';

const start = fromTimestamp('2024-01-28T16:00:00Z');

/** A cluster that is looked at now, and a cloud whose answers stay until an instant. */
function aStillCluster({
  steadyUntil,
  isTold = true,
}: { readonly steadyUntil?: Instant; readonly isTold?: boolean } = {}) {
  let now: Instant = start;
  const objects = createObjects({} as KubernetesClient);
  const answers = {
    version: () => 1,
    steadyUntil: () => (steadyUntil !== undefined && now < steadyUntil ? steadyUntil : undefined),
    onChange: () => undefined,
  };
  const stillness = new Stillness({ objects, clock: { now: () => now }, answers: isTold ? answers : undefined });
  return {
    objects,
    stillness,
    pass: (ms: number) => (now = instant(now + ms)),
  };
}

const stored = <T extends Pod | NodePool>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: '1' },
});

test('a cluster is still until one of its objects changes', () => {
  const { objects, stillness, pass } = aStillCluster();
  let breaks = 0;
  stillness.onBreak(() => (breaks += 1));
  expect(stillness.holds()).toBe(false);
  stillness.begin();
  pass(minutes(600));
  expect([stillness.holds(), stillness.lastsUntil()]).toEqual([true, undefined]);
  objects.pods.cache.seen(stored(aPod('web', { nodeName: 'one' })));
  expect([stillness.holds(), breaks]).toEqual([false, 1]);
  stillness.begin();
  expect(stillness.holds()).toBe(true);
});

test('a pod that waits for a node keeps a cluster from being still, and one that runs outside of all nodes does not', () => {
  const { objects, stillness } = aStillCluster();
  objects.pods.cache.seen(stored(aPod('coredns', { phase: 'Running' })));
  stillness.begin();
  expect(stillness.holds()).toBe(true);
  objects.pods.cache.seen(stored(aPod('web')));
  stillness.begin();
  expect(stillness.holds()).toBe(false);
});

test('it ends when the cloud would answer otherwise, and begins anew', () => {
  const end = instant(start + minutes(3));
  const { stillness, pass } = aStillCluster({ steadyUntil: end });
  stillness.begin();
  expect([stillness.holds(), stillness.lastsUntil()]).toEqual([true, end]);
  pass(minutes(3));
  expect(stillness.holds()).toBe(false);
  stillness.begin();
  expect([stillness.holds(), stillness.lastsUntil()]).toEqual([true, undefined]);
});

test('it ends when a pause of an image ends, after which one machine tries the image again', () => {
  const { objects, stillness, pass } = aStillCluster();
  const pool = aNodePool();
  const until = instant(start + minutes(4));
  const failure = { image: 'ami-1', name: 'bad', attempts: 2, failedAt: start, until };
  objects.nodePools.cache.seen(
    stored(withJoinFailures(pool, [{ ...failure, specs: specFingerprint(pool, undefined) }])),
  );
  stillness.begin();
  expect([stillness.holds(), stillness.lastsUntil()]).toEqual([true, until]);
  pass(minutes(4));
  expect(stillness.holds()).toBe(false);
});

test('nothing is known to be still where the cloud does not tell of changes', () => {
  const { stillness } = aStillCluster({ isTold: false });
  stillness.begin();
  expect([stillness.holds(), stillness.lastsUntil()]).toEqual([false, start]);
});
