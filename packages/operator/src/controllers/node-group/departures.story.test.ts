import { nodeGroups, minutes } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import {
  aScalingGroup,
  anApp,
  aWorldWithGroup,
  groupOf,
  imagesOf,
  setBudget,
  wanted,
  type World,
} from '@nodewright/testkit/worlds';

const hook = { name: 'nodewright-drain', transition: 'terminating', heartbeatSeconds: 120 } as const;
const busy = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 3 };

/** What somebody else does, such as Cluster Autoscaler. */
async function endOne(world: World): Promise<string> {
  const id = world.cloud.scalingGroups.instances('workers')[0]?.id ?? '';
  await world.apply(world.cloud.scalingGroups.terminate(id, { decrement: true }));
  return id;
}

const answers = ({ cloud }: World) =>
  cloud.scalingGroups.log.filter((line) => /^(continue|heartbeat)/.test(line)).map((line) => line.split(' ')[0]);

describe('SMG-8: an instance that the group ends and a terminate hook of ours makes wait', () => {
  test('is drained before it may go, whoever ended it', async () => {
    const world = await aWorldWithGroup({ hooks: [hook] });
    await anApp(world);
    await world.apply(world.client.create(nodeGroups, aScalingGroup({ mode: 'OnRequest' })));
    await world.advance(minutes(1));
    await endOne(world);
    await world.advance(minutes(5));
    expect(answers(world).at(-1)).toBe('continue');
    expect(await world.pods()).toHaveLength(2);
    expect(await world.nodes()).toHaveLength(2);
    await world.stop();
  });

  test('is kept waiting by heartbeats while a budget holds its pod, and no longer than the time for a node', async () => {
    const world = await aWorldWithGroup({ hooks: [hook] });
    await anApp(world, { maxUnavailable: 1 });
    await setBudget(world, busy);
    await world.apply(world.client.create(nodeGroups, aScalingGroup({ mode: 'OnRequest', drainTimeout: '10m' })));
    await world.advance(minutes(1));
    const id = await endOne(world);
    await world.advance(minutes(9));
    expect(new Set(answers(world))).toEqual(new Set(['heartbeat']));
    expect((await groupOf(world))?.status?.leaving).toHaveProperty([id]);
    expect(await world.pods()).toHaveLength(3);
    await world.advance(minutes(3));
    expect(answers(world).at(-1)).toBe('continue');
    expect((await groupOf(world))?.status).not.toHaveProperty('leaving');
    await world.stop();
  });

  test('goes at once in an update, which has drained it before', async () => {
    const world = await aWorldWithGroup({ hooks: [hook] });
    await anApp(world);
    await world.apply(world.client.create(nodeGroups, aScalingGroup()));
    await world.advance(minutes(75));
    expect(imagesOf(world)).toEqual([wanted, wanted, wanted]);
    expect(new Set(answers(world))).toEqual(new Set(['continue']));
    await world.stop();
  });
});

test('SMG-2: a hook of somebody else is not ours to answer', async () => {
  const world = await aWorldWithGroup({ hooks: [{ ...hook, name: 'termination-handler' }] });
  await world.apply(world.client.create(nodeGroups, aScalingGroup({ mode: 'OnRequest' })));
  await world.advance(minutes(1));
  await endOne(world);
  await world.advance(minutes(10));
  expect(answers(world)).toEqual([]);
  await world.stop();
});
