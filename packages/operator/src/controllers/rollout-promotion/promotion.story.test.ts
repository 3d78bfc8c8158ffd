import { configMaps, minutes, nodeRolloutPolicies, type NodeRolloutPolicySpec } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { FakeParameters } from '@nodewright/testkit';
import {
  aRolloutFleet,
  newImageId,
  passesWithin,
  provenImageId,
  quickWaves,
  type RolloutFleet,
  worldStart,
} from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

type Shared = { readonly time: ReturnType<typeof virtualTime>; readonly parameters: FakeParameters };

const sharedAccount = (): Shared => ({ time: virtualTime(worldStart), parameters: new FakeParameters() });
const evidenceOf = (cluster: string) => ({ ssmParameter: `/nodewright/evidence/${cluster}` });

/** A cluster of one node that publishes what it has proven, and asks for what staging has. */
const aCluster = (
  clusterName: string,
  shared: Shared,
  promotion: NodeRolloutPolicySpec['promotion'] = {},
): Promise<RolloutFleet> =>
  aRolloutFleet(
    1,
    { ...quickWaves, promotion: { publish: evidenceOf(clusterName), ...promotion } },
    { shared, settings: { clusterName } },
  );

const policyCondition = async (fleet: RolloutFleet, type: string) =>
  (await fleet.apply(fleet.client.get(nodeRolloutPolicies, { name: 'production' })))?.status?.conditions?.find(
    (condition) => condition.type === type,
  );
const stateOf = async (fleet: RolloutFleet) => (await fleet.rollouts()).at(-1)?.status?.state;
const recordOf = ({ parameters }: Shared, cluster: string) =>
  JSON.parse(parameters.texts.get(`/nodewright/evidence/${cluster}`)?.text ?? '{}') as {
    readonly running?: { readonly wave: string };
    readonly releases?: readonly { readonly release: string; readonly verdict: string }[];
  };
const fromStaging = [{ from: evidenceOf('staging'), completedFor: '10m', minimumNodeHours: 0 }];

const inConfigMap = (cluster: string) => ({ configMap: { namespace: 'default', name: `evidence-${cluster}` } });

/** Copies what a cluster has published to the others, as a pipeline of their owner would. */
async function carryRecord(cluster: string, from: RolloutFleet, others: readonly RolloutFleet[]): Promise<void> {
  const { configMap } = inConfigMap(cluster);
  const record = await from.apply(from.client.get(configMaps, configMap));
  if (record === undefined) return;
  for (const to of others) {
    const standing = await to.apply(to.client.get(configMaps, configMap));
    const copy = { ...standing, metadata: standing?.metadata ?? configMap, data: { ...record.data } };
    await to.apply(standing === undefined ? to.client.create(configMaps, copy) : to.client.update(configMaps, copy));
  }
}

for (const { where, placeOf, isCarried } of [
  { where: 'SSM parameters', placeOf: evidenceOf, isCarried: false },
  { where: 'ConfigMaps, which something carries from cluster to cluster', placeOf: inConfigMap, isCarried: true },
])
  test(`three clusters over ${where}: two wait for the first, and never run a wave at the same time`, async () => {
    const shared = sharedAccount();
    const staging = await aCluster('staging', shared, { publish: placeOf('staging') });
    const neighboursOf = (own: string, other: string) => ({
      publish: placeOf(own),
      require: [{ from: placeOf('staging'), completedFor: '10m', minimumNodeHours: 0 }],
      neighbours: [placeOf(other)],
      notTogetherWith: [other],
    });
    const eu = await aCluster('production-eu', shared, neighboursOf('production-eu', 'production-us'));
    const us = await aCluster('production-us', shared, neighboursOf('production-us', 'production-eu'));
    const carry = async (): Promise<void> => {
      if (!isCarried) return;
      await carryRecord('staging', staging, [eu, us]);
      await carryRecord('production-eu', eu, [us]);
      await carryRecord('production-us', us, [eu]);
    };
    for (const fleet of [staging, eu, us]) fleet.publish();
    const isStagingDone = async (): Promise<boolean> => {
      await carry();
      return (await stateOf(staging)) === 'Complete';
    };
    expect(await passesWithin(staging, 60, isStagingDone)).toBe(true);
    expect([await eu.imagesOfNodes(), await us.imagesOfNodes()]).toEqual([[provenImageId], [provenImageId]]);
    expect((await policyCondition(eu, 'WaitingUpstream'))?.message).toContain('notProvenUpstream: staging');
    const policy = await eu.apply(eu.client.get(nodeRolloutPolicies, { name: 'production' }));
    expect(policy?.status?.heldImages).toMatchObject([{ image: newImageId, reason: 'notProvenUpstream' }]);

    let together = 0;
    const areBothNew = async (): Promise<boolean> => {
      await carry();
      const moved = [await eu.imagesOfNodes(), await us.imagesOfNodes()].map((images) => images.includes(newImageId));
      const [euDone, usDone] = [(await stateOf(eu)) === 'Complete', (await stateOf(us)) === 'Complete'];
      if (moved.every(Boolean) && !euDone && !usDone) together += 1;
      return euDone && usDone;
    };
    expect(await passesWithin(eu, 120, areBothNew)).toBe(true);
    expect(together).toBe(0);
    expect((await eu.rollouts())[0]?.spec.cause).toBe('Promotion');
    if (!isCarried)
      expect(recordOf(shared, 'staging').releases).toMatchObject([{ release: 'v20240120', verdict: 'Proven' }]);
    expect(shared.parameters.writes > 0).toBe(!isCarried);
    for (const fleet of [staging, eu, us]) await fleet.stop();
  });

