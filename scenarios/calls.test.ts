import { CreateTagsCommand, DeleteTagsCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { hours, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { callsWorld, type CallCounts } from './support/calls-world.ts';

/** Long polls of the queue are counted apart: they wait, and cost nothing else. */
const polls = ['ReceiveMessage'];

const countAll = (counts: CallCounts): number =>
  Object.entries(counts)
    .filter(([operation]) => !polls.includes(operation))
    .reduce((sum, [, count]) => sum + count, 0);

/** Of a day of a cluster at rest, whatever its size. */
const callsOfOneDay = {
  CreateFleet: 2,
  DescribeImages: 24,
  DescribeInstanceStatus: 48,
  DescribeInstances: 240,
  DescribeLaunchTemplates: 4,
  DescribeSecurityGroups: 240,
  DescribeSubnets: 240,
  GetInstanceProfile: 12,
  GetParameters: 120,
  RunInstances: 2,
};

async function expectIdle(world: Awaited<ReturnType<typeof callsWorld>>, parts: number): Promise<void> {
  world.counts();
  await world.pass(hours(24 / parts));
  const counts = world.counts();
  for (const [operation, most] of Object.entries(callsOfOneDay))
    expect([operation, counts[operation] ?? 0]).toSatisfy(([, count]) => count <= most / parts + 1);
  expect(countAll(counts)).toBeLessThan(1_000 / parts);
}

test('a day of ten idle nodes makes less than a thousand calls', async () => {
  const world = await callsWorld();
  await world.fill(10);
  await world.pass(minutes(45));
  expect(await world.nodes()).toHaveLength(10);
  await expectIdle(world, 1);
  await world.end();
});

test('fifty nodes are launched and told apart in few calls for each, and idle as few do', async () => {
  const world = await callsWorld();
  await world.fill(50);
  await world.pass(minutes(10));
  expect(await world.nodes()).toHaveLength(50);
  const { CreateFleet = 0, CreateTags = 0, DescribeInstances = 0, CreateLaunchTemplate = 0 } = world.counts();
  // Two are dry runs. The name of a node is a tag of its own instance, so that no two instances share a call.
  expect({ CreateFleet, CreateTags }).toEqual({ CreateFleet: 52, CreateTags: 50 });
  expect(CreateLaunchTemplate).toBeLessThanOrEqual(2);
  expect(DescribeInstances).toBeLessThanOrEqual(40);
  await world.pass(minutes(35));
  await expectIdle(world, 6);
  await world.end();
});

/** A cluster of three nodes to which nothing has happened for an hour. */
async function atRest(traits: Parameters<typeof callsWorld>[0] = {}) {
  const world = await callsWorld(traits);
  await world.fill(3);
  await world.pass(minutes(61));
  const imageIds = async () => (await world.nodeClass())?.status?.amis?.map(({ id }) => id) ?? [];
  const release = (imageId: string) => world.sandbox.aws.releases.byImage(imageId);
  return {
    ...world,
    release,
    imageIds,
    /** How many minutes pass until it is so. */
    async minutesUntil(isSo: () => Promise<boolean>): Promise<number> {
      for (let passed = 0; passed < 120; passed += 1) {
        if (await isSo()) return passed;
        await world.pass(minutes(1));
      }
      return Infinity;
    },
    /** AWS takes back the release that nodes are launched from. */
    async withdraw(): Promise<string> {
      const nodeClaims = await world.claims();
      const used = release(nodeClaims[0]?.status?.imageID ?? '');
      if (used === undefined) throw new Error('no node runs a release');
      world.sandbox.aws.releases.withdraw({ family: used.family, version: used.version }, world.time.clock.now());
      return used.version;
    },
  };
}

const tag = { Key: 'karpenter.sh/discovery', Value: 'sandbox' };

test('at rest, an instance that ended outside is replaced within five minutes, without a queue', async () => {
  const world = await atRest({ interruptionQueue: '' });
  const [claim] = await world.claims();
  const id = claim?.status?.providerID?.split('/').at(-1) ?? '';
  await world.byHand((sdk, options) => sdk.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }), options));
  const isReplaced = async () => {
    const names = (await world.claims()).map(({ metadata }) => metadata.name);
    return names.length === 3 && !names.includes(claim?.metadata.name ?? '');
  };
  expect(await world.minutesUntil(isReplaced)).toBeLessThanOrEqual(5);
  await world.end();
});

