import { ec2NodeClasses, minutes, nodePools, type NodePool } from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function aFleetThatNeverJoins(pods: number, spec: Partial<NodePool['spec']> = {}): Promise<World> {
  const world = aWorld({
    settings: { staticCapacity: true },
    instanceTypes: [anInstanceType('m5.large', { cpu: 1, offerings: [['us-east-1a', 'on-demand', 96_000]] })],
  });
  world.machines.setJoining(false);
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool({}, spec)));
  if (pods > 0) world.keepPods(pods, { nodeSelector: { team: 'my-team' } });
  return world;
}

const launchedClaims = ({ cloud }: World): number =>
  new Set(cloud.fleet.requests.map(({ claim }) => claim.metadata.uid)).size;

test('an image that never joins is tried by one machine at a time, at growing intervals, until one joins', async () => {
  const world = await aFleetThatNeverJoins(4);
  await world.advance(minutes(14));
  expect(launchedClaims(world)).toBe(4);
  // 15 minutes for each machine, and pauses of one and two minutes.
  await world.advance(minutes(26));
  expect(launchedClaims(world)).toBe(6);
  const [event] = await world.events('ImageNeverJoins');
  expect(event).toMatchObject({ type: 'Warning', involvedObject: { kind: 'NodePool', name: 'default' } });
  expect(event?.message).toMatch(
    /^machines of image \S+ \(ami-\S+\) did not become nodes in the last launch; the next is/,
  );
  const told = (await world.events('FailedScheduling')).map(({ message }) => message).join('\n');
  expect(told).toContain('NodePool default: launches nothing now: machines of image');

  await world.crash({ afterWrite: 1 });
  world.machines.setJoining(true);
  await world.advance(minutes(16));
  expect(launchedClaims(world)).toBe(10);
  expect(await world.nodes()).toHaveLength(4);
  expect((await world.nodePool())?.metadata.annotations?.['nodewright.dev/join-failures']).toBeUndefined();
  await world.stop();
});

test('a pool of a fixed number of nodes waits, too, until its spec is another', async () => {
  const world = await aFleetThatNeverJoins(0, { replicas: 3, limits: {} });
  await world.advance(minutes(14));
  expect(launchedClaims(world)).toBe(3);
  await world.advance(minutes(6));
  expect(launchedClaims(world)).toBe(4);
  const patch = { spec: { template: { metadata: { labels: { more: 'yes' } } } } };
  await world.apply(world.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch }));
  await world.advance(minutes(2));
  expect(launchedClaims(world)).toBeGreaterThanOrEqual(6);
  await world.stop();
});
