import {
  conditionOf,
  ec2NodeClasses,
  events,
  isConditionTrue,
  nodeClaims,
  nodePools,
  podDisruptionBudgets,
} from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { aNodeClass, aPool, aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const minute = 60_000;

test('pending pods lead to a claim, an instance, a node, and run there', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim, ...others] = await world.claims();
  expect(others).toEqual([]);
  expect(claim?.status?.imageID).toBe('ami-al2-1.28');
  expect(claim !== undefined && isConditionTrue(claim, 'Ready')).toBe(true);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect(world.messages()).toEqual([
    'found provisionable pod(s)',
    'computed new nodeclaim(s) to fit pod(s)',
    'created nodeclaim',
    'launched nodeclaim',
    'registered nodeclaim',
    'initialized nodeclaim',
  ]);
  expect((await world.nodePool())?.status).toMatchObject({ nodes: 1, resources: { nodes: '1' } });
  await world.stop();
});

test('a claim that EC2 has no room for is given up, and another is made', async () => {
  const world = aWorld();
  world.cloud.fleet.refuseNext({ kind: 'insufficientCapacity', message: 'no room' });
  await aRunningCluster(world);
  const [claim] = await world.claims();
  expect(claim !== undefined && isConditionTrue(claim, 'Ready')).toBe(true);
  expect(world.cloud.fleet.requests.map(({ claim: { metadata } }) => metadata.name)).toHaveLength(2);
  await world.stop();
});

test('a refused launch is tried again as another attempt and shows its reason meanwhile', async () => {
  const world = aWorld();
  world.cloud.fleet.refuseNext({ kind: 'refused', reason: 'VCPULimitExceeded', message: 'you asked for too much' });
  await aRunningCluster(world);
  expect(world.cloud.fleet.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect((await world.claims()).every((claim) => isConditionTrue(claim, 'Ready'))).toBe(true);
  await world.stop();
});

test('a launch that is refused for good is tried ever more rarely, and given up after five minutes', async () => {
  const world = aWorld();
  for (let times = 0; times < 1_000; times += 1) {
    world.cloud.fleet.refuseNext({ kind: 'refused', reason: 'VCPULimitExceeded', message: `refusal ${times}` });
  }
  await aRunningCluster(world);
  const [claim] = await world.claims();
  expect(claim === undefined ? undefined : conditionOf(claim, 'Launched')).toMatchObject({
    reason: 'VCPULimitExceeded',
  });
  expect(world.cloud.fleet.requests.length).toBeLessThan(12);
  await world.advance(3 * minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(claim?.metadata.name);
  await world.stop();
});

test('an instance that never joins is replaced after fifteen minutes', async () => {
  const world = aWorld();
  world.machines.setJoining(false);
  await aRunningCluster(world);
  const [lost] = await world.claims();
  world.machines.setJoining(true);
  await world.advance(15 * minute);
  const names = (await world.claims()).map(({ metadata }) => metadata.name);
  expect(names).not.toContain(lost?.metadata.name);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect(world.cloud.fleet.running).toHaveLength(1);
  await world.stop();
});

test('a deleted claim drains its node, ends its instance and leaves nothing behind', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  await world.apply(world.client.delete(nodeClaims, { name: claim?.metadata.name ?? '' }));
  await world.advance(5 * minute);
  const claims = await world.claims();
  expect(claims).toHaveLength(1);
  expect(claims[0]?.metadata.name).not.toBe(claim?.metadata.name);
  expect(await world.nodes()).toHaveLength(1);
  expect(world.cloud.fleet.running).toHaveLength(1);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect(world.messages().filter((message) => / (node|nodeclaim)$/.test(message))).toEqual([
    'created nodeclaim',
    'launched nodeclaim',
    'registered nodeclaim',
    'initialized nodeclaim',
    'tainted node',
    'created nodeclaim',
    'launched nodeclaim',
    'deleted node',
    'deleted nodeclaim',
    'registered nodeclaim',
    'initialized nodeclaim',
  ]);
  await world.stop();
});

test('a claim whose instance vanished is collected', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  world.cloud.fleet.lose(claim?.status?.providerID ?? '');
  const [node] = await world.nodes();
  await world.apply(world.machines.fail(node?.metadata.name ?? ''));
  await world.advance(5 * minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(claim?.metadata.name);
  await world.stop();
});

test('a new control plane version brings a new image within a minute, and the claim has drifted', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  world.cloud.upgradeControlPlane('1.29');
  await world.advance(minute);
  expect((await world.nodeClass())?.status?.amis?.map(({ id }) => id)).toEqual(['ami-al2-1.29']);
  const [claim] = await world.claims();
  expect(claim === undefined ? undefined : conditionOf(claim, 'Drifted')).toMatchObject({
    status: 'True',
    reason: 'AMIDrift',
  });
  await world.stop();
});