test('what has halted upstream does not start here', async () => {
  const shared = sharedAccount();
  const staging = await aCluster('staging', shared);
  const eu = await aCluster('production-eu', shared, { require: fromStaging });
  staging.publish();
  expect(await passesWithin(staging, 30, async () => (await stateOf(staging)) === 'Soaking')).toBe(true);
  await staging.request({ 'nodewright.dev/halt': 'INC-7' });
  await staging.advance(minutes(2));
  expect(recordOf(shared, 'staging').releases).toMatchObject([{ release: 'v20240120', verdict: 'Halted' }]);
  eu.publish();
  await eu.advance(minutes(20));
  expect(await eu.rollouts()).toEqual([]);
  expect(await eu.imagesOfNodes()).toEqual([provenImageId]);
  expect((await policyCondition(eu, 'WaitingUpstream'))?.message).toContain(
    'haltedUpstream: v20240120 halted in staging',
  );
  for (const fleet of [staging, eu]) await fleet.stop();
});

test('a record that cannot be read holds, says why, and opens when it can', async () => {
  const shared = sharedAccount();
  const place = '/nodewright/evidence/staging';
  shared.parameters.forbidden.add(place);
  const eu = await aCluster('production-eu', shared, { require: fromStaging });
  eu.publish();
  await eu.advance(minutes(15));
  expect(await eu.imagesOfNodes()).toEqual([provenImageId]);
  expect((await policyCondition(eu, 'WaitingUpstream'))?.message).toContain(
    `its record cannot be read: SSM parameter ${place}: AccessDeniedException`,
  );
  shared.parameters.forbidden.delete(place);
  const staging = await aCluster('staging', shared);
  staging.publish();
  expect(await passesWithin(eu, 90, async () => (await eu.imagesOfNodes()).includes(newImageId))).toBe(true);
  for (const fleet of [staging, eu]) await fleet.stop();
});

test('the record of another cluster is not overwritten, and the policy says so', async () => {
  const shared = sharedAccount();
  const staging = await aCluster('staging', shared);
  const twin = await aRolloutFleet(
    1,
    { ...quickWaves, promotion: { publish: evidenceOf('staging') } },
    { shared, settings: { clusterName: 'twin' } },
  );
  await twin.advance(minutes(20));
  expect(await policyCondition(twin, 'EvidencePublished')).toMatchObject({
    status: 'False',
    message: expect.stringContaining('the record of policy production of cluster staging is stored there'),
  });
  expect(await policyCondition(staging, 'EvidencePublished')).toMatchObject({ status: 'True' });
  for (const fleet of [staging, twin]) await fleet.stop();
});

test('a record is kept in a ConfigMap too, beside what else is in it', async () => {
  const place = { namespace: 'default', name: 'evidence' };
  const shared = sharedAccount();
  const fleet = await aCluster('staging', shared, { publish: { configMap: place } });
  const found = await fleet.apply(fleet.client.get(configMaps, place));
  expect(JSON.parse(found?.data?.['record'] ?? '{}')).toMatchObject({ cluster: 'staging', policy: 'production' });
  await fleet.apply(
    fleet.client.update(configMaps, {
      ...found,
      metadata: found?.metadata ?? place,
      data: { ...found?.data, note: 'x' },
    }),
  );
  await fleet.advance(minutes(20));
  expect((await fleet.apply(fleet.client.get(configMaps, place)))?.data).toMatchObject({ note: 'x' });
  expect(shared.parameters.writes).toBe(0);
  await fleet.stop();
});

test('a URL is read, and not written', async () => {
  const shared = sharedAccount();
  const fleet = await aCluster('staging', shared, { publish: { url: 'https://bucket.example/record' } });
  fleet.web.serve('https://bucket.example/record', 404);
  await fleet.advance(minutes(2));
  expect(await policyCondition(fleet, 'EvidencePublished')).toMatchObject({
    status: 'False',
    message: 'https://bucket.example: records are read from a URL, and not written: publish to SSM or a ConfigMap',
  });
  await fleet.stop();
});
