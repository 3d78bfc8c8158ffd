import { awsLabels, karpenterLabels, nodeClaims, pods } from '@nodewright/apis';
import { CloudError, type InterruptionKind, type QueuedMessage } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import { aRunningCluster, aWorld, worldStart, type World } from '@nodewright/testkit/worlds';

const interruption = (kind: InterruptionKind, ...instanceIds: readonly string[]): QueuedMessage['content'] => ({
  kind,
  instanceIds,
  announcedAt: worldStart,
});

async function aWatchedNode() {
  const world = aWorld({ withQueue: true });
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const instanceId = claim?.status?.providerID?.split('/').at(-1) ?? '';
  return { ...world, name: claim?.metadata.name ?? '', instanceId };
}

const isStaying = async (world: World, name: string) =>
  (await world.claims()).some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined);

const toldOf = async (world: World, reason: string) =>
  (await world.events(reason)).map(({ involvedObject, type }) => `${type} ${involvedObject.kind}`).toSorted();

describe('a message about an instance', () => {
  test.each<readonly [InterruptionKind, string, 'goes' | 'stays', string]>([
    ['spot_interrupted', 'SpotInterrupted', 'goes', 'Warning'],
    ['instance_stopped', 'InstanceStopping', 'goes', 'Warning'],
    ['instance_terminated', 'InstanceTerminating', 'goes', 'Warning'],
    ['scheduled_change', 'InstanceUnhealthy', 'goes', 'Warning'],
    ['capacity_reservation_interrupted', 'CapacityReservationInstanceInterrupted', 'goes', 'Warning'],
    ['rebalance_recommendation', 'SpotRebalanceRecommendation', 'stays', 'Normal'],
  ])('%s: an event %s, and the claim %s', async (kind, reason, expected, type) => {
    const world = await aWatchedNode();
    world.queue.send(interruption(kind, world.instanceId));
    await world.advance(1_000);
    expect(await isStaying(world, world.name)).toBe(expected === 'stays');
    expect(await toldOf(world, reason)).toEqual([`${type} Node`, `${type} NodeClaim`]);
    expect(await toldOf(world, 'TerminatingOnInterruption')).toEqual(
      expected === 'goes' ? ['Warning Node', 'Warning NodeClaim'] : [],
    );
    expect(world.queue.size).toBe(0);
    expect(await world.metric('karpenter_interruption_received_messages_total{')).toEqual([
      `karpenter_interruption_received_messages_total{message_type="${kind}"} 1`,
    ]);
    const disrupted = await world.metric('karpenter_nodeclaims_disrupted_total{');
    expect(disrupted.join()).toContain(expected === 'goes' ? `reason="${kind}",nodepool="default"` : '');
    expect(disrupted).toHaveLength(expected === 'goes' ? 1 : 0);
    await world.stop();
  });

  test('of somebody else changes nothing, and is removed like one that means nothing', async () => {
    const world = await aWatchedNode();
    world.queue.send(interruption('spot_interrupted', 'i-0000000000000beef'), interruption('no_op'));
    await world.advance(1_000);
    expect(await isStaying(world, world.name)).toBe(true);
    expect([world.queue.size, world.cloud.takenBack]).toEqual([0, []]);
    await world.stop();
  });

  test('that cannot be read is logged, removed, and not counted as received', async () => {
    const world = await aWatchedNode();
    world.queue.send({ kind: 'malformed', because: 'it is no JSON object' });
    await world.advance(1_000);
    expect(world.log.find(({ message }) => message === 'failed parsing interruption message')).toMatchObject({
      level: 'ERROR',
      error: 'it is no JSON object',
    });
    expect(await world.metric('karpenter_interruption_received_messages_total{')).toEqual([]);
    expect(await world.metric('karpenter_interruption_deleted_messages_total')).toEqual([
      'karpenter_interruption_deleted_messages_total 1',
    ]);
    await world.stop();
  });

  test('comes while another one does: all are answered, and the claim is deleted once', async () => {
    const world = await aWatchedNode();
    world.queue.send(
      interruption('rebalance_recommendation', world.instanceId),
      interruption('spot_interrupted', world.instanceId),
      interruption('instance_terminated', world.instanceId),
    );
    await world.advance(1_000);
    expect(world.queue.size).toBe(0);
    const disrupted = await world.metric('karpenter_nodeclaims_disrupted_total{');
    expect(disrupted).toHaveLength(1);
    expect(disrupted[0]).toMatch(/reason="spot_interrupted".* 1$/);
    await world.stop();
  });

  test('about a claim that is leaving already is an event, and removed', async () => {
    const world = await aWatchedNode();
    await world.apply(world.client.delete(nodeClaims, { name: world.name }));
    await world.time.settle(); // the operator hears of it before the message comes
    world.queue.send(interruption('scheduled_change', world.instanceId));
    await world.advance(1_000);
    expect(await toldOf(world, 'InstanceUnhealthy')).not.toEqual([]);
    expect(await toldOf(world, 'TerminatingOnInterruption')).toEqual([]);
    expect(world.queue.size).toBe(0);
    await world.stop();
  });
});

