import { awsLabels, finalizers, nodeClaims, nodes, type NodeClaim } from '@nodewright/apis';
import { aPool, aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const minute = 60_000;

/** Everything that a kubelet may write on its own Node, with the instance of another one. */
const forge = (world: World, providerID: string, name = 'a-forged-node') =>
  world.apply(
    world.client.create(nodes, {
      metadata: {
        name,
        labels: {
          [awsLabels.ec2NodeClass]: 'default',
          'karpenter.sh/nodepool': 'default',
          'karpenter.sh/registered': 'true',
          'karpenter.sh/initialized': 'true',
        },
        finalizers: [finalizers.termination],
      },
      spec: { providerID },
    }),
  );

async function aVictim(settings: Parameters<typeof aWorld>[0] = {}) {
  const world = aWorld(settings);
  await aRunningCluster(world, aPool({}, { disruption: { budgets: [{ nodes: '0' }], consolidateAfter: '0s' } }));
  const [claim] = await world.claims();
  if (claim === undefined) throw new Error('the cluster has no claim');
  const { providerID = '', nodeName = '' } = claim.status ?? {};
  return { world, claim, providerID, nodeName };
}

/** Claim, node, instance and pods are as they were. */
async function expectUntouched(world: World, victim: NodeClaim): Promise<void> {
  const [claim] = await world.claims();
  expect(claim?.metadata.uid).toBe(victim.metadata.uid);
  expect(claim?.metadata.deletionTimestamp).toBeUndefined();
  expect(claim?.status?.nodeName).toBe(victim.status?.nodeName);
  const node = (await world.nodes()).find(({ metadata }) => metadata.name === victim.status?.nodeName);
  expect(node?.metadata.deletionTimestamp).toBeUndefined();
  expect(node?.spec?.taints ?? []).toEqual([]);
  expect(world.cloud.fleet.running).toHaveLength(1);
  expect((await world.pods()).map(({ spec }) => spec.nodeName)).toEqual([
    victim.status?.nodeName,
    victim.status?.nodeName,
  ]);
}

describe('a Node with the provider id of another one', () => {
  test('has nothing done to that one when it is deleted, and goes', async () => {
    const { world, claim, providerID } = await aVictim();
    await forge(world, providerID);
    await world.advance(minute);
    await world.apply(world.client.delete(nodes, { name: 'a-forged-node' }));
    await world.advance(10 * minute);
    await expectUntouched(world, claim);
    expect((await world.nodes()).map(({ metadata }) => metadata.name)).toEqual([claim.status?.nodeName]);
    await world.stop();
  });

  test('does not have that one repaired when it is not ready', async () => {
    const { world, claim, providerID } = await aVictim({ settings: { nodeRepair: true } });
    await forge(world, providerID);
    const conditions = [{ type: 'NetworkingReady', status: 'False', lastTransitionTime: '2024-01-01T00:00:00Z' }];
    const patch = { type: 'merge', patch: { status: { conditions } } } as const;
    await world.apply(world.client.patch(nodes, { name: 'a-forged-node' }, patch, { subresource: 'status' }));
    await world.advance(60 * minute);
    await expectUntouched(world, claim);
    await world.stop();
  });

  test('does not keep that one from going', async () => {
    const { world, claim, providerID } = await aVictim();
    await forge(world, providerID);
    await world.apply(world.client.delete(nodeClaims, { name: claim.metadata.name }));
    await world.advance(10 * minute);
    expect((await world.claims()).map(({ metadata }) => metadata.name)).not.toContain(claim.metadata.name);
    const left = (await world.nodes()).map(({ metadata }) => metadata.name);
    expect(left).toContain('a-forged-node');
    expect(left).not.toContain(claim.status?.nodeName);
    await world.stop();
  });

  test('keeps its own labels: it is in no pool', async () => {
    const { world, providerID } = await aVictim();
    await forge(world, providerID);
    await world.advance(minute);
    expect((await world.nodePool())?.status?.nodes).toBe(1);
    await world.stop();
  });

  test('is not taken for that one before it has joined, whichever comes first', async () => {
    const world = aWorld();
    world.cloud.fleet.onLaunch((instance) => {
      world.time.clock.at(world.time.clock.now(), () => {
        const metadata = { name: 'a-forged-node', labels: { 'karpenter.sh/registered': 'true' } };
        void world.client.create(nodes, { metadata, spec: { providerID: instance.providerId } }).catch(() => undefined);
      });
    });
    await aRunningCluster(world);
    const [claim] = await world.claims();
    expect(claim?.status?.nodeName).toBe(world.cloud.fleet.running[0]?.privateDnsName);
    await world.stop();
  });
});

describe('a claim that tells of another node', () => {
  const misname = (world: World, claim: NodeClaim, nodeName: string) =>
    world.apply(
      world.client.patch(
        nodeClaims,
        { name: claim.metadata.name },
        { type: 'merge', patch: { status: { nodeName } } },
        { subresource: 'status' },
      ),
    );

  test('is told the name of its own by its instance', async () => {
    const { world, claim, providerID } = await aVictim();
    await forge(world, providerID.replace(/.$/, '9'), 'another-node');
    await misname(world, claim, 'another-node');
    await world.advance(minute);
    await expectUntouched(world, claim);
    await world.stop();
  });

  test('has its own drained when it is deleted, and leaves the other one alone', async () => {
    const { world, claim, providerID, nodeName } = await aVictim();
    await forge(world, providerID.replace(/.$/, '9'), 'another-node');
    await misname(world, claim, 'another-node');
    await world.apply(world.client.delete(nodeClaims, { name: claim.metadata.name }));
    await world.advance(10 * minute);
    const left = (await world.nodes()).map(({ metadata }) => metadata.name);
    expect(left).toContain('another-node');
    expect(left).not.toContain(nodeName);
    expect(world.messages()).toContain('tainted node');
    await world.stop();
  });
});

test('of two claims of one instance the second goes without it', async () => {
  const { world, claim } = await aVictim();
  const { status, spec } = claim;
  const metadata = { name: 'a-second-claim', finalizers: [finalizers.termination] };
  await world.apply(world.client.create(nodeClaims, { metadata, spec }));
  const own = { type: 'merge', patch: { status: { providerID: status?.providerID } } } as const;
  const key = { name: 'a-second-claim' };
  await world.apply(world.client.patch(nodeClaims, key, own, { subresource: 'status' }));
  await world.apply(world.client.delete(nodeClaims, key));
  await world.advance(10 * minute);
  await expectUntouched(world, claim);
  expect(await world.claims()).toHaveLength(1);
  await world.stop();
});

describe('a node that is not ready and is deleted', () => {
  async function aSilentNode() {
    const { world, claim, providerID, nodeName } = await aVictim();
    await world.apply(world.machines.fail(nodeName));
    const { name } = claim.metadata;
    return { world, name, providerID, nodeName };
  }

  const isThere = async (world: World, name: string): Promise<boolean> =>
    (await world.nodes()).some(({ metadata }) => metadata.name === name);

  test('is drained when one look at EC2 misses its instance', async () => {
    const { world, providerID, nodeName } = await aSilentNode();
    world.cloud.fleet.hide(providerID);
    await world.apply(world.client.delete(nodes, { name: nodeName }));
    await world.advance(2_000);
    world.cloud.fleet.show(providerID);
    expect(await isThere(world, nodeName)).toBe(true);
    await world.advance(5 * minute);
    expect(await isThere(world, nodeName)).toBe(false);
    expect(world.messages()).toContain('tainted node');
    await world.stop();
  });

  test('goes at once when its instance has ended', async () => {
    const { world, providerID, nodeName } = await aSilentNode();
    world.cloud.fleet.lose(providerID);
    await world.apply(world.client.delete(nodes, { name: nodeName }));
    await world.advance(2_000);
    expect(await isThere(world, nodeName)).toBe(false);
    await world.stop();
  });
});

test('a claim does not go while EC2 does not describe its instance yet', async () => {
  const { world, claim, providerID } = await aVictim();
  world.cloud.fleet.hide(providerID);
  await world.apply(world.client.delete(nodeClaims, { name: claim.metadata.name }));
  await world.advance(30_000);
  const ofVictim = world.claims().then((all) => all.some(({ metadata }) => metadata.uid === claim.metadata.uid));
  expect(await ofVictim).toBe(true);
  world.cloud.fleet.show(providerID);
  await world.advance(minute);
  expect((await world.claims()).map(({ metadata }) => metadata.uid)).not.toContain(claim.metadata.uid);
  expect(await world.apply(world.cloud.fleet.get(providerID))).toBeUndefined();
  await world.stop();
});
