import {
  days,
  deployments,
  disruptedTaint,
  ec2NodeClasses,
  fromTimestamp,
  hours,
  instant,
  isConditionTrue,
  minutes,
  nodeClaims,
  nodePools,
  nodes,
  type Deployment,
  type ResourceType,
} from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { parseManifests, seededRandom, virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createEmbeddedWorld } from '../packages/cli/src/world/embedded-world.ts';
import { example } from './support/gated-world.ts';
import { countWakes } from './support/wake-counts.ts';

const manifest = (name: string): Deployment => {
  const [first] = parseManifests(example(`managing-amis/${name}.yaml`)) as readonly Deployment[];
  if (first === undefined) throw new Error(`no manifest ${name}`);
  return first;
};

/** Timers that fire on a day to which nothing happens, however many nodes and budgets there are. */
const wakesOfIdleDay = 50;

/** Four nodes of the guide to managing AMIs: budgets with hours, and the services of a cluster that `nodewright sandbox` has. */
async function fourNodes() {
  const time = virtualTime(fromTimestamp('2024-09-03T10:00:00Z'));
  const wakes = countWakes(time.clock);
  const written: string[] = [];
  const world = await createEmbeddedWorld({
    clock: wakes.clock,
    gate: time.gate,
    random: seededRandom(1),
    clusterName: 'sandbox',
    kubernetesVersion: '1.29',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: builtInReleases(),
    controller: true,
    clusterServices: true,
    way: 'direct',
    onWrite: (write) => written.push(`${write.type} ${write.collection} ${write.object.metadata.name}`),
  });
  await time.finish(world.start());
  const { admin } = world.sandbox;
  const create = (type: ResourceType, object: unknown) => time.finish(admin.create(type, object as never));
  const apart = manifest('seven-nodes');
  await create(ec2NodeClasses, manifest('pinned-release'));
  await create(nodePools, manifest('budgets'));
  await create(deployments, {
    ...apart,
    metadata: { name: 'apart', namespace: 'default' },
    spec: { ...apart.spec, replicas: 4 },
  });
  const pass = (ms: number): Promise<void> => time.run(instant(time.clock.now() + ms));
  await pass(minutes(30));
  return {
    time,
    pass,
    nodes: async () => (await time.finish(admin.list(nodes))).items.map(({ metadata }) => metadata.name),
    disrupted: async () =>
      (await time.finish(admin.list(nodes))).items.filter(({ spec }) =>
        spec?.taints?.some(({ key }) => key === disruptedTaint.key),
      ).length,
    drifted: async () =>
      (await time.finish(admin.list(nodeClaims))).items.filter((claim) => isConditionTrue(claim, 'Drifted')).length,
    selectRelease: (alias: string) =>
      time.finish(
        admin.patch(
          ec2NodeClasses,
          { name: 'pinned-release' },
          { type: 'merge', patch: { spec: { amiSelectorTerms: [{ alias }] } } },
        ),
      ),
    /** What the world does in that time: timers that fire, and writes. */
    async activity(ms: number) {
      wakes.takeCount();
      written.length = 0;
      await pass(ms);
      return { wakes: wakes.takeCount(), writes: [...written] };
    },
    end: () => time.finish(world.stop()),
  };
}

/**
 * The cluster is looked at when hours of a budget begin or end and when AWS answers otherwise. Each look tells each Node, each
 * NodeClaim and the pool once, and each event expires.
 */
function expectOnlyLooks(
  writes: readonly string[],
  { most, nodes: count }: { readonly most: number; readonly nodes: number },
) {
  expect(writes.filter((write) => !write.includes(' events '))).toEqual([]);
  expect(writes.length).toBeLessThanOrEqual(most * 2 * (2 * count + 1));
}

test('four nodes with budgets that have hours are idle for ten days', async () => {
  const world = await fourNodes();
  const before = await world.nodes();
  expect(before).toHaveLength(4);
  await world.pass(hours(1));
  const { wakes, writes } = await world.activity(days(10));
  expectOnlyLooks(writes, { most: 10, nodes: before.length });
  expect(wakes).toBeLessThan(10 * wakesOfIdleDay);
  expect(await world.nodes()).toEqual(before);
  await world.end();
});

test('drifted nodes that wait for the hours of a budget are idle until it lets them go', async () => {
  const world = await fourNodes();
  const before = await world.nodes();
  await world.time.run(fromTimestamp('2024-09-03T18:00:00Z'));
  await world.selectRelease('al2023@latest');
  await world.pass(hours(2));
  expect(await world.drifted()).toBe(4);
  const { wakes, writes } = await world.activity(hours(12));
  expectOnlyLooks(writes, { most: 3, nodes: before.length });
  expect(wakes).toBeLessThan(wakesOfIdleDay);
  expect(await world.nodes()).toEqual(before);
  await world.time.run(fromTimestamp('2024-09-04T09:00:20Z'));
  expect(await world.disrupted()).toBe(1);
  await world.pass(hours(1));
  expect((await world.nodes()).filter((name) => before.includes(name))).toEqual([]);
  await world.end();
});
