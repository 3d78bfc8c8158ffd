import { instant, type KubernetesObject, nodePools, type ResourceType, seconds } from '@nodewright/apis';
import { ApiError, type KubernetesClient, seededRandom, silentLogger } from '@nodewright/runtime';
import { aPool, aRunningCluster, aWorld } from '@nodewright/testkit/worlds';
import { expect, test, vi } from 'vitest';
import { followClusterState } from './cluster-following.ts';
import { ObjectCache } from './objects/object-cache.ts';
import { readClusterState } from './cluster-reading.ts';

type World = ReturnType<typeof aWorld>;

const sourcesOf = (world: World, client: KubernetesClient = world.client) =>
  ({
    client,
    cloud: world.cloud,
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    defaultSpread: [],
  }) as const;

const readNow = (world: World, client?: KubernetesClient) =>
  world.time.finish(
    readClusterState({ ...sourcesOf(world, client), now: world.time.clock.now() }, new AbortController().signal),
  );

/** An API server of a cluster where only Karpenter's definitions are installed. */
function withoutOurKinds(client: KubernetesClient): KubernetesClient {
  const refuse = ({ group, plural }: ResourceType): void => {
    if (group !== 'nodewright.dev') return;
    throw new ApiError({ kind: 'Status', code: 404, reason: 'NotFound', message: `no ${plural} here` });
  };
  return Object.assign(Object.create(client) as KubernetesClient, {
    list: async <T extends KubernetesObject>(
      type: ResourceType<T>,
      options?: Parameters<KubernetesClient['list']>[1],
    ) => {
      refuse(type);
      return client.list(type, options);
    },
  });
}

test('a cluster without the kinds of Nodewright is read, and they count as none', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const { nodeClaims, rolloutObjects } = await readNow(world, withoutOurKinds(world.client));
  expect(nodeClaims).toHaveLength(1);
  expect(rolloutObjects).toEqual({ policies: [], rollouts: [], pauses: [] });
  await world.stop();
});

test('a cluster that is followed reads as one that is listed, at first and after changes', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const { clock } = world.time;
  const follower = followClusterState({
    ...sourcesOf(world),
    clock,
    random: seededRandom('follower'),
    log: silentLogger,
  });
  let changes = 0;
  follower.onChange(() => (changes += 1));
  await world.time.finish(follower.ready);
  const followed = () => world.time.finish(follower.read(clock.now(), new AbortController().signal));
  const names = ({ nodePools: pools }: Awaited<ReturnType<typeof followed>>) =>
    pools.map(({ metadata }) => metadata.name);
  expect(await followed()).toEqual(withoutManagers(await readNow(world)));
  const before = changes;
  await world.apply(world.client.create(nodePools, { ...aPool(), metadata: { name: 'second' } }));
  await world.advance(1_000);
  expect(changes).toBeGreaterThan(before);
  expect(names(await followed())).toEqual(['default', 'second']);
  await world.time.finish(follower.stop());
  await world.stop();
});

test('readings of a cluster that is followed leave nothing behind that listens to its objects', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const { clock } = world.time;
  const listens = vi.spyOn(ObjectCache.prototype, 'onChange');
  const log = silentLogger;
  const follower = followClusterState({ ...sourcesOf(world), clock, random: seededRandom('follower'), log });
  await world.time.finish(follower.ready);
  const before = listens.mock.calls.length;
  for (let reading = 0; reading < 3; reading += 1)
    await world.time.finish(follower.read(clock.now(), new AbortController().signal));
  expect(listens).toHaveBeenCalledTimes(before);
  listens.mockRestore();
  await world.time.finish(follower.stop());
  await world.stop();
});

/** Watches drop the managed fields. */
const withoutManagers = <T>(value: T): T =>
  value instanceof Map || value instanceof Set
    ? value
    : Array.isArray(value)
      ? (value.map(withoutManagers) as T)
      : typeof value === 'object' && value !== null
        ? (Object.fromEntries(
            Object.entries(value)
              .filter(([key]) => key !== 'managedFields')
              .map(([key, member]) => [key, withoutManagers(member)]),
          ) as T)
        : value;

/** An API server that does not let its caller list Pods until it is told to. */
function withoutPods(client: KubernetesClient) {
  let isAllowed = false;
  const refuse = ({ plural }: ResourceType): void => {
    if (plural === 'pods' && !isAllowed)
      throw new ApiError({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'pods are forbidden' });
  };
  const limited = Object.assign(Object.create(client) as KubernetesClient, {
    serves: async () => true,
    list: async <T extends KubernetesObject>(type: ResourceType<T>) => {
      refuse(type);
      return client.list(type);
    },
  });
  return { client: limited, allow: () => (isAllowed = true) };
}

test('a follower that may not read Pods is ready without them, and reads them once it may', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const { client, allow } = withoutPods(world.client);
  const { clock } = world.time;
  const follower = followClusterState({
    ...sourcesOf(world, client),
    clock,
    random: seededRandom('follower'),
    log: silentLogger,
  });
  await world.time.finish(follower.ready);
  expect([...follower.unread()]).toEqual(['pods']);
  const read = () => world.time.finish(follower.read(clock.now(), new AbortController().signal));
  const without = await read();
  expect([without.pods, without.nodeClaims.length]).toEqual([[], 1]);
  allow();
  await world.time.run(instant(clock.now() + seconds(60)));
  expect([...follower.unread()]).toEqual([]);
  expect((await read()).pods.length).toBeGreaterThan(0);
  await world.time.finish(follower.stop());
  await world.stop();
});
