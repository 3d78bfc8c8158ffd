import { ec2NodeClasses, nodePools, pods, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';

const nodePool = 'karpenter.sh/nodepool';

/** Two pools, of which one gets no instance whatever is asked for. */
async function aWorldWithABrokenPool(limits: Record<string, string> = {}): Promise<World> {
  const world = aWorld();
  world.cloud.fleet.refuse(({ claim }) =>
    claim.metadata.labels?.[nodePool] === 'broken'
      ? { kind: 'refused', reason: 'InternalError', message: 'not now' }
      : undefined,
  );
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool()));
  await world.apply(world.client.create(nodePools, { ...aPool({}, { limits }), metadata: { name: 'broken' } }));
  await world.advance(10_000);
  return world;
}

const ask = async (world: World, name: string, pool: string): Promise<void> => {
  const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }];
  const pod: Pod = {
    metadata: { name, namespace: 'default' },
    spec: { nodeSelector: { [nodePool]: pool }, containers },
  };
  await world.apply(world.client.create(pods, pod));
};

const claimsOf = async (world: World, pool: string) =>
  (await world.claims()).filter(({ metadata }) => metadata.labels?.[nodePool] === pool);

test('a launch that does not come about holds up others for half a minute, not until it is given up', async () => {
  const world = await aWorldWithABrokenPool();
  await ask(world, 'stuck', 'broken');
  await world.advance(10_000);
  await ask(world, 'other', 'default');
  await world.advance(10_000);
  expect(await claimsOf(world, 'default')).toHaveLength(0);
  await world.advance(30_000);
  expect(await claimsOf(world, 'default')).toHaveLength(1);
  await world.stop();
});

test('metrics and, after half a minute, the log tell of launches that pods wait for', async () => {
  const world = await aWorldWithABrokenPool();
  const unsyncedSeconds = async (): Promise<number> => {
    const [line = ''] = await world.metric('karpenter_cluster_state_unsynced_time_seconds');
    return Number(line.split(' ').at(-1));
  };
  const complaints = () =>
    world.log.filter(({ message }) => message === 'pods wait for nodeclaims that are not launched');
  expect(await unsyncedSeconds()).toBe(0);
  await ask(world, 'stuck', 'broken');
  await world.advance(25_000);
  expect(await unsyncedSeconds()).toBeGreaterThan(20);
  expect(complaints()).toEqual([]);
  await world.advance(30_000);
  const [claim] = await world.claims();
  expect(complaints()[0]).toMatchObject({
    level: 'ERROR',
    controller: 'provisioner',
    NodeClaims: claim?.metadata.name,
  });
  // Every ten seconds at most.
  expect(complaints().length).toBeLessThanOrEqual(3);
  await world.stop();
});

test('a pod whose launch takes its time gets no second one meanwhile', async () => {
  const world = await aWorldWithABrokenPool();
  await ask(world, 'stuck', 'broken');
  await world.advance(200_000);
  expect(await claimsOf(world, 'broken')).toHaveLength(1);
  await world.advance(200_000);
  const launched = world.cloud.fleet.requests.filter(({ claim }) => claim.metadata.labels?.[nodePool] === 'broken');
  expect(new Set(launched.map(({ claim }) => claim.metadata.name)).size).toBe(2); // the first was given up
  await world.stop();
});

test('a launch that takes its time counts against the limits of its pool', async () => {
  const world = await aWorldWithABrokenPool({ cpu: '4' }); // it may become a node of four cores
  await ask(world, 'stuck', 'broken');
  await world.advance(40_000);
  await ask(world, 'late', 'broken');
  await world.advance(60_000);
  expect(await claimsOf(world, 'broken')).toHaveLength(1);
  const told = (await world.events('FailedScheduling')).filter(({ source }) => source?.component === 'karpenter');
  expect(told.map(({ involvedObject: { name } }) => name)).toEqual(['late']);
  await world.stop();
});

test('pods of a node whose replacement takes its time get no node besides, whatever else is launched meanwhile', async () => {
  const world = aWorld();
  let isBusy = false;
  world.cloud.fleet.refuse(() =>
    isBusy ? { kind: 'refused', reason: 'RequestLimitExceeded', message: 'later' } : undefined,
  );
  const disruption = { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] };
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool({}, { disruption })));
  await ask(world, 'guest', 'default');
  world.keepPods(2, { nodeSelector: { [nodePool]: 'default' } });
  await world.advance(180_000);
  const [old] = await world.claims();
  isBusy = true;
  await world.apply(world.client.delete(pods, { name: 'guest', namespace: 'default' }));
  await world.advance(60_000);
  const replacements = (await world.claims()).filter(({ metadata }) => metadata.name !== old?.metadata.name);
  expect(replacements).toHaveLength(1);
  for (const name of ['first', 'second', 'third']) {
    await ask(world, name, 'default');
    await world.advance(40_000);
  }
  const asked = world.cloud.fleet.requests.map(({ claim }) => claim.metadata.name);
  expect(new Set(asked).size).toBeLessThanOrEqual(5); // the old node, its replacement, three pods
  await world.stop();
});
