import { conditionOf, minutes, nodeRolloutPolicies, type NodeRolloutStatus } from '@nodewright/apis';
import {
  aRolloutFleet,
  newImageId,
  passesWithin,
  provenImageId,
  quickWaves,
  type RolloutFleet,
} from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const lastStatus = async (fleet: RolloutFleet): Promise<NodeRolloutStatus> =>
  (await fleet.rollouts()).at(-1)?.status ?? {};
const reaches = (fleet: RolloutFleet, state: NodeRolloutStatus['state'], limit = 60): Promise<boolean> =>
  passesWithin(fleet, limit, async () => (await lastStatus(fleet)).state === state);
const selected = async (fleet: RolloutFleet) => (await fleet.nodeClass())?.status?.amis?.map(({ id }) => id);
const times = (count: number, image: string): readonly string[] => Array.from({ length: count }, () => image);

/** One node runs the new image, and the one that it replaces is gone. */
async function reachCanary(fleet: RolloutFleet): Promise<void> {
  fleet.publish();
  expect(await reaches(fleet, 'Soaking')).toBe(true);
  await fleet.advance(minutes(3));
}

async function nodeOnNewImage(fleet: RolloutFleet): Promise<string> {
  const claim = (await fleet.claims()).find(({ status }) => status?.imageID === newImageId);
  return claim?.status?.nodeName ?? '';
}

test('a new image goes to one node first, other launches get the proven one, and in the end all nodes have it', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  expect(await fleet.imagesOfNodes()).toEqual(times(2, provenImageId));
  await reachCanary(fleet);
  expect(await fleet.imagesOfNodes()).toEqual([provenImageId, newImageId]);
  expect(new Set(await selected(fleet))).toEqual(new Set([provenImageId]));

  fleet.keepPods(1, { nodeSelector: { team: 'my-team' } });
  await fleet.advance(minutes(3));
  expect(fleet.launchedImages().at(-1)).toBe(provenImageId);

  expect(await reaches(fleet, 'Complete')).toBe(true);
  expect(await fleet.imagesOfNodes()).toEqual(times(3, newImageId));
  expect(new Set(await selected(fleet))).toEqual(new Set([newImageId]));
  for (const reason of ['Started', 'WaveDone', 'Complete']) expect(await fleet.events(reason)).not.toEqual([]);
  expect(await fleet.metric('nodewright_rollout_happenings_total')).toContain(
    'nodewright_rollout_happenings_total{policy="production",kind="Complete"} 1',
  );
  await fleet.stop();
});

test('a new node may take as long to join as the policy says, and goes when it is written down that it did not', async () => {
  const fleet = await aRolloutFleet(2, { ...quickWaves, health: { signals: { registration: { within: '20m' } } } });
  fleet.machines.setJoining(false);
  fleet.publish();
  const launched = () => fleet.launchedImages().filter((image) => image === newImageId).length;
  expect(await passesWithin(fleet, 10, async () => launched() === 1)).toBe(true);
  await fleet.advance(minutes(18));
  expect([(await lastStatus(fleet)).state, (await fleet.claims()).length]).toEqual(['Progressing', 3]);
  expect(await reaches(fleet, 'Halted', 6)).toBe(true);
  expect((await lastStatus(fleet)).failures).toMatchObject([{ signal: 'registration' }]);
  expect(launched()).toBe(1);
  await fleet.stop();
});