test('a lookup that fails makes nothing drift', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  world.cloud.upgradeControlPlane('1.29');
  world.cloud.breakLookup('images', new Error('SSM is down'));
  await world.advance(30 * minute);
  const [claim] = await world.claims();
  expect(claim === undefined ? undefined : conditionOf(claim, 'Drifted')).toBeUndefined();
  expect((await world.nodeClass())?.status?.amis?.map(({ id }) => id)).toEqual(['ami-al2-1.28']);
  await world.stop();
});

const story = [
  'disrupting node(s)',
  'created nodeclaim',
  'initialized nodeclaim',
  'tainted node',
  'deleted node',
  'deleted nodeclaim',
];
const told = (world: World, since: number): readonly string[] =>
  world
    .messages()
    .slice(since)
    .filter((message) => story.includes(message));

/** One node on the wanted image, all pods on it, and nothing of the old one left. */
async function expectReplaced(world: World, imageId: string): Promise<void> {
  const claims = await world.claims();
  expect(claims.map(({ status }) => status?.imageID)).toEqual([imageId]);
  expect(claims.every((claim) => isConditionTrue(claim, 'Ready'))).toBe(true);
  const [node, ...others] = await world.nodes();
  expect(others).toEqual([]);
  expect(node?.spec?.taints ?? []).toEqual([]);
  const pods = await world.pods();
  expect(pods.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set([node?.metadata.name]));
  expect(world.cloud.fleet.running).toHaveLength(1);
}

test('a drifted node is replaced first, then drained, then gone', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const since = world.log.length;
  world.cloud.upgradeControlPlane('1.29');
  await world.advance(10 * minute);
  await expectReplaced(world, 'ami-al2-1.29');
  expect(told(world, since)).toEqual(story);
  const line = world.log.find(({ message }) => message === 'disrupting node(s)');
  expect(line).toMatchObject({
    logger: 'controller',
    controller: 'disruption',
    reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    'disrupted-node-count': 1,
    'replacement-node-count': 1,
    'pod-count': 2,
  });
  expect(JSON.stringify(line)).toMatch(/drift/i);
  await world.stop();
});

test('a pool that is pointed at another class has its node replaced', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass('pinned', 'al2@v20240117')));
  const pointed = { spec: { template: { spec: { nodeClassRef: { name: 'pinned' } } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch: pointed }));
  await world.advance(10 * minute);
  await expectReplaced(world, 'ami-al2-v20240117-1.28');
  await world.stop();
});

test('a replacement that never joins is given up, and the old node is open to pods again', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  world.machines.setJoining(false);
  world.cloud.upgradeControlPlane('1.29');
  await world.advance(5 * minute);
  const [old] = await world.nodes();
  expect(old?.spec?.taints?.map(({ key }) => key)).toEqual(['karpenter.sh/disrupted']);
  await world.advance(6 * minute);
  expect(world.messages()).toContain('failed to disrupt nodes');
  world.machines.setJoining(true);
  await world.advance(30 * minute);
  await expectReplaced(world, 'ami-al2-1.29');
  await world.stop();
});

