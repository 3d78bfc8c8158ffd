import { karpenterAnnotations, nodeClaims, nodes, toTimestamp, unregisteredTaint } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

const minute = 60_000;

async function aSickNode(nodeRepair: boolean) {
  const world = aWorld({ settings: { nodeRepair } });
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const name = claim?.metadata.name ?? '';
  const metadata = { finalizers: ['karpenter.sh/termination', 'example.com/keep'] };
  await world.apply(world.client.patch(nodeClaims, { name }, { type: 'merge', patch: { metadata } }));
  const since = toTimestamp(world.time.clock.now());
  const conditions = [
    { type: 'Ready', status: 'True' },
    { type: 'NetworkingReady', status: 'False', lastTransitionTime: since },
  ];
  const patch = { type: 'merge', patch: { status: { conditions } } } as const;
  const node = { name: claim?.status?.nodeName ?? '' };
  await world.apply(world.client.patch(nodes, node, patch, { subresource: 'status' }));
  const seen = async () => (await world.claims()).find((each) => each.metadata.name === name)?.metadata;
  return { ...world, seen };
}

test('a node that is unhealthy for half an hour is replaced, and its drain forced', async () => {
  const world = await aSickNode(true);
  await world.advance(29 * minute);
  expect((await world.seen())?.deletionTimestamp).toBeUndefined();
  await world.advance(2 * minute);
  const { deletionTimestamp, annotations } = (await world.seen()) ?? {};
  expect(deletionTimestamp).toBeDefined();
  expect(annotations?.[karpenterAnnotations.terminationTimestamp]).toBe(deletionTimestamp);
  expect((await world.metric('karpenter_nodeclaims_disrupted_total{')).join()).toContain('reason="unhealthy"');
  expect((await world.metric('karpenter_nodeclaims_unhealthy_disrupted_total{')).join()).toContain(
    'condition="networking_ready",nodepool="default",capacity_type="on-demand",image_id="ami-al2-1.28"',
  );
  await world.stop();
});

test('a node that is unhealthy since before it was registered is replaced as well', async () => {
  const world = aWorld({ settings: { nodeRepair: true } });
  world.machines.setJoining(false);
  await aRunningCluster(world);
  const [instance] = world.cloud.fleet.running;
  const name = instance?.privateDnsName ?? '';
  const spec = { providerID: instance?.providerId ?? '', taints: [unregisteredTaint] };
  const lastTransitionTime = toTimestamp(world.time.clock.now());
  const patch = { status: { conditions: [{ type: 'NetworkingReady', status: 'False', lastTransitionTime }] } };
  const { client } = world;
  const joining = client
    .create(nodes, { metadata: { name }, spec })
    .then(() => client.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' }));
  await world.apply(joining);
  await world.advance(29 * minute);
  const [claim] = await world.claims();
  expect([claim?.status?.nodeName, claim?.metadata.deletionTimestamp]).toEqual([name, undefined]);
  await world.advance(2 * minute);
  const staying = (await world.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  expect(staying.map(({ metadata }) => metadata.name)).not.toContain(claim?.metadata.name);
  await world.stop();
});

test('without the gate NodeRepair it stays', async () => {
  const world = await aSickNode(false);
  await world.advance(60 * minute);
  expect((await world.seen())?.deletionTimestamp).toBeUndefined();
  await world.stop();
});
