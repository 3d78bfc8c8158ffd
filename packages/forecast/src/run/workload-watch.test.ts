import { instant, minutes, type Pod } from '@nodewright/apis';
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
