import { expect, test } from 'vitest';
import { builtInReleases } from '../releases/built-in.ts';
import { historyOf } from '../releases/history.ts';
import { groupWorld, newImage, newRelease, oldRelease } from './testing/group-world.ts';

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
