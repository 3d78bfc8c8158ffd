import { ec2NodeClasses, fromTimestamp, nodePools, pods, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';

async function aWorldWith(pool: ReturnType<typeof aPool>): Promise<World> {
  const world = aWorld();
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, pool));
  await world.advance(15_000);
  return world;
}

/** A pod that fills one of the smaller nodes. */
const ask = async (world: World, name: string): Promise<void> => {
  const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1500m' } } }];
  const pod: Pod = { metadata: { name, namespace: 'default' }, spec: { containers } };
  await world.apply(world.client.create(pods, pod));
};

const refusals = async (world: World): Promise<readonly string[]> =>
  (await world.events('FailedScheduling'))
    .filter(({ source }) => source?.component === 'karpenter')
    .map(({ involvedObject: { name } }) => name ?? '');

test('a pod alone gets its claim after one pause of the batch window', async () => {
  const world = await aWorldWith(aPool());
  const askedAt = world.time.clock.now();
  await ask(world, 'one');
  await world.advance(5_000);
  const [claim] = await world.claims();
  const tookMs = fromTimestamp(claim?.metadata.creationTimestamp ?? '') - askedAt;
  expect(tookMs).toBeGreaterThanOrEqual(1_000);
  expect(tookMs).toBeLessThan(2_000);
  await world.stop();
});

test('a limit on nodes admits one after the other until it is reached, also by those of earlier rounds', async () => {
  const world = await aWorldWith(aPool({}, { limits: { nodes: '2' } }));
  for (const [name, nodes] of [
    ['first', 1],
    ['second', 2],
    ['third', 2],
  ] as const) {
    await ask(world, name);
    await world.advance(120_000);
    expect(await world.claims(), name).toHaveLength(nodes);
  }
  expect(new Set(await refusals(world))).toEqual(new Set(['third']));
  await world.stop();
});

test('pods without a usable pool are left alone: nobody can say what would help them', async () => {
  const world = aWorld();
  await ask(world, 'one');
  await world.advance(30_000);
  expect(world.messages()).toContain('no dynamic nodepools found');
  expect(await refusals(world)).toEqual([]);
  expect(world.log.filter(({ level }) => level === 'ERROR')).toEqual([]);
  await world.stop();
});

for (const { fact, template, expected } of [
  { fact: 'that of the pool', template: { terminationGracePeriod: '10m' }, expected: '10m' },
  { fact: 'none where the pool has none', template: {}, expected: undefined },
]) {
  test(`the grace period of a claim is ${fact}`, async () => {
    const world = await aWorldWith(aPool(template));
    await ask(world, 'one');
    await world.advance(5_000);
    expect((await world.claims()).map(({ spec }) => spec.terminationGracePeriod)).toEqual([expected]);
    await world.stop();
  });
}

test('labels and annotations of a pool reach claim and node, and no requirement on a known label becomes one', async () => {
  const pool = aPool({
    requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'm5.xlarge'] }],
  });
  const { template } = pool.spec;
  const labels = { team: 'red', 'kubernetes.io/team': 'blue', 'sub.node.kubernetes.io/own': 'green' };
  const metadata = { labels, annotations: { note: 'x' } };
  const world = await aWorldWith({ ...pool, spec: { ...pool.spec, template: { ...template, metadata } } });
  await ask(world, 'one');
  await world.advance(5_000);
  const created = await world.claims();
  expect(created).toMatchObject([{ metadata }]);
  await world.advance(120_000);
  expect(await world.nodes()).toMatchObject([{ metadata }]);
  await world.stop();
});
