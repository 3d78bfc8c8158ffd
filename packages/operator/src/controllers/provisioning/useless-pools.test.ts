import { anInstanceType } from '@nodewright/testkit';
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

test('a pool whose types are too few for its minValues is told which', async () => {
  const world = aWorld();
  const requirement = { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 5 } as const;
  await aRunningCluster(world, aPool({ requirements: [requirement] }));
  expect(await world.claims()).toEqual([]);
  const [event] = await world.events('NoCompatibleInstanceTypes');
  expect(event?.message).toContain(
    'too few instance types for its minValues: node.kubernetes.io/instance-type has 2 of 5',
  );
  await world.stop();
});

test('a pool for which no instance type is found is told so, too', async () => {
  const world = aWorld({ instanceTypes: [] });
  await aRunningCluster(world);
  expect(await world.events('NoCompatibleInstanceTypes')).toHaveLength(1);
  expect(world.messages()).toContain('skipping, no resolved instance types found');
  await world.stop();
});

test('a pod hears why nothing that suits it can be bought now', async () => {
  const type = anInstanceType('c8', { cpu: 8 });
  const shortage = { cause: 'no selected image is for amd64', fix: 'select one' };
  const offerings = type.offerings.map((offering) => ({ ...offering, available: false, shortage }));
  const world = aWorld({ instanceTypes: [{ ...type, offerings }] });
  await aRunningCluster(world);
  const told = (await world.events('FailedScheduling')).filter(({ source }) => source?.component === 'karpenter');
  expect(told[0]?.message).toContain(
    '0 after what can be bought there now (no selected image is for amd64: select one)',
  );
  await world.stop();
});
