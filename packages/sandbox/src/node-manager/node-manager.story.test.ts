import { nodes, toTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { builtInReleases, historyOf } from '@nodewright/aws-endpoints';
import { groupWorld, newImage, newRelease, oldRelease } from '@nodewright/testkit/worlds';

const image = 'eks.amazonaws.com/nodegroup-image';

test('scenario 1, UPG-7, SDN-1: an update replaces every node by new ones, and the group has its sizes back', async () => {
  const world = await groupWorld();
  await world.create();
  expect(await world.group()).toMatchObject({ status: 'CREATING', version: '1.23', releaseVersion: oldRelease });
  await world.after(5);
  expect(await world.group()).toMatchObject({ status: 'ACTIVE', health: { issues: [] } });
  await world.deploy(6, 5);
  const id = await world.update();
  expect((await world.group()).status).toBe('UPDATING');
  await world.after(40);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful', errors: [] });
  expect(await world.group()).toMatchObject({ status: 'ACTIVE', releaseVersion: newRelease });
  expect((await world.nodes()).map(({ metadata }) => metadata.labels?.[image])).toEqual([newImage, newImage, newImage]);
  expect(world.scaling()).toMatchObject({ min: 3, max: 6, desired: 3 });
  expect((await world.pods()).filter(({ status }) => status?.phase === 'Running')).toHaveLength(6);
});

test('REP-10: a node that stops answering is replaced after half an hour, where the group repairs its nodes', async () => {
  const known = builtInReleases().of('1.23');
  const releases = historyOf(known.map((release) => ({ ...release, behavior: 'stopsRenewing' as const })));
  const world = await groupWorld({ releases });
  await world.started({ nodeRepairConfig: { enabled: true } });
  const before = (await world.nodes()).map(({ metadata }) => metadata.name);
  await world.after(2 * 60 + 20);
  expect((await world.nodes()).map(({ metadata }) => metadata.name)).toEqual(before);
  await world.after(40);
  const after = (await world.nodes()).map(({ metadata }) => metadata.name);
  expect(after).toHaveLength(3);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
});

test('REP-2, REP-7, REP-8, TRM-6: a node whose accelerator fails is rebooted in place, and no node is repaired during a zonal shift', async () => {
  const world = await groupWorld();
  await world.started({ nodeRepairConfig: { enabled: true } });
  const [node] = await world.nodes();
  const name = node?.metadata.name ?? '';
  const shift = world.aws.faults.add({ kind: 'zonal-shift' });
  const condition = {
    type: 'AcceleratedHardwareReady',
    status: 'False',
    reason: 'NvidiaXID13Error',
    message: 'graphics engine exception',
    lastTransitionTime: toTimestamp(world.time.clock.now()),
  };
  const conditions = [...(node?.status?.conditions ?? []), condition];
  const patch = { status: { conditions } };
  await world.time.finish(world.admin.patch(nodes, { name }, { type: 'merge', patch }, { subresource: 'status' }));
  const accelerator = async () =>
    (await world.nodes())
      .find(({ metadata }) => metadata.name === name)
      ?.status?.conditions?.find(({ type }) => type === 'AcceleratedHardwareReady')?.status;
  await world.after(15);
  expect(await accelerator()).toBe('False');
  world.aws.faults.clear(shift.id);
  await world.after(8);
  expect(await accelerator()).toBe('True');
  const after = (await world.nodes()).map(({ metadata }) => metadata.name);
  expect(after).toContain(name);
  expect(world.scaling()?.instances).toHaveLength(3);
});
