import { expect, test } from 'vitest';
import { aPool, aRunningCluster, aWorld } from '../../../testing/world.ts';

test('a pool that no instance type suits is told so', async () => {
  const world = aWorld();
  await aRunningCluster(
    world,
    aPool({ requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['z9.huge'] }] }),
  );
  expect(await world.claims()).toEqual([]);
  const [event] = await world.events('NoCompatibleInstanceTypes');
  expect(event).toMatchObject({ type: 'Warning', involvedObject: { kind: 'NodePool', name: 'default' } });
  expect(world.messages()).toContain('skipping, nodepool requirements filtered out all instance types');
  await world.stop();
});
