import { conditionOf, nodePools } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const minute = 60_000;

async function shownHealth(world: World) {
  const pool = await world.nodePool();
  return pool === undefined ? undefined : conditionOf(pool, 'NodeRegistrationHealthy');
}

test('a pool whose launches become nodes is healthy', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  expect(await shownHealth(world)).toMatchObject({ status: 'True', observedGeneration: 1 });
  expect((await world.nodePool())?.status?.nodeClassObservedGeneration).toBe(1);
  await world.stop();
});

test('a pool whose launches twice did not become nodes is unhealthy, and its claims are still made', async () => {
  const world = aWorld();
  world.machines.setJoining(false);
  await aRunningCluster(world);
  expect(await shownHealth(world)).toMatchObject({ status: 'Unknown', reason: 'AwaitingReconciliation' });
  await world.advance(31 * minute);
  expect(await shownHealth(world)).toMatchObject({ status: 'False', reason: 'RegistrationFailed' });
  expect(await world.claims()).toHaveLength(1);
  await world.stop();
});

test('launches that are refused make a pool unhealthy for the reason of the refusal', async () => {
  const world = aWorld();
  for (let times = 0; times < 1_000; times += 1) {
    world.cloud.fleet.refuseNext({ kind: 'refused', reason: 'VCPULimitExceeded', message: 'too many' });
  }
  await aRunningCluster(world);
  await world.advance(9 * minute);
  expect(await shownHealth(world)).toMatchObject({ status: 'False', reason: 'VCPULimitExceeded', message: 'too many' });
  await world.stop();
});

test('a pool that is changed is neither healthy nor unhealthy until it launches again', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const patch = { spec: { weight: 5 } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(minute);
  expect(await shownHealth(world)).toMatchObject({ status: 'Unknown', observedGeneration: 2 });
  await world.stop();
});
