import { minutes, nodeRolloutPolicies } from '@nodewright/apis';
import { aRolloutFleet, newImageId, passesWithin, provenImageId, quickWaves } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { readRolloutPlans } from '../../cluster-reading.ts';

test('what keeps nodes for want of addresses is told to whoever asks, in the order of the gates', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  const readStatus = async () =>
    (await fleet.apply(fleet.client.get(nodeRolloutPolicies, { name: 'production' })))?.status;
  const readGates = async () => {
    const [outlook] = await fleet.apply(readRolloutPlans(fleet.client, fleet.time.clock.now()));
    return outlook?.plan.held.map(({ blockers }) => blockers.map(({ gate, message }) => `${gate}: ${message}`));
  };
  fleet.cloud.leaveAddresses(0);
  await fleet.advance(minutes(10));
  fleet.publish();
  expect(await passesWithin(fleet, 20, async () => (await readStatus())?.room !== undefined)).toBe(true);
  expect((await readStatus())?.room).toEqual([{ source: 'EC2NodeClass/default', freeAddresses: 0 }]);
  const addresses = 'addresses: subnets of EC2NodeClass/default have 0 free addresses; this move takes 1';
  expect(await readGates()).toEqual([[addresses], [addresses]]);
  expect(new Set(await fleet.imagesOfNodes())).toEqual(new Set([provenImageId]));

  fleet.cloud.leaveAddresses(100);
  const areAllNew = async () => (await fleet.imagesOfNodes()).every((image) => image === newImageId);
  expect(await passesWithin(fleet, 60, areAllNew)).toBe(true);
  expect(await readStatus()).not.toHaveProperty('room');
  await fleet.stop();
});

test('what keeps nodes below a limit on vCPUs is told with its numbers, and one move at a time goes through little room', async () => {
  const fleet = await aRolloutFleet(3, { waves: [{ name: 'all', nodes: '100%' }], pace: { minInterval: '1s' } });
  const readPolicy = async () =>
    (await fleet.apply(fleet.client.get(nodeRolloutPolicies, { name: 'production' })))?.status;
  const isTold = async () => (await readPolicy())?.quotas !== undefined;
  fleet.cloud.leaveVcpus(0);
  await fleet.advance(minutes(2));
  fleet.publish();
  expect(await passesWithin(fleet, 20, isTold)).toBe(true);
  const full = 'quota "Running On-Demand Standard instances" (L-1216C47A) has 0 of 64 vCPUs free';
  const [outlook] = await fleet.apply(readRolloutPlans(fleet.client, fleet.time.clock.now()));
  expect(outlook?.plan.held.map(({ blockers }) => blockers.map(({ gate, message }) => [gate, message]))).toEqual(
    Array.from({ length: 3 }, () => [['quota', `${full}; this move takes 1`]]),
  );
  expect((await readPolicy())?.conditions).toContainEqual(
    expect.objectContaining({ type: 'BackingOff', status: 'True', message: `NodePool/default: ${full}` }),
  );
  expect(new Set(await fleet.imagesOfNodes())).toEqual(new Set([provenImageId]));

  fleet.cloud.leaveVcpus(1);
  let most = 0;
  const areAllNew = async () => {
    const images = await fleet.imagesOfNodes();
    most = Math.max(most, images.length);
    return images.length === 3 && images.every((image) => image === newImageId);
  };
  expect(await passesWithin(fleet, 60, areAllNew)).toBe(true);
  expect(most).toBe(4);
  expect(await readPolicy()).not.toHaveProperty('quotas');
  await fleet.stop();
});

test('a quota that cannot be read keeps no node', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  fleet.cloud.leaveVcpus(0);
  fleet.cloud.breakLookup('quotas', new Error('User is not authorized to perform: servicequotas:GetServiceQuota'));
  await fleet.advance(minutes(2));
  fleet.publish();
  const areAllNew = async () => (await fleet.imagesOfNodes()).every((image) => image === newImageId);
  expect(await passesWithin(fleet, 60, areAllNew)).toBe(true);
  await fleet.stop();
});
