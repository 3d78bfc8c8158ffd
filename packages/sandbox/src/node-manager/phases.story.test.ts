import {
  UpdateClusterVersionCommand,
  UpdateNodegroupConfigCommand,
  UpdateNodegroupVersionCommand,
} from '@aws-sdk/client-eks';
import { daemonSets, type Pod, pods } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { groupWorld, type GroupWorld, newImage, newRelease, oldRelease } from '@nodewright/testkit/worlds';

const second = 1 / 60;
const names = { clusterName: 'sandbox', nodegroupName: 'default' };
const taintKey = 'eks.amazonaws.com/nodegroup';

/** What `kubectl get nodes` would say of a node, and whether it is set apart. */
async function statesOf(world: GroupWorld): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await world.nodes()).map(({ metadata, spec, status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
      const tainted = spec?.taints?.some(({ key }) => key === taintKey) === true ? ' tainted' : '';
      const words = [ready ? 'Ready' : 'NotReady', ...(spec?.unschedulable === true ? ['SchedulingDisabled'] : [])];
      return [metadata.name, `${words.join(',')}${tainted}`];
    }),
  );
}

/** The states of every node in the order in which they were seen, looked at every five seconds. */
async function watched(world: GroupWorld, minutes: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const seen = new Map<string, string[]>();
  for (let at = 0; at < minutes * 12; at += 1) {
    for (const [name, state] of await statesOf(world)) {
      const states = seen.get(name) ?? [];
      if (states.at(-1) !== state) seen.set(name, [...states, state]);
    }
    await world.after(5 * second);
  }
  return seen;
}

/** A pod bound to a node by hand, that nobody makes anew. */
const aPod = (name: string, nodeName: string, more: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name },
  spec: { nodeName, containers: [{ name: 'main', image: 'busybox:1' }], ...more },
});

test('UPG-13, UPG-5, SUP-6, SUP-8: what is seen of nodes is their way from NotReady to Ready, and from Ready over tainted and cordoned to gone', async () => {
  const world = await groupWorld();
  await world.started();
  const before = (await world.nodes()).map(({ metadata }) => metadata.name);
  await world.update();
  const seen = await watched(world, 12);
  for (const name of before) {
    const way = ['Ready', 'Ready tainted', 'Ready,SchedulingDisabled tainted', 'NotReady,SchedulingDisabled tainted'];
    expect(way.filter((state) => seen.get(name)?.includes(state))).toEqual(seen.get(name));
    expect(seen.get(name)).toContain('Ready,SchedulingDisabled tainted');
  }
  const fresh = [...seen].filter(([name]) => !before.includes(name));
  expect(fresh.length).toBeGreaterThanOrEqual(9);
  for (const [, states] of fresh) expect(states.slice(0, 2)).toEqual(['NotReady', 'Ready']);
  for (const [, states] of fresh) expect(states.join(' ')).not.toContain('tainted');
});

test('UPG-2, UPG-9: no more pods are away at once than their budget lets go', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(6, 5);
  const id = await world.update();
  let fewest = 6;
  for (let at = 0; at < 80; at += 1) {
    await world.after(10 * second);
    const running = (await world.pods()).filter(({ status, metadata }) => {
      const ready = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
      return ready && metadata.deletionTimestamp === undefined;
    });
    fewest = Math.min(fewest, running.length);
  }
  expect(fewest).toBe(5);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
});

test('UPG-6, SUP-2, SUP-3, SDN-5, SDN-7: the surplus stays to the end of the upgrade, and every zone has its share', async () => {
  const world = await groupWorld();
  await world.started();
  const id = await world.update();
  const sizes = new Set<number>();
  for (;;) {
    const phase = world.aws.eks.nodeGroups.update('default', id).record?.phase;
    if (phase === 'upgrade') sizes.add(world.scaling()?.desired ?? 0);
    if (phase === 'scaleDown') break;
    await world.after(5 * second);
  }
  expect([...sizes]).toEqual([9]);
  await world.after(20);
  expect(
    world
      .scaling()
      ?.instances.map(({ zone }) => zone)
      .toSorted(),
  ).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
});

