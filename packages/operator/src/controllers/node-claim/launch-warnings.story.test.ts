import { events, nodePools } from '@nodewright/apis';
import { aPool, aRunningCluster, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const warning = { reason: 'SpotSLRCreationFailed', message: 'create the role' };

for (const outcome of [
  { kind: 'insufficientCapacity', message: 'no', warning },
  { kind: 'refused', reason: 'LaunchFailed', message: 'no', warning },
] as const) {
  test(`a warning that comes with the outcome ${outcome.kind} is told on the claim`, async () => {
    const world = aWorld();
    world.cloud.fleet.refuseNext(outcome);
    await aRunningCluster(world);
    const events = await world.events(warning.reason);
    expect(events).toMatchObject([
      { type: 'Warning', message: 'create the role', involvedObject: { kind: 'NodeClaim' } },
    ]);
    expect(await world.nodes()).toHaveLength(1);
    await world.stop();
  });
}

test('a pool whose class is missing for a minute is told so, without a reason as by Karpenter', async () => {
  const world = aWorld();
  await world.apply(world.client.create(nodePools, aPool()));
  const told = async () => (await world.apply(world.client.list(events))).items;
  await world.advance(50_000);
  expect(await told()).toEqual([]);
  await world.advance(30_000);
  expect(await told()).toMatchObject([
    {
      type: 'Warning',
      message: 'Failed resolving NodeClass default',
      involvedObject: { kind: 'NodePool', name: 'default' },
    },
  ]);
  await world.stop();
});
