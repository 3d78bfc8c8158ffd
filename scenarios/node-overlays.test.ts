import { conditionOf, nodeOverlays, nodes, type KubernetesObject } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { manifest } from './support/manifests.ts';
import { example, gatedWorld } from './support/gated-world.ts';

const boughtAs = ({ metadata: { labels = {}, annotations = {} } }: KubernetesObject) => ({
  family: labels['karpenter.k8s.aws/instance-family'],
  capacityType: labels['karpenter.sh/capacity-type'],
  atPricesOfOurs: annotations['karpenter.sh/price-overlay-applied'],
});

test('a savings plan makes a family the cheapest, in the fleet that EC2 is asked for too', async () => {
  const world = await gatedWorld('NodeOverlay=true');
  await world.apply(example('node-overlays/prices.yaml'));
  await world.apply(manifest('sample-deploy.yaml'));
  await world.pass(3);
  expect((await world.claims()).map(boughtAs)).toEqual([
    { family: 'm7i', capacityType: 'on-demand', atPricesOfOurs: 'true' },
  ]);
  const overlays = (await world.time.finish(world.admin.list(nodeOverlays))).items;
  expect(overlays.map((overlay) => conditionOf(overlay, 'Ready')?.status)).toEqual(['True', 'True']);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  await world.end();
});

test('a node is started for devices that only a plugin knows of, and is ready once the plugin brings them', async () => {
  const world = await gatedWorld('NodeOverlay=true');
  await world.apply(example('node-overlays/devices.yaml'));
  await world.pass(3);
  const [claim, another] = await world.claims();
  expect(another).toBeUndefined();
  expect(claim?.status?.allocatable).toMatchObject({ 'smarter-devices/fuse': '8' });
  expect(claim && conditionOf(claim, 'Initialized')?.reason).toBe('ResourceNotRegistered');
  const devices = { 'smarter-devices/fuse': '8' };
  const patch = { type: 'merge', patch: { status: { capacity: devices, allocatable: devices } } } as const;
  const name = claim?.status?.nodeName ?? '';
  await world.time.finish(world.admin.patch(nodes, { name }, patch, { subresource: 'status' }));
  await world.pass(2);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect((await world.claims()).map((each) => conditionOf(each, 'Ready')?.status)).toEqual(['True']);
  await world.end();
});
