import { conditionOf, fromTimestamp, instant, pods } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aPool, aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const minute = 60_000;

const patient = () => {
  const pool = aPool();
  return { ...pool, spec: { ...pool.spec, disruption: { consolidateAfter: '5m' } } };
};

async function theClaim(world: World) {
  const [claim] = await world.claims();
  if (claim === undefined) throw new Error('there is no claim');
  return claim;
}

test('a claim knows when a pod last came, and is consolidatable when that was long enough ago', async () => {
  const world = aWorld();
  await aRunningCluster(world, patient());
  const claim = await theClaim(world);
  const bound = (await world.pods()).map((pod) => conditionOf(pod, 'PodScheduled')?.lastTransitionTime ?? '');
  expect(claim.status?.lastPodEventTime).toBe(bound.toSorted()[0]);
  expect(conditionOf(claim, 'Consolidatable')).toBeUndefined();
  const due = instant(fromTimestamp(claim.status?.lastPodEventTime ?? '') + 5 * minute);
  await world.time.run(instant(due - 1_000));
  expect(conditionOf(await theClaim(world), 'Consolidatable')).toBeUndefined();
  await world.time.run(instant(due + 1_000));
  expect(conditionOf(await theClaim(world), 'Consolidatable')).toMatchObject({ status: 'True' });
  await world.stop();
});

test('a pod that goes makes the claim wait anew', async () => {
  const world = aWorld();
  await aRunningCluster(world, patient());
  await world.advance(10 * minute);
  expect(conditionOf(await theClaim(world), 'Consolidatable')).toMatchObject({ status: 'True' });
  await world.apply(world.client.delete(pods, { name: 'inflate-1', namespace: 'default' }));
  await world.advance(minute);
  expect(conditionOf(await theClaim(world), 'Consolidatable')).toBeUndefined();
  await world.stop();
});
