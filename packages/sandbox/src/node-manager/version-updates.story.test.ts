import { expect, test } from 'vitest';
import { historyOf, builtInReleases } from '@nodewright/aws-endpoints';
import { groupWorld, type GroupWorld, newImage, newRelease, oldRelease } from '@nodewright/testkit/worlds';

const image = 'eks.amazonaws.com/nodegroup-image';
const offLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers';

const releasesOf = async (world: GroupWorld): Promise<readonly string[]> =>
  (await world.nodes()).map(({ metadata }) => (metadata.labels?.[image] === newImage ? 'new' : 'old')).toSorted();

/** How many old nodes are set apart, and how many take no pods at all. */
async function setApart(world: GroupWorld) {
  const nodes = await world.nodes();
  return {
    tainted: nodes.filter(({ spec }) => spec?.taints?.some(({ key }) => key === 'eks.amazonaws.com/nodegroup')).length,
    labelled: nodes.filter(({ metadata }) => metadata.labels?.[offLoadBalancers] === 'true').length,
    cordoned: nodes.filter(({ spec }) => spec?.unschedulable === true).length,
  };
}

/** A group whose every node has pods that no budget lets go. */
async function blockedWorld(...options: Parameters<typeof groupWorld>): Promise<GroupWorld> {
  const world = await groupWorld(...options);
  await world.started();
  await world.deploy(6, 6);
  return world;
}

test('SUP-2, SUP-6, LBL-1, UPD-15: midway the surge shows on the Auto Scaling group only, and old nodes are set apart', async () => {
  const world = await blockedWorld();
  await world.update();
  await world.after(6);
  expect(world.scaling()).toMatchObject({ min: 3, max: 12, desired: 9 });
  expect((await world.group()).scalingConfig).toEqual({ minSize: 3, maxSize: 6, desiredSize: 3 });
  expect(await setApart(world)).toEqual({ tainted: 3, labelled: 3, cordoned: 0 });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new', 'new', 'new', 'new', 'old', 'old', 'old']);
});

test('scenarios 5, 6: a budget without room fails the update; once it has some, the same call does the rest', async () => {
  const world = await blockedWorld();
  const failed = await world.update();
  await world.after(45);
  const outcome = await world.outcome(failed);
  expect(outcome).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'PodEvictionFailure' }] });
  expect(outcome?.errors?.[0]?.resourceIds?.[0]).toMatch(/^ip-.*\.ec2\.internal$/);
  expect(await world.group()).toMatchObject({ status: 'ACTIVE', releaseVersion: oldRelease });
  expect(await setApart(world)).toEqual({ tainted: 0, labelled: 0, cordoned: 0 });
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old']);
  expect(world.scaling()).toMatchObject({ min: 3, max: 6, desired: 3 });
  await world.allow(5);
  const again = await world.update();
  await world.after(60);
  expect(await world.outcome(again)).toMatchObject({ status: 'Successful' });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new']);
});

test('scenario 7, FRC-2: with force what is left at the limit is deleted', async () => {
  const world = await blockedWorld();
  const id = await world.update({ force: true });
  await world.after(180);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful', errors: [] });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new']);
});

test('scenario 28, FAIL-10: an update that turns around leaves no new node', async () => {
  const world = await blockedWorld({ onFailure: 'revert' });
  const id = await world.update();
  await world.after(90);
  expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'PodEvictionFailure' }] });
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old']);
});

test('scenario 4, MIN-2: the minimal strategy never has more instances than before', async () => {
  const world = await groupWorld();
  await world.started({ updateConfig: { maxUnavailable: 1, updateStrategy: 'MINIMAL' } });
  const id = await world.update();
  let most = 0;
  for (let minute = 0; minute < 20; minute += 1) {
    await world.after(1);
    most = Math.max(
      most,
      (world.scaling()?.instances ?? []).filter(({ lifecycle }) => !lifecycle.startsWith('Term')).length,
    );
  }
  expect(most).toBe(3);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new']);
});

test('scenario 9, SUP-4, SUP-9, SUP-11: a zone without capacity fails the update and degrades the group; no old node is lost', async () => {
  const world = await groupWorld();
  await world.started();
  world.aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1c' });
  const id = await world.update();
  await world.after(45);
  expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'NodeCreationFailure' }] });
  expect(await world.group()).toMatchObject({
    status: 'DEGRADED',
    releaseVersion: oldRelease,
    health: { issues: [{ code: 'AsgInstanceLaunchFailures' }] },
  });
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old']);
  expect(world.scaling()?.template.version).toBe('1');
});