test('a claim that has had its time is replaced', async () => {
  const world = aWorld();
  await aRunningCluster(world, aPool({ expireAfter: '1h' }));
  const [old] = await world.claims();
  await world.advance(56 * minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).toEqual([old?.metadata.name]);
  await world.advance(5 * minute);
  await expectReplaced(world, 'ami-al2-1.28');
  expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(old?.metadata.name);
  await world.stop();
});

/** A budget that nobody has any evictions left in. */
const guard = (world: World): Promise<unknown> =>
  world.apply(
    world.client.create(podDisruptionBudgets, {
      metadata: { name: 'guard', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } },
    }),
  );

const unguard = (world: World): Promise<void> =>
  world.apply(world.client.delete(podDisruptionBudgets, { name: 'guard', namespace: 'default' }));

test('a drain waits for a budget and goes on when it may', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  await guard(world);
  const [old] = await world.claims();
  await world.apply(world.client.delete(nodeClaims, { name: old?.metadata.name ?? '' }));
  await world.advance(10 * minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).toContain(old?.metadata.name);
  expect((await world.pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
  const told = (await world.apply(world.client.list(events))).items.filter(({ reason }) => reason === 'FailedDraining');
  expect(told.some(({ message }) => message.includes('violates a PDB'))).toBe(true);
  await unguard(world);
  await world.advance(5 * minute);
  await expectReplaced(world, 'ami-al2-1.28');
  await world.stop();
});

test('a termination grace period ends the wait for a budget', async () => {
  const world = aWorld();
  await aRunningCluster(world, aPool({ terminationGracePeriod: '2m' }));
  await guard(world);
  const [old] = await world.claims();
  await world.apply(world.client.delete(nodeClaims, { name: old?.metadata.name ?? '' }));
  await world.advance(minute);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).toContain(old?.metadata.name);
  await world.advance(2 * minute);
  await expectReplaced(world, 'ami-al2-1.28');
  await world.stop();
});

test('a budget that allows no eviction holds a drifted node back until it does', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  await guard(world);
  world.cloud.upgradeControlPlane('1.29');
  await world.advance(10 * minute);
  expect((await world.claims()).map(({ status }) => status?.imageID)).toEqual(['ami-al2-1.28']);
  const told = (await world.apply(world.client.list(events))).items.filter(
    ({ reason }) => reason === 'DisruptionBlocked',
  );
  expect(new Set(told.map(({ involvedObject }) => involvedObject.kind))).toEqual(new Set(['Node', 'NodeClaim']));
  expect(told[0]?.message).toMatch(/guard/);
  await unguard(world);
  await world.advance(5 * minute);
  await expectReplaced(world, 'ami-al2-1.29');
  await world.stop();
});

describe('an operator that dies during a rollout', () => {
  // A rollout is 43 writes; every one of them has been tried.
  for (const afterWrite of [1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41]) {
    test(`right after write ${afterWrite} is followed by one that comes to the same end`, async () => {
      const world = aWorld();
      await aRunningCluster(world);
      world.cloud.upgradeControlPlane('1.29');
      expect(await world.crash({ afterWrite })).toBe(true);
      await world.advance(5 * minute);
      await expectReplaced(world, 'ami-al2-1.29');
      await world.stop();
    });
  }

  test('between a launch and its record is followed by one that gets the same instance', async () => {
    const world = aWorld();
    await aRunningCluster(world);
    world.cloud.upgradeControlPlane('1.29');
    expect(await world.crash('atLaunch')).toBe(true);
    await world.advance(5 * minute);
    await expectReplaced(world, 'ami-al2-1.29');
    const asked = world.cloud.fleet.requests.slice(1).map(({ claim, attempt }) => `${claim.metadata.uid}/${attempt}`);
    expect(asked).toHaveLength(2);
    expect(new Set(asked).size).toBe(1);
    await world.stop();
  });
});
