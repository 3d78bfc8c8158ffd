import { awsLabels, conditionOf, instant, karpenterLabels, nodeClaims, nodes, type NodeClaim } from '@nodewright/apis';
import type { FoundReservation } from '@nodewright/ports';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld, worldStart, type World } from '@nodewright/testkit/worlds';

const minute = 60_000;

const aReservation = (traits: Partial<FoundReservation> = {}): FoundReservation => ({
  id: 'cr-1',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  ownerId: '111122223333',
  matchCriteria: 'targeted',
  type: 'default',
  interruptible: false,
  state: 'active',
  ...traits,
});

/** A cluster whose one node runs in the reservation. */
async function aReservedNode(reservation = aReservation(), settings = {}): Promise<World & { providerId: string }> {
  const world = aWorld({ settings });
  world.cloud.setReservations([reservation]);
  world.cloud.fleet.onLaunch(({ providerId }) => world.cloud.fleet.moveToReservation(providerId, reservation.id));
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const labels = {
    [karpenterLabels.capacityType]: 'reserved',
    [awsLabels.capacityReservationId]: reservation.id,
    [awsLabels.capacityReservationType]: reservation.type,
    [awsLabels.capacityReservationInterruptible]: 'false',
  };
  const patch = { type: 'merge', patch: { metadata: { labels } } } as const;
  await world.apply(world.client.patch(nodeClaims, { name: claim?.metadata.name ?? '' }, patch));
  await world.apply(world.client.patch(nodes, { name: claim?.status?.nodeName ?? '' }, patch));
  return { ...world, providerId: claim?.status?.providerID ?? '' };
}

const reservationLabels = ({ metadata: { labels = {} } }: Pick<NodeClaim, 'metadata'>) => ({
  capacityType: labels[karpenterLabels.capacityType],
  others: Object.keys(labels).filter((key) => key.includes('capacity-reservation')),
});

const asOnDemand = { capacityType: 'on-demand', others: [] };

const labelled = async (world: World) => [...(await world.claims()), ...(await world.nodes())].map(reservationLabels);

const driftOf = async (world: World) => (await world.claims()).map((claim) => conditionOf(claim, 'Drifted')?.reason);

test('claim and node stay reserved while the instance is in its reservation', async () => {
  const world = await aReservedNode();
  await world.advance(10 * minute);
  expect((await labelled(world)).map(({ capacityType }) => capacityType)).toEqual(['reserved', 'reserved']);
  expect(await driftOf(world)).toEqual([undefined]);
  await world.stop();
});

test('claim and node become on-demand within a minute when the instance leaves it, and do not drift', async () => {
  const world = await aReservedNode();
  world.cloud.setReservations([]);
  world.cloud.fleet.moveToReservation(world.providerId, undefined);
  await world.advance(minute);
  expect(await labelled(world)).toEqual([asOnDemand, asOnDemand]);
  await world.advance(10 * minute);
  expect(await driftOf(world)).toEqual([undefined]);
  expect(world.cloud.fleet.requests).toHaveLength(1);
  await world.stop();
});

test('a node that was left behind follows its claim', async () => {
  const world = await aReservedNode();
  world.cloud.fleet.moveToReservation(world.providerId, undefined);
  const [claim] = await world.claims();
  const patch = { metadata: { labels: { [karpenterLabels.capacityType]: 'on-demand' } } };
  await world.apply(world.client.patch(nodeClaims, { name: claim?.metadata.name ?? '' }, { type: 'merge', patch }));
  await world.advance(minute);
  expect((await world.nodes()).map(reservationLabels)).toEqual([asOnDemand]);
  await world.stop();
});

test('nothing is relabelled while the gate ReservedCapacity is off', async () => {
  const world = await aReservedNode(aReservation(), { reservedCapacity: false });
  world.cloud.fleet.moveToReservation(world.providerId, undefined);
  await world.advance(2 * minute);
  expect((await labelled(world)).map(({ capacityType }) => capacityType)).toEqual(['reserved', 'reserved']);
  await world.stop();
});

test('the nodes of a capacity block are ended when it begins to expire', async () => {
  const block = aReservation({ type: 'capacity-block', endsAt: instant(worldStart + 60 * minute) });
  const world = await aReservedNode(block);
  const [before] = await world.claims();
  await world.advance(10 * minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).toEqual([before?.metadata.name]);
  world.cloud.setReservations([{ ...block, state: 'expiring' }]);
  await world.advance(minute);
  const ending = (await world.claims()).find(({ metadata }) => metadata.name === before?.metadata.name);
  expect(ending === undefined || ending.metadata.deletionTimestamp !== undefined).toBe(true);
  await world.stop();
});

test('a node whose reservation its class no longer selects drifts', async () => {
  const world = await aReservedNode();
  world.cloud.setReservations([aReservation({ id: 'cr-2' })]);
  await world.advance(90_000);
  expect((await driftOf(world))[0]).toBe('CapacityReservationDrift');
  await world.stop();
});
