import { karpenterAnnotations, nodeClaims, nodes, toTimestamp } from '@nodewright/apis';
import { CloudError, type HealthCategory } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import { aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const minute = 60_000;

async function aNode() {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  // A finalizer of the test keeps the claim to look at.
  const metadata = { finalizers: ['karpenter.sh/termination', 'example.com/keep'] };
  const name = claim?.metadata.name ?? '';
  await world.apply(world.client.patch(nodeClaims, { name }, { type: 'merge', patch: { metadata } }));
  const instanceId = claim?.status?.providerID?.split('/').at(-1) ?? '';
  const find = (...categories: readonly HealthCategory[]) => world.cloud.setUnhealthy([{ instanceId, categories }]);
  return { ...world, name, instanceId, find };
}

const claimOf = async (world: World, name: string) =>
  (await world.claims()).find(({ metadata }) => metadata.name === name);

const counted = (world: World) => world.metric('karpenter_interruption_instance_status_unhealthy_total{');

describe('an unhealthy instance', () => {
  test.each<readonly [readonly HealthCategory[], 'forced' | 'graceful', string]>([
    [['InstanceStatus'], 'forced', 'instance_status'],
    [['SystemStatus'], 'forced', 'system_status'],
    [['EventStatus'], 'graceful', 'event_status'],
    [['SystemStatus', 'EventStatus'], 'forced', 'system_status'],
  ])('%o: the claim is deleted, and its drain %s', async (categories, drain, reason) => {
    const world = await aNode();
    world.find(...categories);
    await world.advance(minute);
    const { metadata } = (await claimOf(world, world.name)) ?? {};
    expect(metadata?.deletionTimestamp).toBeDefined();
    const deadline = metadata?.annotations?.[karpenterAnnotations.terminationTimestamp];
    expect(deadline).toEqual(drain === 'forced' ? metadata?.deletionTimestamp : undefined);
    expect((await world.metric('karpenter_nodeclaims_disrupted_total{')).join()).toContain(`reason="${reason}"`);
    const heard = (await world.events('InstanceUnhealthy')).map(({ involvedObject: { kind = '' } }) => kind);
    expect(new Set(heard)).toEqual(new Set(['NodeClaim', 'Node']));
    await world.stop();
  });

  test('is forced once: an earlier deadline stays', async () => {
    const world = await aNode();
    const earlier = toTimestamp(world.time.clock.now());
    const patch = { metadata: { annotations: { [karpenterAnnotations.terminationTimestamp]: earlier } } };
    await world.apply(world.client.patch(nodeClaims, { name: world.name }, { type: 'merge', patch }));
    world.find('SystemStatus');
    await world.advance(3 * minute);
    const claim = await claimOf(world, world.name);
    expect(claim?.metadata.annotations?.[karpenterAnnotations.terminationTimestamp]).toBe(earlier);
    await world.stop();
  });

  test('counts once while it stays so, and again when it becomes so again', async () => {
    const world = await aNode();
    const line = (count: number) => [
      `karpenter_interruption_instance_status_unhealthy_total{category="EventStatus"} ${count}`,
    ];
    world.find('EventStatus');
    await world.advance(3 * minute);
    expect(await counted(world)).toEqual(line(1));
    world.cloud.setUnhealthy([]);
    await world.advance(minute);
    world.find('EventStatus');
    await world.advance(minute);
    expect(await counted(world)).toEqual(line(2));
    await world.stop();
  });

  test('of somebody else is left alone', async () => {
    const world = await aNode();
    world.cloud.setUnhealthy([{ instanceId: 'i-0000000000000beef', categories: ['SystemStatus'] }]);
    await world.advance(minute);
    expect((await claimOf(world, world.name))?.metadata.deletionTimestamp).toBeUndefined();
    expect(await counted(world)).toEqual([]);
    await world.stop();
  });
});

test('who may not ask says so once and asks no more', async () => {
  const world = await aNode();
  const refusal = new CloudError('UnauthorizedOperation: no', { code: 'UnauthorizedOperation', retry: 'backOff' });
  world.cloud.breakLookup('instanceHealth', refusal);
  await world.advance(5 * minute);
  const complaints = world.messages().filter((message) => message.includes('ec2:DescribeInstanceStatus'));
  expect(complaints).toHaveLength(1);
  world.cloud.breakLookup('instanceHealth', undefined);
  world.find('SystemStatus');
  await world.advance(5 * minute);
  expect((await claimOf(world, world.name))?.metadata.deletionTimestamp).toBeUndefined();
  await world.stop();
});

for (const { fact, isReady, within } of [
  { fact: 'at rest, an impaired instance whose node is ready is found within half an hour', isReady: true, within: 30 },
  { fact: 'an impaired instance whose node is not ready is found within two minutes', isReady: false, within: 2 },
]) {
  test(fact, async () => {
    const world = await aNode();
    await world.advance(40 * minute);
    world.find('SystemStatus');
    const { nodeName = '' } = (await claimOf(world, world.name))?.status ?? {};
    const status = { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'Unknown' }] };
    await world.apply(
      world.client.patch(nodes, { name: nodeName }, { type: 'merge', patch: { status } }, { subresource: 'status' }),
    );
    const isGivenUp = async () => (await claimOf(world, world.name))?.metadata.deletionTimestamp !== undefined;
    let passed = 0;
    for (; passed < 60 && !(await isGivenUp()); passed += 1) await world.advance(minute);
    expect(passed).toBeLessThanOrEqual(within);
    await world.stop();
  });
}
