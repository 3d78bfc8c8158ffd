import { conditionOf, minutes, nodeRolloutPolicies } from '@nodewright/apis';
import { aRolloutFleet, type RolloutFleet } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { readRolloutPlans } from '../../cluster-reading.ts';

const maxAge = { soft: '20m', hard: '30m' };

const readAgeCondition = async (fleet: RolloutFleet) => {
  const policy = await fleet.apply(fleet.client.get(nodeRolloutPolicies, { name: 'production' }));
  return conditionOf(policy ?? { metadata: { name: '' } }, 'MaxAgeTooTight');
};

test('nodes that go by force before the policy can let them go are told by a condition, an event and the plan', async () => {
  const fleet = await aRolloutFleet(4, { maxAge, pace: { minInterval: '8m' } });
  await fleet.advance(minutes(1));
  // One after twenty minutes, one eight minutes later: two are left when the half hour is over.
  expect(await readAgeCondition(fleet)).toMatchObject({
    status: 'True',
    reason: 'PaceTooSlow',
    message: expect.stringContaining(
      'NodePool/default: 2 of 4 nodes reach maxAge.hard before pace and windows let them go',
    ),
  });
  const [outlook] = await fleet.apply(readRolloutPlans(fleet.client, fleet.time.clock.now()));
  expect(outlook?.plan.lateNodes.length).toBe(2);
  await fleet.advance(minutes(5));
  const told = await fleet.events('MaxAgeTooTight');
  expect(told.map(({ type, involvedObject }) => [type, involvedObject.name])).toEqual([['Warning', 'production']]);
  await fleet.stop();
});

test('a policy that has time enough tells nothing of it', async () => {
  const fleet = await aRolloutFleet(4, { maxAge, pace: { minInterval: '1m' } });
  await fleet.advance(minutes(1));
  expect(await readAgeCondition(fleet)).toMatchObject({ status: 'False' });
  expect(await fleet.events('MaxAgeTooTight')).toEqual([]);
  await fleet.stop();
});

test('a policy without maxAge has no such condition', async () => {
  const fleet = await aRolloutFleet(1, {});
  await fleet.advance(minutes(1));
  expect(await readAgeCondition(fleet)).toBeUndefined();
  await fleet.stop();
});
