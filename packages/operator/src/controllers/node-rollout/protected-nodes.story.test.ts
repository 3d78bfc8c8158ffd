import { nodeClaims, nodes, pods, byTextOf } from '@nodewright/apis';
import { aRolloutFleet, newImageId, passesWithin, quickWaves } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const annotate = (value: 'true' | null) => ({ metadata: { annotations: { 'karpenter.sh/do-not-disrupt': value } } });

test('nodes that do-not-disrupt keeps give the seat of the canary to others, are named, and go when they may', async () => {
  const fleet = await aRolloutFleet(3, quickWaves);
  const { client } = fleet;
  const claims = (await fleet.apply(client.list(nodeClaims))).items.map(({ metadata, status }) => ({
    claim: metadata.name,
    node: status?.nodeName ?? '',
  }));
  // The ones that would go first.
  const [first, second] = claims.toSorted(byTextOf(({ claim }) => claim));
  const held = (await fleet.apply(client.list(pods))).items.find(({ spec }) => spec.nodeName === second?.node);
  const key = { name: held?.metadata.name ?? '', namespace: held?.metadata.namespace ?? '' };
  const protect = async (value: 'true' | null) => {
    const patch = annotate(value);
    await fleet.apply(client.patch(nodes, { name: first?.node ?? '' }, { type: 'merge', patch }));
    await fleet.apply(client.patch(pods, key, { type: 'merge', patch }));
  };
  await protect('true');
  fleet.publish();
  expect(await passesWithin(fleet, 100, async () => (await fleet.imagesOfNodes()).includes(newImageId))).toBe(true);

  const readRollout = async () => (await fleet.rollouts())[0]?.status;
  expect(await passesWithin(fleet, 100, async () => (await readRollout())?.parked?.length === 2)).toBe(true);
  const parked = (await readRollout())?.parked?.map(({ node, pod }) => ({ node, pod }));
  expect(parked?.toSorted(byTextOf(({ node }) => node))).toEqual([
    { node: first?.claim, pod: undefined },
    { node: second?.claim, pod: `${key.namespace}/${key.name}` },
  ]);

  await protect(null);
  expect(await passesWithin(fleet, 60, async () => (await readRollout())?.state === 'Complete')).toBe(true);
  expect(new Set(await fleet.imagesOfNodes())).toEqual(new Set([newImageId]));
  await fleet.stop();
});
