import { fromTimestamp, nodes, pods } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { planLostPods } from './pod-garbage.ts';

test('a lost pod fails before it is deleted, and keeps its other conditions', () => {
  const pod = aPod('web', { nodeName: 'gone' });
  const { actions } = planLostPods({ lost: [pod], now: fromTimestamp('2024-01-28T16:00:00Z') });
  expect(actions).toMatchObject([
    {
      kind: 'failPod',
      status: {
        phase: 'Failed',
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DisruptionTarget', reason: 'DeletionByPodGC', lastTransitionTime: '2024-01-28T16:00:00Z' },
        ],
      },
    },
    { kind: 'deletePod', pod },
  ]);
});

async function aBoundPod(): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  await cluster.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: { nodeName: 'node-1', containers: [{ name: 'web', image: 'web:1' }] },
  });
  return cluster;
}

test('a pod on a node that does not appear is deleted after forty seconds', async () => {
  const cluster = await aBoundPod();
  await cluster.after(39);
  expect(await cluster.list(pods, 'default')).toHaveLength(1);
  await cluster.after(2);
  expect(await cluster.list(pods, 'default')).toEqual([]);
});

test('a pod stays when its node appears in time', async () => {
  const cluster = await aBoundPod();
  await cluster.after(20);
  await cluster.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } });
  await cluster.after(30);
  expect(await cluster.list(pods, 'default')).toHaveLength(1);
});