for (const isTold of [false, true])
  test(`at rest, a subnet and a security group that lose or get the tag are seen within six minutes, told of or not: ${isTold}`, async () => {
    const world = await atRest({ isTold });
    const { subnets = [], securityGroups = [] } = (await world.nodeClass())?.status ?? {};
    const lost = [subnets[0]?.id ?? '', securityGroups[0]?.id ?? ''];
    const idsOf = async () => {
      const { status } = (await world.nodeClass()) ?? {};
      return [...(status?.subnets ?? []), ...(status?.securityGroups ?? [])].map(({ id }) => id);
    };
    await world.byHand((sdk, options) =>
      sdk.ec2.send(new DeleteTagsCommand({ Resources: lost, Tags: [{ Key: tag.Key }] }), options),
    );
    const isLost = async () => !(await idsOf()).some((id) => lost.includes(id));
    expect(await world.minutesUntil(isLost)).toBeLessThanOrEqual(6);
    await world.pass(minutes(40));
    await world.byHand((sdk, options) =>
      sdk.ec2.send(new CreateTagsCommand({ Resources: lost, Tags: [tag] }), options),
    );
    const isBack = async () => lost.every((id) => (idsBack ?? []).includes(id));
    let idsBack: readonly string[] | undefined;
    const look = async () => {
      idsBack = await idsOf();
      return isBack();
    };
    expect(await world.minutesUntil(look)).toBeLessThanOrEqual(6);
    await world.end();
  });

for (const { traits, within } of [
  { traits: {}, within: 12 },
  { traits: { imagesFreshMs: minutes(1) }, within: 2 },
  { traits: { isTold: true }, within: 12 },
]) {
  test(`at rest, a release that is withdrawn or new is seen within ${within} minutes with ${JSON.stringify(traits)}`, async () => {
    const world = await atRest(traits);
    const withdrawn = await world.withdraw();
    const isOut = async () => (await world.imageIds()).every((id) => world.release(id)?.version !== withdrawn);
    expect(await world.minutesUntil(isOut)).toBeLessThanOrEqual(within);
    await world.pass(hours(1));
    const [old] = await world.imageIds();
    const [now, release] = [world.time.clock.now(), world.release(old ?? '')];
    if (release === undefined) throw new Error('no release is selected');
    const at = new Date(now).toISOString();
    const imageId = 'ami-0fffffffffffffff1';
    const name = release.name.replace(release.version, 'v20300101');
    world.sandbox.aws.releases.publish({
      ...release,
      imageId,
      name,
      version: 'v20300101',
      createdAt: at,
      publishedAt: at,
    });
    const isIn = async () => (await world.imageIds()).includes(imageId);
    expect(await world.minutesUntil(isIn)).toBeLessThanOrEqual(within);
    await world.end();
  });
}

test('what is launched at rest is launched from images that were looked for a minute before at the most', async () => {
  const world = await atRest();
  const withdrawn = await world.withdraw();
  await world.pass(minutes(1));
  const before = new Set((await world.claims()).map(({ metadata }) => metadata.name));
  await world.scale(5);
  await world.pass(minutes(2));
  const launched = (await world.claims()).filter(({ metadata }) => !before.has(metadata.name));
  expect(launched.length).toBeGreaterThan(1);
  expect(launched.map(({ status }) => world.release(status?.imageID ?? '')?.version)).not.toContain(withdrawn);
  await world.end();
});
