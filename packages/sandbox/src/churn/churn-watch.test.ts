import { instant } from '@nodewright/apis';
import type { ObjectWrite } from '@nodewright/kube-api';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { ChurnWatch } from './churn-watch.ts';

function aWatch() {
  const time = virtualTime(instant(0));
  const told: { readonly message: string; readonly fields: object }[] = [];
  const watch = new ChurnWatch({
    clock: time.clock,
    report: (message, fields) => void told.push({ message, fields }),
  });
  const pod = (type: ObjectWrite['type'], name: string, owner: string) =>
    watch.see({ type, collection: 'pods', client: 'kube-controller-manager', object: ownedPod(name, owner) });
  return { watch, told, pod, after: (seconds: number) => time.run(instant(time.clock.now() + 1000 * seconds)) };
}

const ownedPod = (name: string, owner: string): ObjectWrite['object'] => {
  const reference = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: owner, uid: owner, controller: true };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', ownerReferences: [reference] } };
};

test('pods of one owner that are created and deleted again and again are named with their owner', async () => {
  const { told, pod, after } = aWatch();
  for (let ordinal = 0; ordinal < 5; ordinal += 1) pod('ADDED', `web-${ordinal}`, 'web');
  for (let round = 0; round < 50; round += 1) {
    pod('DELETED', 'web-4', 'web');
    pod('ADDED', 'web-4', 'web');
    await after(1);
  }
  expect(told).toEqual([
    {
      message: 'churn: pods of StatefulSet default/web are created and deleted without end',
      fields: { client: 'kube-controller-manager', created: 54, deleted: 50, atMostAtOnce: 5, withinSeconds: 49 },
    },
  ]);
});

test('what goes on is named again, after pauses that double', async () => {
  const { told, pod, after } = aWatch();
  for (let round = 0; round < 3600; round += 1) {
    pod('ADDED', 'web-0', 'web');
    pod('DELETED', 'web-0', 'web');
    await after(1);
  }
  expect(told).toHaveLength(4);
});

test('a rollout of many pods, several times, is no churn, nor is a job that is done', () => {
  const { told, pod } = aWatch();
  for (let index = 0; index < 1000; index += 1) pod('ADDED', `web-${index}`, 'web');
  for (let round = 0; round < 5; round += 1) {
    for (let index = 0; index < 1000; index += 1) {
      pod('DELETED', `web-${index}`, 'web');
      pod('ADDED', `web-${index}`, 'web');
    }
  }
  for (let index = 0; index < 1000; index += 1) pod('ADDED', `job-${index}`, 'job');
  expect(told).toEqual([]);
});

test('a client that writes one object without end is named; many objects and slow writes are not', async () => {
  const { watch, told, after } = aWatch();
  const write = (name: string): void =>
    watch.see({ type: 'MODIFIED', collection: 'pods', client: 'karpenter', object: ownedPod(name, 'web') });
  for (let index = 0; index < 10_000; index += 1) write(`web-${index}`);
  for (let index = 0; index < 3600; index += 1) {
    write('lease');
    await after(1);
  }
  expect(told).toEqual([]);
  for (let index = 0; index < 3100; index += 1) write('web-0');
  expect(told).toEqual([
    {
      message: 'churn: karpenter writes pods default/web-0 without end',
      fields: expect.objectContaining({ client: 'karpenter', writes: 3000 }),
    },
  ]);
});
