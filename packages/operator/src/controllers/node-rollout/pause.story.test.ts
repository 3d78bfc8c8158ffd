import { disruptionPauses, minutes, type DisruptionPause } from '@nodewright/apis';
import { aRolloutFleet, newImageId, passesWithin, provenImageId } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const aPause = (spec: Partial<DisruptionPause['spec']> = {}): DisruptionPause => ({
  metadata: { name: 'incident-7' },
  spec: { reason: 'INC-7', ...spec },
});

test('while a pause holds no drifted node goes, and the event says why; afterwards they go', async () => {
  const fleet = await aRolloutFleet(2);
  await fleet.apply(fleet.client.create(disruptionPauses, aPause({ scope: { reasons: ['Drifted'] } })));
  fleet.publish();
  await fleet.advance(minutes(12));
  expect(await fleet.imagesOfNodes()).toEqual([provenImageId, provenImageId]);
  const told = (await fleet.events('DisruptionBlocked')).map(({ message }) => message);
  expect(new Set(told)).toEqual(new Set(['DisruptionPause incident-7: INC-7']));
  await fleet.apply(fleet.client.delete(disruptionPauses, { name: 'incident-7' }));
  const areAllNew = async () => (await fleet.imagesOfNodes()).every((image) => image === newImageId);
  expect(await passesWithin(fleet, 15, areAllNew)).toBe(true);
  await fleet.stop();
});
