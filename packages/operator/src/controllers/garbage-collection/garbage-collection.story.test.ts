import { instant, leases, nodes, toMicroTimestamp, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { FakeInstances } from '@nodewright/testkit';
import { aRunningCluster, aWorld, worldStart, type World } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { Absences } from '../../state/absences.ts';
import { InstanceNews } from '../../state/instance-news.ts';
import { createObjects } from '../../state/objects.ts';
import { observeGarbage } from './observe.ts';
import { planGarbage } from './plan.ts';

const second = 1_000;
const minute = 60_000;

async function aWorldWithClaim() {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  if (claim === undefined) throw new Error('the cluster has no claim');
  const { providerID = '', nodeName = '' } = claim.status ?? {};
  return { world, name: claim.metadata.name, providerID, nodeName };
}

const isAlive = async (world: World, name: string): Promise<boolean> =>
  (await world.claims()).some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined);

const setReady = (world: World, name: string, status: 'False' | 'Unknown') =>
  world.apply(
    world.client.patch(
      nodes,
      { name },
      { type: 'merge', patch: { status: { conditions: [{ type: 'Ready', status }] } } },
      { subresource: 'status' },
    ),
  );

/** As a kubelet does, for as long as the test runs. */
async function renewLease(world: World, name: string): Promise<void> {
  const { clock } = world.time;
  const spec = () => ({ holderIdentity: name, leaseDurationSeconds: 40, renewTime: toMicroTimestamp(clock.now()) });
  const key = { name, namespace: 'kube-node-lease' };
  await world.apply(world.client.create(leases, { metadata: key, spec: spec() }));
  const renew = (): void => {
    void world.client.patch(leases, key, { type: 'merge', patch: { spec: spec() } }).catch(() => undefined);
    clock.at(instant(clock.now() + 10 * second), renew);
  };
  clock.at(instant(clock.now() + 10 * second), renew);
}

test('a claim whose instance EC2 does not describe for a while is kept', async () => {
  const { world, name, providerID, nodeName } = await aWorldWithClaim();
  await setReady(world, nodeName, 'False');
  for (let lag = 0; lag < 5; lag += 1) {
    world.cloud.fleet.hide(providerID);
    await world.advance(50 * second);
    world.cloud.fleet.show(providerID);
    await world.advance(80 * second);
  }
  expect(await isAlive(world, name)).toBe(true);
  await world.stop();
});

test('a claim whose instance EC2 never describes again is deleted, once two looks have missed it', async () => {
  const { world, name, providerID, nodeName } = await aWorldWithClaim();
  await setReady(world, nodeName, 'False');
  world.cloud.fleet.hide(providerID);
  await world.advance(50 * second);
  expect(await isAlive(world, name)).toBe(true);
  await world.advance(4 * minute);
  expect(await isAlive(world, name)).toBe(false);
  await world.stop();
});

test('a claim whose node renews its Lease is kept, whatever EC2 says', async () => {
  const { world, name, providerID, nodeName } = await aWorldWithClaim();
  await renewLease(world, nodeName);
  await setReady(world, nodeName, 'Unknown');
  world.cloud.fleet.hide(providerID);
  await world.advance(20 * minute);
  expect(await isAlive(world, name)).toBe(true);
  await world.stop();
});

test('at rest, an instance that gets other security groups has drifted within six minutes', async () => {
  const { world, name, providerID } = await aWorldWithClaim();
  await world.advance(40 * minute);
  const instance = world.cloud.fleet.running.find((each) => each.providerId === providerID);
  if (instance === undefined) throw new Error('the claim has no instance');
  world.cloud.fleet.put({ ...instance, securityGroupIds: ['sg-other'] });
  const hasDrifted = async () =>
    (await world.claims()).some(({ metadata, status }) => {
      const drifted = status?.conditions?.find(({ type }) => type === 'Drifted');
      return metadata.name === name && drifted?.reason === 'SecurityGroupDrift';
    });
  let passed = 0;
  for (; passed < 20 && !(await hasDrifted()); passed += 1) await world.advance(minute);
  expect(passed).toBeLessThanOrEqual(6);
  await world.stop();
});

/** An instance that nothing claims, in a world where the claims of the API server may be others than those heard of. */
function anOrphan({ stored = [] }: { readonly stored?: readonly NodeClaim[] }) {
  const fleet = new FakeInstances(() => worldStart);
  const metadata = { resourceVersion: '1' };
  const client = { list: async () => ({ metadata, items: stored }) } as unknown as KubernetesClient;
  const objects = createObjects(client);
  const sources = {
    objects,
    client,
    instances: fleet,
    absences: new Absences(),
    absentClaims: new Absences(),
    instanceNews: new InstanceNews(),
  };
  const look = async (seconds: number): Promise<readonly string[]> => {
    const snapshot = await observeGarbage(
      sources,
      instant(worldStart + seconds * second),
      new AbortController().signal,
    );
    return planGarbage(snapshot).actions.map((action) =>
      action.kind === 'terminate' ? [action.instance.id, action.node?.metadata.name].join(' ') : action.kind,
    );
  };
  return { fleet, objects, look };
}

const anInstance: Instance = {
  id: 'i-1',
  providerId: 'aws:///us-east-1a/i-1',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  capacityType: 'on-demand',
  imageId: 'ami-1',
  privateDnsName: 'ip-10-0-0-1.ec2.internal',
  state: 'running',
  launchedAt: worldStart,
  tags: {},
  securityGroupIds: [],
  tenancy: 'default',
};

const aNode = (name: string): Node => ({
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: { providerID: anInstance.providerId },
});

const aClaim: NodeClaim = {
  metadata: { name: 'a', uid: 'a', resourceVersion: '1' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { providerID: anInstance.providerId },
};

test('an instance without a claim is ended when two looks a minute apart have found none, and its own node with it', async () => {
  const { fleet, objects, look } = anOrphan({});
  fleet.put(anInstance);
  for (const name of ['forged', 'ip-10-0-0-1.ec2.internal']) objects.nodes.cache.seen(aNode(name));
  expect(await look(31)).toEqual([]);
  expect(await look(60)).toEqual([]);
  expect(await look(91)).toEqual(['i-1 ip-10-0-0-1.ec2.internal']);
});

test('an instance whose claim a lagging watch has not told of is kept', async () => {
  const { fleet, objects, look } = anOrphan({ stored: [aClaim] });
  fleet.put(anInstance);
  for (const seconds of [31, 91, 151, 600]) expect(await look(seconds)).toEqual([]);
  expect(objects.nodeClaims.list()).toEqual([aClaim]);
});

test('an instance whose claim was heard of between two looks is looked at anew', async () => {
  const { fleet, objects, look } = anOrphan({});
  fleet.put(anInstance);
  expect(await look(31)).toEqual([]);
  objects.nodeClaims.cache.seen(aClaim);
  expect(await look(60)).toEqual([]);
  objects.nodeClaims.cache.gone(aClaim);
  expect(await look(91)).toEqual([]);
  expect(await look(151)).toEqual(['i-1 ']);
});
