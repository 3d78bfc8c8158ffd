import {
  conditionOf,
  ec2NodeClasses,
  type KubernetesObject,
  nodeOverlays,
  nodePools,
  type NodeOverlay,
  type Pod,
  type ResourceType,
} from '@nodewright/apis';
import { CloudError } from '@nodewright/ports';
import { aNodeOverlay } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { aNodeClass, aPool, aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const instanceType = 'node.kubernetes.io/instance-type';
const settings = { nodeOverlay: true };

const runtimeClasses: ResourceType<KubernetesObject & { readonly handler: string; readonly overhead: object }> = {
  group: 'node.k8s.io',
  version: 'v1',
  plural: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
};

/** Cheaper than two small ones, and than one. */
const bargain = aNodeOverlay('bargain', { price: '0.05', of: { [instanceType]: ['m5.xlarge'] } });

const create = (world: World, overlay: NodeOverlay) => world.apply(world.client.create(nodeOverlays, overlay));

async function standing(world: World, name: string) {
  const overlay = await world.apply(world.client.get(nodeOverlays, { name }));
  return ['ValidationSucceeded', 'Ready'].map((type) => {
    const { status, reason } = (overlay && conditionOf(overlay, type)) ?? {};
    return `${type}=${status} ${reason}`;
  });
}

const launchedTypes = async (world: World) =>
  (await world.claims()).map(({ metadata }) => metadata.labels?.[instanceType]);

describe('a claim', () => {
  test('is launched as what overlays make the cheapest, and tells of it', async () => {
    const world = aWorld({ settings });
    await create(world, bargain);
    await aRunningCluster(world);
    expect(await launchedTypes(world)).toEqual(['m5.xlarge']);
    expect((await world.claims())[0]?.metadata.annotations).toMatchObject({
      'karpenter.sh/price-overlay-applied': 'true',
    });
    expect(await standing(world, 'bargain')).toEqual([
      'ValidationSucceeded=True ValidationSucceeded',
      'Ready=True Ready',
    ]);
    await world.stop();
  });

  test('is launched as if there were no overlays while the gate is off', async () => {
    const world = aWorld();
    await create(world, bargain);
    await aRunningCluster(world);
    expect(await launchedTypes(world)).toEqual(['m5.large']);
    expect((await world.apply(world.client.get(nodeOverlays, { name: 'bargain' })))?.status).toBeUndefined();
    await world.stop();
  });

  test('comes for pods that ask for what only an overlay gives', async () => {
    const world = aWorld({ settings });
    const capacity = { 'example.com/device': '2' };
    await create(world, aNodeOverlay('devices', { capacity, of: { [instanceType]: ['m5.xlarge'] } }));
    await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
    await world.apply(world.client.create(nodePools, aPool()));
    // Only a runtime class gives pods an overhead.
    const overhead = { 'example.com/device': '1' };
    const vm = { metadata: { name: 'vm' }, handler: 'vm', overhead: { podFixed: overhead } };
    await world.apply(world.client.create(runtimeClasses, vm));
    world.keepPods(1, { overhead, runtimeClassName: 'vm' } as Partial<Pod['spec']>);
    await world.advance(60_000);
    const [claim] = await world.claims();
    expect(claim?.metadata.annotations).toMatchObject({ 'karpenter.sh/capacity-overlay-applied': 'true' });
    expect(claim?.metadata.annotations).not.toHaveProperty('karpenter.sh/price-overlay-applied');
    expect(claim?.status?.allocatable).toMatchObject(capacity);
    await world.stop();
  });

  test('is launched after a restart as before', async () => {
    const world = aWorld({ settings });
    await create(world, bargain);
    await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
    await world.apply(world.client.create(nodePools, aPool()));
    await world.advance(60_000);
    world.keepPods(2, { nodeSelector: { team: 'my-team' } });
    await world.crash('atLaunch');
    await world.advance(180_000);
    expect(await launchedTypes(world)).toEqual(['m5.xlarge']);
    await world.stop();
  });
});

describe('an overlay', () => {
  test('that is turned down counts again once what it met is gone', async () => {
    const world = aWorld({ settings });
    await create(world, aNodeOverlay('a', { price: '1' }));
    await create(world, aNodeOverlay('b', { price: '1' }));
    await aRunningCluster(world);
    expect(await standing(world, 'a')).toEqual([
      'ValidationSucceeded=False Conflict',
      'Ready=False UnhealthyDependents',
    ]);
    await world.apply(world.client.delete(nodeOverlays, { name: 'b' }));
    await world.advance(1_000);
    expect(await standing(world, 'a')).toEqual(['ValidationSucceeded=True ValidationSucceeded', 'Ready=True Ready']);
    const told = (await world.events('ValidationSucceeded')).map(({ message }) => message);
    expect(told).toContainEqual(
      expect.stringMatching(
        /True -> False, Reason: Conflict, Message: conflict with another overlay: NodeOverlay b has the same weight/,
      ),
    );
    expect(told).toContainEqual(expect.stringMatching(/False -> True/));
    await world.stop();
  });

  test('that asks for a label nobody may ask for says so', async () => {
    const world = aWorld({ settings });
    const capacityType = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['ondemand'] } as const;
    await create(world, aNodeOverlay('a', { price: '1', requirements: [capacityType] }));
    await aRunningCluster(world);
    expect(await standing(world, 'a')).toEqual([
      'ValidationSucceeded=False RuntimeValidation',
      'Ready=False UnhealthyDependents',
    ]);
    await world.stop();
  });

  test('is held against a pool that comes later', async () => {
    const world = aWorld({ settings });
    await create(world, aNodeOverlay('a', { price: '1', of: { 'karpenter.sh/nodepool': ['later'] } }));
    await create(world, aNodeOverlay('b', { price: '1', of: { team: ['my-team'] } }));
    await aRunningCluster(world);
    expect((await standing(world, 'a'))[0]).toBe('ValidationSucceeded=True ValidationSucceeded');
    await world.apply(world.client.create(nodePools, { ...aPool(), metadata: { name: 'later' } }));
    await world.advance(1_000);
    expect((await standing(world, 'a'))[0]).toBe('ValidationSucceeded=False Conflict');
    await world.stop();
  });
});

test('while types cannot be listed nothing is launched, and everything goes on once they can', async () => {
  const world = aWorld({ settings });
  await create(world, bargain);
  world.cloud.breakLookup('instanceTypes', new CloudError('busy', { code: 'RequestLimitExceeded', retry: 'backOff' }));
  await aRunningCluster(world);
  expect(await world.claims()).toEqual([]);
  world.cloud.breakLookup('instanceTypes', undefined);
  await world.advance(180_000);
  expect(await launchedTypes(world)).toEqual(['m5.xlarge']);
  await world.stop();
});