test('UPG-8: daemons and finished pods hold up no drain', async () => {
  const world = await groupWorld();
  await world.started();
  const [node = ''] = (await world.nodes()).map(({ metadata }) => metadata.name);
  expect((await world.time.finish(world.admin.list(daemonSets, { namespace: 'kube-system' }))).items).toHaveLength(2);
  await world.time.finish(world.admin.create(pods, aPod('done', node, { restartPolicy: 'Never' })));
  const status = { phase: 'Succeeded' };
  await world.time.finish(
    world.admin.patch(
      pods,
      { namespace: 'default', name: 'done' },
      { type: 'merge', patch: { status } },
      { subresource: 'status' },
    ),
  );
  const id = await world.update();
  await world.after(20);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
});

test('SET-7, SET-3, UPD-12, UPD-15: what an update began with holds for it, whatever is asked meanwhile', async () => {
  const world = await groupWorld();
  await world.started({ updateConfig: { maxUnavailable: 2 } });
  const id = await world.update();
  await world.after(1);
  const busy = { name: 'ResourceInUseException' };
  await expect(world.update()).rejects.toMatchObject(busy);
  await expect(
    world.eks.send(new UpdateNodegroupConfigCommand({ ...names, updateConfig: { maxUnavailable: 1 } })),
  ).rejects.toMatchObject(busy);
  expect(world.aws.eks.nodeGroups.update('default', id).record).toMatchObject({
    parallel: 2,
    strategy: 'DEFAULT',
    before: { max: 6, desired: 3 },
  });
  expect((await world.group()).scalingConfig).toEqual({ minSize: 3, maxSize: 6, desiredSize: 3 });
});

test('SDN-4, SDN-1: between two steps of the scale down lie 30 seconds at least', async () => {
  const world = await groupWorld();
  await world.started();
  const id = await world.update();
  const steps: number[] = [];
  let desired = 0;
  for (let at = 0; at < 156; at += 1) {
    await world.after(5 * second);
    const now = world.scaling()?.desired ?? 0;
    if (now < desired) steps.push(world.time.clock.now());
    desired = now;
  }
  expect(steps).toHaveLength(6);
  const gaps = steps.slice(1).map((step, at) => step - (steps[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30_000);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
});

test('MIN-4: old nodes are set apart before a minimal update drains the first', async () => {
  const world = await groupWorld();
  await world.started({ updateConfig: { maxUnavailable: 1, updateStrategy: 'MINIMAL' } });
  await world.deploy(6, 6);
  await world.update();
  await world.after(1);
  expect([...(await statesOf(world)).values()]).toEqual(['Ready tainted', 'Ready tainted', 'Ready tainted']);
});

for (const { fact, updateQuietMs, minutes } of [
  { fact: 'as fast as its limits allow, in about 25 minutes', updateQuietMs: undefined, minutes: [18, 27] },
  {
    fact: 'after a long quiet time in about 45 minutes, when the waiter has given up',
    updateQuietMs: 22 * 60_000,
    minutes: [40, 50],
  },
] as const) {
  test(`FAIL-6, SUP-10, FAIL-3, UPD-11, WAIT-4: a blocked update fails ${fact}, and the group is what it was`, async () => {
    const world = await groupWorld(updateQuietMs === undefined ? {} : { updateQuietMs });
    await world.started();
    await world.deploy(6, 6);
    const id = await world.update();
    const begun = world.time.clock.now();
    while ((await world.outcome(id))?.status === 'InProgress') await world.after(0.5);
    const took = (world.time.clock.now() - begun) / 60_000;
    expect(took).toBeGreaterThan(minutes[0]);
    expect(took).toBeLessThan(minutes[1]);
    expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'PodEvictionFailure' }] });
    expect(await world.group()).toMatchObject({ status: 'ACTIVE', version: '1.23', releaseVersion: oldRelease });
  });
}

