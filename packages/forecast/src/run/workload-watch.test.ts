import { instant, minutes, type Pod, type PodDisruptionBudget } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { WorkloadWatch } from './workload-watch.ts';

const pod = (name: string) =>
  ({
    metadata: {
      name,
      namespace: 'default',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true }],
    },
    spec: { containers: [] },
  }) as Pod;

test('a workload without a ready pod is out of service until the next one is ready, with and without a budget', () => {
  let now = instant(0);
  const watch = new WorkloadWatch(() => now);
  const see = (name: string, isReady: boolean, isGone = false): void => {
    watch.see(pod(name), { isReady, isGone });
    now = instant(now + minutes(1));
  };
  see('db-0', true);
  watch.begin();
  see('db-0', false, true);
  see('db-0', false);
  see('db-0', true);
  expect(watch.results()).toEqual([
    { workload: 'default/db', readyBefore: 1, leastReady: 0, secondsBelow: 0, secondsWithoutReady: 120 },
  ]);
});

const budget = (desiredHealthy: number) =>
  ({
    metadata: { name: 'db', namespace: 'default' },
    spec: { selector: {} },
    status: { desiredHealthy, currentHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 },
  }) as unknown as PodDisruptionBudget;

test('a workload is below its budget from the instant at which the budget wants more, whatever its pods do then', () => {
  let now = instant(0);
  const watch = new WorkloadWatch(() => now);
  watch.see(pod('db-0'), { isReady: true, isGone: false });
  watch.seeBudget(budget(1), false);
  watch.begin();
  now = instant(minutes(1));
  watch.seeBudget(budget(2), false);
  now = instant(minutes(3));
  watch.see(pod('db-0'), { isReady: true, isGone: false });
  now = instant(minutes(4));
  watch.seeBudget(budget(2), true);
  now = instant(minutes(9));
  expect(watch.results()).toEqual([
    { workload: 'default/db', readyBefore: 1, leastReady: 1, secondsBelow: 180, secondsWithoutReady: 0 },
  ]);
});

test('a workload that is below its budget at the beginning is so from then on', () => {
  let now = instant(0);
  const watch = new WorkloadWatch(() => now);
  watch.see(pod('db-0'), { isReady: true, isGone: false });
  watch.seeBudget(budget(2), false);
  watch.begin();
  now = instant(minutes(2));
  expect(watch.results()).toMatchObject([{ secondsBelow: 120 }]);
});
