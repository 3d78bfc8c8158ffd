import { pods, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

type Term = { readonly key: string; readonly operator: 'In' | 'DoesNotExist'; readonly values?: readonly string[] };

/** A pod whose only peculiarity is what it requires of its node. */
const requiring = (name: string, term: Term): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'app', image: 'pause' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [term] }] },
      },
    },
  },
});

test('a pod that asks for what the controller alone sets hears of it, and holds up no other', async () => {
  const world = aWorld();
  const bad = requiring('bad', { key: 'karpenter.sh/custom', operator: 'In', values: ['x'] });
  await world.apply(world.client.create(pods, bad));
  await aRunningCluster(world);
  const told = await world.events('FailedScheduling');
  expect(told.filter(({ source }) => source?.component === 'karpenter')).toMatchObject([
    {
      type: 'Warning',
      involvedObject: { kind: 'Pod', name: 'bad' },
      message: expect.stringContaining('karpenter.sh/custom is restricted'),
    },
  ]);
  expect(await world.metric('karpenter_scheduler_ignored_pods_count')).toEqual([
    'karpenter_scheduler_ignored_pods_count 1',
  ]);
  const phases = (await world.pods()).map(({ metadata, status }) => [metadata.name, status?.phase]);
  expect(phases).toEqual([
    ['bad', 'Pending'],
    ['inflate-1', 'Running'],
    ['inflate-2', 'Running'],
  ]);
  await world.stop();
});

test('a pod that wants nodes of no NodePool is passed over without a word', async () => {
  const world = aWorld();
  const elsewhere = requiring('elsewhere', { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' });
  await world.apply(world.client.create(pods, elsewhere));
  await aRunningCluster(world);
  const told = await world.events('FailedScheduling');
  expect(told.filter(({ source }) => source?.component === 'karpenter')).toEqual([]);
  expect(await world.claims()).toHaveLength(1);
  await world.stop();
});
