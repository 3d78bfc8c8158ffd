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
