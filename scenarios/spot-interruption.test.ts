import { fromTimestamp, instant, pods } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';

const minute = 60_000;

/** A pool of spot nodes of one type, so that only the zone is left to choose. */
function spotPool() {
  const pool = nodePoolOf();
  const { template } = pool.spec;
  const requirements = template.spec.requirements.map((each) =>
    each.key === 'karpenter.sh/capacity-type' ? { ...each, values: ['spot'] } : each,
  );
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } };
}

async function spotWorld() {
  const world = await imageWorld({ start: '2024-02-02T12:00:00Z' });
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }), spotPool(), deploymentOf(2));
  await world.pass(10);
  const { aws, admin, time } = world;
  const instances = () => aws.ec2.instances.all();
  return {
    ...world,
    now: () => time.clock.now(),
    stateOf: (id: string) => aws.ec2.instances.get(id)?.state,
    running: () => instances().filter(({ state }) => state === 'running'),
    since: (at: number) => instances().filter(({ launchedAt }) => launchedAt >= at),
    podsOn: async () =>
      (await time.finish(admin.list(pods, { namespace: 'default' }))).items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ spec, status }) => `${status?.phase} on ${spec.nodeName}`),
  };
}

test('a spot node that is reclaimed is replaced and drained before it ends, and its pool avoided for three minutes', async () => {
  const world = await spotWorld();
  const [old] = world.running();
  if (old === undefined) throw new Error('nothing runs');
  const warnedAt = world.now();
  const { fault } = world.aws.faults.add({ kind: 'spot-interruption', instanceId: old.id });
  const endsAt = fromTimestamp(('endsAt' in fault && fault.endsAt) || '');
  expect(endsAt - warnedAt).toBe(2 * minute);

  await world.time.run(instant(warnedAt + 20_000));
  const [replacement, ...others] = world.since(warnedAt);
  expect(others).toEqual([]);
  expect(replacement).toMatchObject({ settings: { instanceType: 'm5.large', capacityType: 'spot' } });
  expect(replacement?.zone).not.toBe(old.zone);

  await world.time.run(instant(endsAt - 1));
  expect(await world.podsOn()).toEqual(
    world.running().map(({ privateDnsName }): unknown => expect.stringContaining(privateDnsName)),
  );
  expect(world.running().map(({ id }) => id)).not.toContain(old.id);
  expect((await world.nodes()).map(({ spec }) => spec?.providerID)).not.toContain(`aws:///${old.zone}/${old.id}`);

  await world.apply(deploymentOf(3));
  await world.time.run(instant(warnedAt + 2.9 * minute));
  expect(world.since(warnedAt).map(({ zone }) => zone)).not.toContain(old.zone);
  expect(world.since(warnedAt)).toHaveLength(2);

  await world.time.run(instant(warnedAt + 4 * minute));
  expect(world.stateOf(old.id)).toBe('terminated');
  const afterwards = world.now();
  await world.apply(deploymentOf(4));
  await world.pass(3);
  expect(world.since(afterwards).map(({ zone }) => zone)).toEqual([old.zone]);
  expect((await world.podsOn()).every((told) => told.startsWith('Running'))).toBe(true);
  expect(world.aws.queues.counts('sandbox')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  await world.end();
});

test('a node whose instance somebody else ends is replaced as soon as EC2 says so', async () => {
  const world = await spotWorld();
  const [old] = world.running();
  const at = world.now();
  world.aws.ec2.instances.terminate(old?.id ?? '');
  await world.time.run(instant(at + 15_000));
  expect(world.since(at)).toHaveLength(1);
  await world.pass(3);
  expect(world.running()).toHaveLength(2);
  expect(await world.claims()).toHaveLength(2);
  await world.end();
});

test('of a rebalance recommendation somebody hears, and the node stays', async () => {
  const world = await spotWorld();
  const before = world.running().map(({ id }) => id);
  world.aws.faults.add({ kind: 'rebalance-recommendation' });
  await world.pass(10);
  expect(world.running().map(({ id }) => id)).toEqual(before);
  await world.end();
});

test('a node whose machine is impaired is given up after two minutes', async () => {
  const world = await spotWorld();
  const [old] = world.running();
  world.aws.faults.add({ kind: 'impaired-instance', check: 'system', ...(old && { instanceId: old.id }) });
  await world.pass(1);
  expect(world.stateOf(old?.id ?? '')).toBe('running');
  await world.pass(5);
  expect(world.running().map(({ id }) => id)).not.toContain(old?.id);
  expect(world.running()).toHaveLength(2);
  await world.end();
});
