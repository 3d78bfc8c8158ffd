import { ec2NodeClasses, nodePools } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aNodeClass, aPool, aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

const named = (name: string, pool: ReturnType<typeof aPool>) => ({ ...pool, metadata: { ...pool.metadata, name } });

test('only pools that are ready and dynamic launch, however heavy the others are', async () => {
  const world = aWorld();
  const heavy = aPool();
  const { template } = heavy.spec;
  const fixed = named('fixed', { ...heavy, spec: { template, replicas: 0 } });
  const lost = { ...template.spec, nodeClassRef: { ...template.spec.nodeClassRef, name: 'lost' } };
  const unready = named('unready', {
    ...heavy,
    spec: { ...heavy.spec, weight: 100, template: { ...template, spec: lost } },
  });
  await world.apply(world.client.create(nodePools, fixed));
  await world.apply(world.client.create(nodePools, unready));
  await aRunningCluster(world);
  const pools = (await world.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']);
  expect(pools).toEqual(['default']);
  expect(world.log.find(({ message }) => message === 'ignoring nodepool, not ready')).toMatchObject({
    controller: 'provisioner',
    NodePool: { name: 'unready' },
  });
  await world.stop();
});

test('pods that wait for a pool get their node when it becomes ready, not when they ask again', async () => {
  const world = aWorld();
  world.keepPods(2);
  await world.advance(23_000); // pods ask every ten seconds
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool()));
  await world.advance(2_500);
  expect(await world.claims()).toHaveLength(1);
  await world.stop();
});
