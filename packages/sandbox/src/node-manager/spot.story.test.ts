import { expect, test } from 'vitest';
import { groupWorld, type GroupWorld, newImage } from '@nodewright/testkit/worlds';

const second = 1 / 60;

async function spotWorld(): Promise<GroupWorld> {
  const world = await groupWorld();
  await world.started({ capacityType: 'SPOT' });
  return world;
}

const cordoned = async (world: GroupWorld) =>
  (await world.nodes()).filter(({ spec }) => spec?.unschedulable === true).length;

const ready = async (world: GroupWorld) =>
  (await world.nodes()).filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  ).length;

test('OBJ-9: groups of spot instances rebalance, and buy by capacity; others buy in the order of their types', async () => {
  const world = await spotWorld();
  expect(world.scaling()).toMatchObject({
    capacityRebalance: true,
    capacityType: 'spot',
    allocation: 'capacity-optimized',
  });
  expect((await world.nodes())[0]?.metadata.labels?.['eks.amazonaws.com/capacityType']).toBe('SPOT');
});

test('TRM-3: on a rebalance recommendation the replacement is ready before the node at risk is drained', async () => {
  const world = await spotWorld();
  await world.deploy(3, 2);
  const { fault } = world.aws.faults.add({ kind: 'rebalance-recommendation' });
  const risky = 'instanceId' in fault ? fault.instanceId : '';
  let fewest = 3;
  for (let at = 0; at < 60; at += 1) {
    await world.after(5 * second);
    fewest = Math.min(fewest, await ready(world));
    const leaving = world.scaling()?.instances.find(({ id }) => id === risky);
    if (leaving?.lifecycle.startsWith('Terminat') === true) expect(await ready(world)).toBeGreaterThanOrEqual(3);
    if (leaving === undefined) break;
  }
  expect(fewest).toBe(3);
  expect(world.scaling()?.instances.map(({ id }) => id)).not.toContain(risky);
  expect(world.scaling()).toMatchObject({ desired: 3 });
  expect(world.scaling()?.instances).toHaveLength(3);
});

test('TRM-3: on a notice the node is drained at once, and a replacement comes', async () => {
  const world = await spotWorld();
  await world.deploy(3, 0);
  world.aws.faults.add({ kind: 'spot-interruption' });
  await world.after(20 * second);
  expect(await cordoned(world)).toBe(1);
  await world.after(5);
  expect(await ready(world)).toBe(3);
  expect((await world.pods()).filter(({ status }) => status?.phase === 'Running')).toHaveLength(3);
});

test('scenario 26: a notice for a node in drain costs no more than that node', async () => {
  const world = await spotWorld();
  await world.deploy(6, 6);
  const id = await world.update();
  await world.after(6);
  const old = world.scaling()?.instances.filter(({ template }) => template.version === '1') ?? [];
  const draining = Object.keys(world.aws.eks.nodeGroups.update('default', id).record?.drains ?? {});
  const [instanceId = ''] = draining;
  expect(old.map((each) => each.id)).toContain(instanceId);
  world.aws.faults.add({ kind: 'spot-interruption', instanceId });
  await world.after(4);
  expect((await world.outcome(id))?.status).toBe('InProgress');
  await world.allow(4);
  await world.after(60);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful', errors: [] });
  const images = (await world.nodes()).map(({ metadata }) => metadata.labels?.['eks.amazonaws.com/nodegroup-image']);
  expect(images).toEqual([newImage, newImage, newImage]);
});