test('a node that falls silent halts the rollout, a rule keeps the image out, and a person takes it back', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  await reachCanary(fleet);
  const silent = await nodeOnNewImage(fleet);
  await fleet.apply(fleet.machines.fail(silent));
  expect(await reaches(fleet, 'Halted', 6)).toBe(true);
  expect((await lastStatus(fleet)).failures).toMatchObject([{ nodeName: silent, signal: 'nodeReady' }]);
  const [rule] = await fleet.rules();
  expect(rule?.spec).toMatchObject({ verdict: 'Blocked', match: { versions: ['v20240120'] } });
  expect((await lastStatus(fleet)).halted?.message).toContain('not Ready for 2m0s');
  for (const line of [
    'state{policy="production",rollout="production-1",state="Halted"} 1',
    'failures{policy="production",rollout="production-1",signal="nodeReady"} 1',
    'nodes{policy="production",rollout="production-1",state="remaining"} 1',
    'oldest_image_days{policy="production"} 18',
    'exposure_days{policy="production"} 8',
  ])
    expect(await fleet.metric('nodewright_rollout_')).toContain(`nodewright_rollout_${line}`);
  await fleet.advance(minutes(20));
  expect(fleet.launchedImages().filter((image) => image === newImageId)).toHaveLength(1);

  await fleet.request({ 'nodewright.dev/rollback': 'INC-7' });
  expect(await passesWithin(fleet, 40, async () => (await fleet.rollouts()).length === 2)).toBe(true);
  expect(await reaches(fleet, 'Complete')).toBe(true);
  const [first, second] = await fleet.rollouts();
  expect(first?.status?.state).toBe('Superseded');
  expect(first?.metadata.annotations ?? {}).toEqual({});
  expect(first?.status?.log).toMatchObject([{ request: 'rollback', value: 'INC-7' }]);
  expect(second?.spec).toMatchObject({ cause: 'Rollback', rollbackOf: 'production-1' });
  expect(second && conditionOf(second, 'Complete')?.status).toBe('True');
  expect(await fleet.imagesOfNodes()).toEqual(times(2, provenImageId));
  await fleet.stop();
});

test('a person resumes a halted rollout: its rule goes, and the rollout ends', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  await reachCanary(fleet);
  await fleet.request({ 'nodewright.dev/halt': 'looks odd' });
  expect(await reaches(fleet, 'Halted', 3)).toBe(true);
  expect(await fleet.rules()).toHaveLength(1);
  await fleet.request({ 'nodewright.dev/resume': 'was nothing', 'nodewright.dev/skip-soak': 'canary=checked by hand' });
  expect(await reaches(fleet, 'Complete')).toBe(true);
  expect(await fleet.rules()).toEqual([]);
  expect(await fleet.imagesOfNodes()).toEqual(times(2, newImageId));
  await fleet.stop();
});

test('where no node is left to take a seat, the next launch takes it, and is watched', async () => {
  const fleet = await aRolloutFleet(0, quickWaves);
  fleet.publish();
  expect(await passesWithin(fleet, 5, async () => (await fleet.rollouts()).length === 1)).toBe(true);
  expect(await reaches(fleet, 'Complete', 2)).toBe(false);
  fleet.keepPods(2, { nodeSelector: { team: 'my-team' } });
  await fleet.advance(minutes(4));
  expect(fleet.launchedImages()).toEqual([newImageId, provenImageId]);
  expect(await reaches(fleet, 'Complete')).toBe(true);
  expect(await fleet.imagesOfNodes()).toEqual(times(2, newImageId));
  await fleet.stop();
});

test('a policy that is deleted leaves nothing behind: the other nodes drift as without one', async () => {
  const fleet = await aRolloutFleet(2, quickWaves);
  fleet.publish();
  expect(await reaches(fleet, 'Soaking')).toBe(true);
  await fleet.apply(fleet.client.delete(nodeRolloutPolicies, { name: 'production' }));
  expect(
    await passesWithin(fleet, 9, async () => (await fleet.imagesOfNodes()).every((image) => image === newImageId)),
  ).toBe(true);
  expect(new Set(await selected(fleet))).toEqual(new Set([newImageId]));
  await fleet.stop();
});

test('a policy that only reports lets nodes drift as without one, and tells what it would do', async () => {
  const fleet = await aRolloutFleet(2, { ...quickWaves, mode: 'Report' });
  fleet.publish();
  expect(
    await passesWithin(fleet, 15, async () => (await fleet.imagesOfNodes()).every((image) => image === newImageId)),
  ).toBe(true);
  expect((await fleet.rollouts()).length).toBeGreaterThan(0);
  await fleet.stop();
});

for (const afterWrite of [1, 2, 4, 8]) {
  test(`a controller that dies after its write number ${afterWrite} is followed by one that ends the same`, async () => {
    const fleet = await aRolloutFleet(2, quickWaves);
    fleet.publish();
    expect(await fleet.crash({ afterWrite })).toBe(true);
    expect(await reaches(fleet, 'Complete')).toBe(true);
    expect(await fleet.rollouts()).toHaveLength(1);
    expect(await fleet.imagesOfNodes()).toEqual(times(2, newImageId));
    expect(fleet.launchedImages().filter((image) => image === newImageId)).toHaveLength(2);
    await fleet.stop();
  });
}
