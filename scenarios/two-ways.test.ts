import { deployments, ec2NodeClasses, instant, nodeClaims, nodePools, pods, type ResourceType } from '@nodewright/apis';
import type { Fault } from '@nodewright/aws-endpoints';
import { seededRandom } from '@nodewright/runtime';
import { aRunningCluster, aWorld, Transcript } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { deployment, nodeClass, nodePool, playFleet } from './support/fleet-story.ts';
import type { ForceWorld } from './support/force-world.ts';
import { type GroupSpec, groupWorld } from './support/group-world.ts';
import type { Side } from './support/outages.ts';
import { stir } from './support/turmoil.ts';
import { killedAfterWrites, troubles } from './support/troubles.ts';
import { storyOf, transcriptOf, type WrittenWorld } from './support/two-ways.ts';

const second = 1_000;
const minute = 60 * second;
const calm = () => 'arrives' as const;
const pool = { name: 'plain', nodes: 2, budget: '1' };
const fleet = {
  pools: [
    { name: 'plain', nodes: 1, budget: '1' },
    { name: 'guarded', nodes: 1, budget: '1' },
  ],
  mayBeAway: 1,
};

/** A pool whose nodes get one pod each. */
async function deploy({ apply, client }: ForceWorld): Promise<void> {
  await apply(client.create(ec2NodeClasses, nodeClass));
  await apply(client.create(nodePools, nodePool(pool)));
  await apply(client.create(deployments as ResourceType, deployment(pool)));
}

async function awayNowAndThen(world: ForceWorld, sides: readonly Side[]): Promise<void> {
  const { clock } = world.time;
  const begin = (): void => {
    world.outages.begin(...sides);
    clock.at(instant(clock.now() + 5 * minute), () => world.outages.end());
    clock.at(instant(clock.now() + 9 * minute), begin);
  };
  clock.at(instant(clock.now() + 2 * minute), begin);
  await playFleet(world, fleet);
}

/** The fault begins before the pods come, and ends ten minutes later. */
const aFault = (fault: Fault) =>
  storyOf(
    () => ({ seed: 4, fate: calm }),
    async (world) => {
      const { id } = world.sandbox.aws.faults.add(fault);
      await deploy(world);
      await world.advance(10 * minute);
      world.sandbox.aws.faults.clear(id);
      await world.advance(10 * minute);
    },
  );

async function lossOfAnInstance(world: ForceWorld): Promise<void> {
  await deploy(world);
  await world.advance(5 * minute);
  const [claim, other] = (await world.apply(world.client.list(nodeClaims))).items;
  world.sandbox.aws.ec2.instances.terminate(claim?.status?.providerID?.split('/').at(-1) ?? '');
  await world.apply(world.client.delete(nodeClaims, { name: other?.metadata.name ?? '' }));
  const [pod] = (await world.apply(world.client.list(pods, { namespace: 'default' }))).items;
  await world.apply(world.client.evict({ name: pod?.metadata.name ?? '', namespace: 'default' }));
  await world.advance(20 * minute);
}

async function updateOfGroups(written: WrittenWorld): Promise<void> {
  const groups: readonly GroupSpec[] = [
    { name: 'managed', kind: 'eks', size: 2 },
    { name: 'plain', kind: 'plain', size: 2 },
  ];
  const world = await groupWorld(groups, { seed: 6, fate: killedAfterWrites(9), ...written.options });
  written.of(world);
  await world.keep();
  const isOver = async (): Promise<boolean> =>
    (await world.nodeGroups()).every(({ status }) => status?.phase === 'UpToDate');
  await world.until('both groups up to date', isOver, instant(world.time.clock.now() + 360 * minute));
  await world.stop();
}

const stories: Readonly<Record<string, (written: WrittenWorld) => Promise<void>>> = {
  // Calm rolls are part of the stories whose servers are away now and then, chance of the one in which AWS has its troubles.
  // What dies after every single write is in kills-fleet.process.test.ts.
  'nodes are rolled by an operator that dies after every seventh write': storyOf(
    () => ({ seed: 2, fate: killedAfterWrites(7) }),
    (world) => playFleet(world, fleet),
  ),
  'nodes are rolled by an operator that loses every single answer': storyOf(
    () => ({ seed: 3, fate: troubles[1]?.fate() ?? calm }),
    (world) => playFleet(world, fleet),
  ),
  'nodes are rolled while requests overtake each other': storyOf(
    () => ({ seed: 7, fate: calm, isShuffled: true }),
    (world) => playFleet(world, fleet),
  ),
  'AWS has its troubles, others write to the same objects, and answers are lost': storyOf(
    () => ({ seed: 10, fate: troubles.at(-1)?.fate() ?? calm }),
    async (world) => {
      const turmoil = stir(world);
      await playFleet(world, fleet);
      turmoil.end();
    },
  ),
  'the API server is away now and then': storyOf(
    () => ({ seed: 8, fate: calm }),
    (world) => awayNowAndThen(world, ['kubernetes']),
  ),
  'AWS is away now and then': storyOf(
    () => ({ seed: 9, fate: calm }),
    (world) => awayNowAndThen(world, ['aws']),
  ),
  'EC2 has no capacity at first': aFault({ kind: 'insufficient-capacity' }),
  'the first machines never join': aFault({ kind: 'node-behavior', behavior: 'neverJoins' }),
  'the first machines do not become ready': aFault({ kind: 'node-behavior', behavior: 'notReady' }),
  'EC2 throttles launches': aFault({ kind: 'throttle', service: 'ec2', operation: 'CreateFleet' }),
  'an instance is lost, a claim deleted and a pod evicted': storyOf(() => ({ seed: 5, fate: calm }), lossOfAnInstance),
  'node groups are updated by an operator that dies after every ninth write': updateOfGroups,
};

/** Both ways of reaching the API server lead to the same history, to the byte. */
describe('on the wire and below it the same happens when', () => {
  for (const [fact, play] of Object.entries(stories)) {
    test(fact, async () => {
      const wire = await transcriptOf('wire', play);
      expect(wire.length).toBeGreaterThan(100);
      expectSame(await transcriptOf('direct', play), wire);
    });
  }

  test('an operator with clouds in memory dies after its third write and while it launches', async () => {
    const play = async (way: 'wire' | 'direct'): Promise<readonly string[]> => {
      const transcript = new Transcript();
      const world = aWorld({ way, seed: 'two ways', onWrite: (write, at) => transcript.write(write, at) });
      await aRunningCluster(world);
      await world.crash({ afterWrite: 3 });
      const chance = seededRandom('loss');
      world.cloud.fleet.lose(chance.pick(world.cloud.fleet.running).providerId);
      await world.crash('atLaunch');
      await world.advance(10 * minute);
      await world.stop();
      for (const line of world.log) transcript.log(JSON.stringify(line));
      return transcript.lines;
    };
    expectSame(await play('direct'), await play('wire'));
  });
});

/** The first lines that differ, and the one before: whole histories are too long to be compared by eye. */
function expectSame(direct: readonly string[], wire: readonly string[]): void {
  const longest = Math.max(direct.length, wire.length);
  const at = Array.from({ length: longest }, (_, index) => index).find((index) => direct[index] !== wire[index]);
  if (at === undefined) return;
  expect(direct.slice(Math.max(0, at - 1), at + 3)).toEqual(wire.slice(Math.max(0, at - 1), at + 3));
  throw new Error(`line ${at} of ${longest} differs`);
}
