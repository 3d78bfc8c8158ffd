import { nodeClaims } from '@nodewright/apis';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';
import { expect, test, vi } from 'vitest';

test('an instance that EC2 does not describe yet is tagged when it does', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const { providerID = '', nodeName } = claim?.status ?? {};
  world.cloud.fleet.hide(providerID);
  const untagged = { metadata: { annotations: { 'karpenter.k8s.aws/tagged': null } } };
  const key = { name: claim?.metadata.name ?? '' };
  await world.apply(world.client.patch(nodeClaims, key, { type: 'merge', patch: untagged }));
  await world.advance(60_000);
  expect((await world.claims())[0]?.metadata.annotations).not.toHaveProperty(['karpenter.k8s.aws/tagged']);
  world.cloud.fleet.show(providerID);
  await world.advance(60_000);
  expect((await world.claims())[0]?.metadata.annotations).toHaveProperty(['karpenter.k8s.aws/tagged'], 'true');
  expect(world.cloud.fleet.running[0]?.tags).toMatchObject({ Name: nodeName });
  await world.stop();
});

test('a claim that was tagged before the tag of the cluster was told apart is tagged again', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const annotation = 'compatibility.karpenter.k8s.aws/cluster-name-tagged';
  expect(claim?.metadata.annotations).toMatchObject({ 'karpenter.k8s.aws/tagged': 'true', [annotation]: 'true' });
  const old = { metadata: { annotations: { [annotation]: null } } };
  await world.apply(
    world.client.patch(nodeClaims, { name: claim?.metadata.name ?? '' }, { type: 'merge', patch: old }),
  );
  await world.advance(60_000);
  expect((await world.claims())[0]?.metadata.annotations).toHaveProperty([annotation], 'true');
  await world.stop();
});

test('a claim that is to be tagged again is compared with what EC2 says now, not with what it said before', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const [instance] = world.cloud.fleet.running;
  if (instance === undefined) throw new Error('no instance runs');
  vi.spyOn(world.cloud.fleet, 'lastSeen').mockResolvedValue(instance);
  vi.spyOn(world.cloud.fleet, 'get').mockResolvedValue({ ...instance, tags: {} });
  const tag = vi.spyOn(world.cloud.fleet, 'tag');
  const old = { metadata: { annotations: { 'compatibility.karpenter.k8s.aws/cluster-name-tagged': null } } };
  const key = { name: claim?.metadata.name ?? '' };
  await world.apply(world.client.patch(nodeClaims, key, { type: 'merge', patch: old }));
  await world.advance(60_000);
  expect(tag.mock.calls[0]?.slice(0, 2)).toMatchObject([instance.providerId, { Name: claim?.status?.nodeName }]);
  await world.stop();
});