test('scenario 10, LBL-2, LBL-3, SUP-9: nodes of an image that never joins fail the update after 15 minutes', async () => {
  const known = builtInReleases().of('1.23');
  const releases = historyOf(
    known.map((release) => (release.imageId === newImage ? { ...release, behavior: 'neverJoins' } : release)),
  );
  const world = await groupWorld({ releases });
  await world.started();
  const id = await world.update();
  await world.after(14);
  expect((await world.outcome(id))?.status).toBe('InProgress');
  await world.after(30);
  const outcome = await world.outcome(id);
  expect(outcome).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'NodeCreationFailure' }] });
  expect(outcome?.errors?.[0]?.resourceIds).toHaveLength(6);
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old']);
});

test('ERR-3: a group whose first nodes never join has failed after 20 minutes, for good', async () => {
  const known = builtInReleases().of('1.23');
  const world = await groupWorld({
    releases: historyOf(known.map((release) => ({ ...release, behavior: 'neverJoins' }))),
  });
  await world.create();
  await world.after(21);
  expect(await world.group()).toMatchObject({
    status: 'CREATE_FAILED',
    health: { issues: [{ code: 'NodeCreationFailure' }] },
  });
});

test('scenario 18, RES-3: an older release of the same minor is the way back', async () => {
  const world = await groupWorld();
  await world.started({ releaseVersion: newRelease });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new']);
  const id = await world.update({ releaseVersion: oldRelease });
  await world.after(40);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old']);
});

test('scenario 21: a group without nodes is done at once, and launches the new image later', async () => {
  const world = await groupWorld();
  await world.started({ scalingConfig: { minSize: 0, maxSize: 3, desiredSize: 0 } });
  const id = await world.update();
  await world.after(1);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  world.aws.autoScaling.change(world.scaling()?.name ?? '', { desired: 1 });
  await world.after(3);
  expect(await releasesOf(world)).toEqual(['new']);
});

test('SET-6: an update to what the group is already replaces nothing', async () => {
  const world = await groupWorld();
  await world.started({ releaseVersion: newRelease });
  const before = (await world.nodes()).map(({ metadata }) => metadata.name);
  const id = await world.update();
  await world.after(1);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect((await world.nodes()).map(({ metadata }) => metadata.name)).toEqual(before);
  expect(world.aws.ec2.templates.all()[0]?.versions).toHaveLength(1);
});

test('a scale-out by the group itself launches the assigned image, never a newer one', async () => {
  const world = await groupWorld();
  await world.started();
  world.aws.autoScaling.change(world.scaling()?.name ?? '', { desired: 5 });
  await world.after(5);
  expect(await releasesOf(world)).toEqual(['old', 'old', 'old', 'old', 'old']);
});

test('scenario 11, SDN-2: who raises the group during the scale down gets the larger size', async () => {
  const world = await groupWorld();
  await world.started({ scalingConfig: { minSize: 3, maxSize: 20, desiredSize: 3 } });
  const id = await world.update();
  while ((world.aws.eks.nodeGroups.running('default')?.record?.step?.desired ?? 9) > 7) await world.after(0.25);
  world.aws.autoScaling.change(world.scaling()?.name ?? '', { desired: 10 });
  await world.after(10);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(world.scaling()?.desired).toBe(10);
});

test('scenario 25: an old node that dies in the middle is made up for by a new one', async () => {
  const world = await groupWorld();
  await world.started();
  const id = await world.update();
  await world.after(5);
  const old = world.scaling()?.instances.find(({ template }) => template.version === '1');
  world.aws.ec2.instances.terminate(old?.id ?? '');
  await world.after(40);
  expect(await world.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await releasesOf(world)).toEqual(['new', 'new', 'new']);
});

test('TRM-4: a group that is deleted drains its nodes and goes, its Auto Scaling group and template with it', async () => {
  const world = await groupWorld();
  await world.started();
  await world.deploy(3, 3);
  const { DeleteNodegroupCommand } = await import('@aws-sdk/client-eks');
  const names = { clusterName: 'sandbox', nodegroupName: 'default' };
  const { nodegroup } = await world.eks.send(new DeleteNodegroupCommand(names));
  expect(nodegroup?.status).toBe('DELETING');
  await world.after(4);
  expect((await world.nodes()).length).toBeGreaterThan(0);
  await world.after(6);
  await expect(world.group()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  expect(await world.nodes()).toEqual([]);
  const { autoScaling, ec2, iam } = world.aws;
  expect([autoScaling.all(), ec2.templates.all(), iam.profiles()]).toEqual([[], [], []]);
});
