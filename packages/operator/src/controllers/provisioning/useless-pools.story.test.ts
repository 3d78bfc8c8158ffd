import { instant, nodePools, outOfCapacityOn, pods, type Pod } from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { readClusterState } from '../../cluster-reading.ts';
import { aNodeClass, aPool, aRunningCluster, aWorld, worldStart } from '@nodewright/testkit/worlds';

test('a pool that no instance type suits is told so', async () => {
  const world = aWorld();
  await aRunningCluster(
    world,
    aPool({ requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['z9.huge'] }] }),
  );
  expect(await world.claims()).toEqual([]);
  const [event] = await world.events('NoCompatibleInstanceTypes');
  expect(event).toMatchObject({ type: 'Warning', involvedObject: { kind: 'NodePool', name: 'default' } });
  expect(world.messages()).toContain('skipping, nodepool requirements filtered out all instance types');
  await world.stop();
});

test('a pool whose types are too few for its minValues is told so', async () => {
  const world = aWorld();
  const requirement = { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 5 } as const;
  await aRunningCluster(world, aPool({ requirements: [requirement] }));
  expect(await world.claims()).toEqual([]);
  const [event] = await world.events('NoCompatibleInstanceTypes');
  expect(event?.message).toMatch(/^NodePool requirements filtered out .* due to minValues incompatibility$/);
  await world.stop();
});

test('a pool for which no instance type is found is told so, too', async () => {
  const world = aWorld({ instanceTypes: [] });
  await aRunningCluster(world);
  expect(await world.events('NoCompatibleInstanceTypes')).toHaveLength(1);
  expect(world.messages()).toContain('skipping, no resolved instance types found');
  await world.stop();
});

test('a pod hears why nothing that suits it can be bought now', async () => {
  const type = anInstanceType('c8', { cpu: 8 });
  const shortage = { cause: 'no selected image is for amd64', fix: 'select one' };
  const offerings = type.offerings.map((offering) => ({ ...offering, available: false, shortage }));
  const world = aWorld({ instanceTypes: [{ ...type, offerings }] });
  await aRunningCluster(world);
  const told = (await world.events('FailedScheduling')).filter(({ source }) => source?.component === 'karpenter');
  expect(told[0]?.message).toContain(
    '0 after what can be bought there now (no selected image is for amd64: select one)',
  );
  await world.stop();
});

const told = async (world: ReturnType<typeof aWorld>) =>
  (await world.events('FailedScheduling'))
    .filter(({ source }) => source?.component === 'karpenter')
    .map(({ message }) => message);

const web: Pod = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'pause' }] },
};

test('pods hear why no NodePool is ready, once as long as that is so', async () => {
  const world = aWorld();
  await world.apply(world.client.create(nodePools, aPool()));
  await world.apply(world.client.create(pods, web));
  await world.advance(60_000);
  expect(await told(world)).toEqual([
    'Failed to schedule pod, NodePool default: launches nothing now: NodeClassReady is False, NodeClassNotFound: NodeClass not found on cluster: default',
  ]);
  await world.stop();
});

test('where there is no NodePool, pods are left alone', async () => {
  const world = aWorld();
  await world.apply(world.client.create(pods, web));
  await world.advance(60_000);
  expect(await told(world)).toEqual([]);
  await world.stop();
});

test('what the cloud is out of is written on the class as long as it lasts, and told to pods', async () => {
  const until = instant(worldStart + 300_000);
  const type = anInstanceType('c8', { cpu: 8 });
  const offerings = type.offerings.map((each) => ({
    ...each,
    available: false,
    shortage: { cause: 'out of capacity', until },
  }));
  const world = aWorld({ instanceTypes: [{ ...type, offerings }] });
  await aRunningCluster(world);
  const written = async () => outOfCapacityOn((await world.nodeClass()) ?? aNodeClass());
  expect(new Set((await written()).map((each) => each.until))).toEqual(new Set([until]));
  expect((await told(world))[0]).toContain('out of capacity in zone-a, zone-b, zone-c until 2024-01-28T16:05:00Z');
  await world.advance(240_000);
  expect(await written()).toEqual([]);
  await world.stop();
});

const reading = async (world: ReturnType<typeof aWorld>) =>
  world.apply(
    readClusterState(
      {
        client: world.client,
        cloud: world.cloud,
        options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
        defaultSpread: [],
        now: world.time.clock.now(),
      },
      new AbortController().signal,
    ),
  );

test('event, log and whoever reads the cluster tell the same, and tell it again when it changes', async () => {
  const world = aWorld();
  const tainted = aPool({ taints: [{ key: 'team', effect: 'NoSchedule' }] }, { limits: { cpu: '1' } });
  await aRunningCluster(world, tainted);
  const [first, ...others] = await told(world);
  expect(first).toContain('the pod does not tolerate taint team:NoSchedule; fix: tolerate it');
  const { round } = await reading(world);
  expect(first).toBe(`Failed to schedule pod, ${round.unschedulable[0]?.reasons.join('. ')}`);
  const logged = world.log.findLast(({ message }) => message === 'could not schedule pod');
  expect(first).toBe(`Failed to schedule pod, ${String(logged?.['error'])}`);
  expect(others).toHaveLength(1); // one for each of two pods
  const { template } = tainted.spec;
  const patch = { spec: { template: { spec: { ...template.spec, taints: [] } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(30_000);
  const limits = 'spec.limits: cpu 1, of which 0 in use or planned';
  expect((await told(world)).filter((message) => message?.includes(limits))).toHaveLength(2);
  expect(await told(world)).toHaveLength(4);
  await world.stop();
});