test('FAIL-7, RES-3: the way back from a new release is an update to the older one', async () => {
  const world = await groupWorld();
  await world.started();
  await world.update();
  await world.after(30);
  expect(await world.group()).toMatchObject({ releaseVersion: newRelease });
  const id = await world.update({ releaseVersion: oldRelease });
  await world.after(30);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await world.group()).toMatchObject({ releaseVersion: oldRelease });
});

test('UPG-11: some pods move twice, for they came to nodes that the scale down takes away', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(9, 6);
  const seen = new Set<string>();
  const id = await world.update();
  while ((await world.outcome(id))?.status === 'InProgress') {
    for (const { metadata } of await world.pods()) seen.add(metadata.name);
    await world.after(0.5);
  }
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  const [before, movedOnce] = [9, 9];
  expect(seen.size).toBeGreaterThan(before + movedOnce);
});

test('FAIL-9: the second update, which tools make toward the version from before, points the group back', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(6, 6);
  await world.eks.send(new UpdateClusterVersionCommand({ name: 'sandbox', version: '1.24' }));
  await world.after(12);
  const forward = await world.update({ version: '1.24' });
  await world.after(45);
  expect(await world.outcome(forward)).toMatchObject({ status: 'Failed' });
  expect(world.scaling()?.template.version).toBe('2');
  const back = await world.update({ version: '1.23', releaseVersion: oldRelease });
  await world.after(10);
  expect(await world.outcome(back)).toMatchObject({ status: 'Successful' });
  expect(await world.group()).toMatchObject({ status: 'ACTIVE', version: '1.23', releaseVersion: oldRelease });
  expect(world.scaling()?.template.version).toBe('1');
});

test('FRC-1: force is of one call: the next one without it is blocked again', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(6, 6);
  await world.update({ force: true });
  await world.after(120);
  const id = await world.update({ releaseVersion: oldRelease });
  await world.after(45);
  expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'PodEvictionFailure' }] });
});

test('TRM-5: a node that Cluster Autoscaler takes away shrinks the group', async () => {
  const world = await groupWorld();
  await world.started({ scalingConfig: { minSize: 0, maxSize: 6, desiredSize: 3 } });
  world.aws.autoScaling.terminate(world.scaling()?.instances[0]?.id ?? '', true);
  await world.after(5);
  expect(world.scaling()).toMatchObject({ desired: 2 });
  expect(await world.nodes()).toHaveLength(2);
});

test('scenario 30, TRM-7: without AZRebalance a group that is lopsided fails to get a new node into every zone', async () => {
  const world = await groupWorld();
  await world.started();
  const { autoScaling, faults } = world.aws;
  const name = world.scaling()?.name ?? '';
  autoScaling.change(name, { suspended: ['AZRebalance'] });
  const full = faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1c' });
  const id = await world.update();
  await world.after(5);
  faults.clear(full.id);
  await world.after(40);
  expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'NodeCreationFailure' }] });
  expect(world.scaling()).toMatchObject({ desired: 3, template: { version: '1' } });
});

test('VER-4, VER-10: a group goes to the minor of its cluster and not beyond, and takes nothing else along', async () => {
  const world = await groupWorld();
  await world.started();
  const daemons = async () =>
    (await world.time.finish(world.admin.list(daemonSets, { namespace: 'kube-system' }))).items.map(({ spec }) => spec);
  const before = await daemons();
  await expect(world.eks.send(new UpdateNodegroupVersionCommand({ ...names, version: '1.24' }))).rejects.toMatchObject({
    name: 'InvalidParameterException',
  });
  await world.update();
  await world.after(30);
  expect((await world.nodes()).map(({ metadata }) => metadata.labels?.['eks.amazonaws.com/nodegroup-image'])).toEqual([
    newImage,
    newImage,
    newImage,
  ]);
  expect(await daemons()).toEqual(before);
});