describe('capacity that is taken back is counted out', () => {
  test('of spot: the type in the zone', async () => {
    const world = await aWatchedNode();
    world.queue.send(interruption('spot_interrupted', world.instanceId));
    await world.advance(1_000);
    expect(world.cloud.takenBack).toEqual(['spot m5.large us-east-1a']);
    await world.stop();
  });

  test('of a reservation: all of it', async () => {
    const world = await aWatchedNode();
    const labels = { [awsLabels.capacityReservationId]: 'cr-1', [karpenterLabels.capacityType]: 'reserved' };
    const patch = { type: 'merge', patch: { metadata: { labels } } } as const;
    await world.apply(world.client.patch(nodeClaims, { name: world.name }, patch));
    await world.time.settle(); // the operator hears of it before the message comes
    world.queue.send(interruption('capacity_reservation_interrupted', world.instanceId));
    await world.advance(1_000);
    expect(world.cloud.takenBack).toEqual(['cr-1']);
    await world.stop();
  });

  test('even when the claim is leaving already', async () => {
    const world = await aWatchedNode();
    await world.apply(world.client.delete(nodeClaims, { name: world.name }));
    world.queue.send(interruption('spot_interrupted', world.instanceId));
    await world.advance(1_000);
    expect(world.cloud.takenBack).toEqual(['spot m5.large us-east-1a']);
    await world.stop();
  });
});

test('the pods of an interrupted node have another one before they leave it', async () => {
  const world = await aWatchedNode();
  world.queue.send(interruption('spot_interrupted', world.instanceId));
  await world.advance(120_000);
  const running = (await world.apply(world.client.list(pods, { namespace: 'default' }))).items;
  expect(running.every(({ spec }) => spec.nodeName !== undefined)).toBe(true);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(world.name);
  expect(world.cloud.fleet.running).toHaveLength(1);
  await world.stop();
});

test('killed after any of its writes, the controller draws every consequence, and the claim is deleted once', async () => {
  for (const afterWrite of [1, 2, 3]) {
    const world = await aWatchedNode();
    world.queue.send(interruption('spot_interrupted', world.instanceId));
    await world.crash({ afterWrite });
    await world.advance(180_000);
    expect(world.queue.size).toBe(0);
    expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(world.name);
    expect(await world.claims()).toHaveLength(1);
    await world.stop();
  }
});

test.each(['QueueDoesNotExist', 'AccessDenied'])(
  'a queue that answers %s is asked again, and the log says so',
  async (code) => {
    const world = await aWatchedNode();
    world.queue.breakDown(new CloudError(`${code}: no`, { code, retry: 'backOff' }));
    await world.advance(10_000);
    const complaint = world.log.find(({ controller, level }) => controller === 'interruption' && level === 'ERROR');
    expect(JSON.stringify(complaint)).toContain(code);
    world.queue.breakDown(undefined);
    world.queue.send(interruption('spot_interrupted', world.instanceId));
    await world.advance(60_000);
    expect(await isStaying(world, world.name)).toBe(false);
    await world.stop();
  },
);

test('without a queue nothing is asked', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  world.queue.send(interruption('no_op'));
  await world.advance(60_000);
  expect(world.queue.size).toBe(1);
  await world.stop();
});
