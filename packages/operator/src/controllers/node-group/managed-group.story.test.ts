import {
  events,
  fromTimestamp,
  nodeGroups,
  nodes,
  podDisruptionBudgets,
  pods,
  type PodDisruptionBudget,
} from '@nodewright/apis';
import {
  aGroupRelease,
  anAutomaticGroup,
  aManagedNode,
  aWorldWithManagedGroup,
  createNodeGroup,
  nodeGroupStatusOf,
  oldGroupRelease,
  type World,
} from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const minute = 60_000;
const newRelease = '1.28.0-20240117';

const taint = (world: World, name: string) => {
  const taints = [{ key: 'eks.amazonaws.com/nodegroup', value: 'unschedulable', effect: 'NoSchedule' }];
  return world.apply(world.client.patch(nodes, { name }, { type: 'merge', patch: { spec: { taints } } }));
};

async function aPodWithBudget(
  world: World,
  status: Partial<NonNullable<PodDisruptionBudget['status']>>,
): Promise<void> {
  const labels = { app: 'web' };
  const metadata = { name: 'web', namespace: 'default' };
  const spec = { nodeName: 'node-1', containers: [{ name: 'web', image: 'web' }] };
  await world.apply(world.client.create(pods, { metadata: { ...metadata, labels }, spec }));
  const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const started = { type: 'merge', patch: { status: running } } as const;
  await world.apply(world.client.patch(pods, metadata, started, { subresource: 'status' }));
  const budget = { minAvailable: status.desiredHealthy ?? 1, selector: { matchLabels: labels } };
  await world.apply(world.client.create(podDisruptionBudgets, { metadata, spec: budget }));
  const figures = { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, ...status };
  const whole = { observedGeneration: 1, ...figures };
  const patch = { type: 'merge', patch: { status: whole } } as const;
  await world.apply(world.client.patch(podDisruptionBudgets, metadata, patch, { subresource: 'status' }));
}

const ask = (world: World, request: string) =>
  world.apply(
    world.client.patch(
      nodeGroups,
      { name: 'default' },
      { type: 'merge', patch: { metadata: { annotations: { 'nodewright.dev/upgrade-request': request } } } },
    ),
  );
const messagesOf = async (world: World, reason: string) =>
  (await world.apply(world.client.list(events))).items
    .filter((event) => event.reason === reason)
    .map(({ message }) => message ?? '');

test('UPD-11: EKS is asked once, and the update object tells that it came true', async () => {
  const world = await aWorldWithManagedGroup();
  await createNodeGroup(world);
  await world.advance(5 * minute);
  expect(world.cloud.managedGroups.requests).toMatchObject([
    { group: 'default', target: { kind: 'release', kubernetesVersion: '1.28', release: newRelease }, force: false },
  ]);
  expect(await nodeGroupStatusOf(world)).toMatchObject({
    phase: 'Updating',
    update: { id: 'update-1', target: newRelease },
  });
  for (const name of ['node-1', 'node-2']) await world.apply(world.client.delete(nodes, { name }));
  for (const name of ['node-3', 'node-4']) await aManagedNode(world, name, 'ami-v20240117');
  world.cloud.managedGroups.end('default', 'Successful');
  await world.advance(2 * minute);
  expect(await nodeGroupStatusOf(world)).toMatchObject({
    phase: 'UpToDate',
    nodes: { total: 2, updated: 2 },
    history: [{ number: 1, id: 'update-1', outcome: 'Successful' }],
  });
  expect(world.cloud.managedGroups.requests).toHaveLength(1);
  await world.stop();
});

describe('UPD-10: an update cannot be stopped, so before the call', () => {
  for (const { fact, group = {}, images, wants = {}, phase = 'Blocked', reason } of [
    {
      fact: 'UPD-14: an issue that would break it holds it',
      group: { issues: [{ code: 'Ec2LaunchTemplateVersionMismatch', message: 'edited', resourceIds: [] }] },
      reason: 'EKS reports: edited',
    },
    {
      fact: 'V-22: a group ahead of the control plane holds it',
      group: { kubernetesVersion: '1.29' },
      reason: 'nodes are at Kubernetes 1.29, the control plane is at 1.28',
    },
    {
      fact: 'V-20: a group that is busy holds it',
      group: { status: 'CREATING' },
      reason: 'the group is CREATING',
    },
    {
      fact: 'REL-7: a pointer that went back to an older release moves nothing',
      images: [aGroupRelease('v20231230')],
      reason: 'the wanted release 1.28.0-20231230 is older than 1.28.0-20240101; name it in full to go back',
    },
    {
      fact: 'an alias of another family is refused',
      group: { imageKind: { family: 'al2023', arch: 'amd64', variant: 'standard' } as const },
      phase: 'Pending',
      reason: 'alias al2@latest is of another family than the group, which is al2023; make a new group for al2',
    },
    {
      fact: 'a group that is to be asked for is left alone',
      wants: { mode: 'OnRequest' } as const,
      phase: 'Outdated',
      reason: 'waits until `nodewright nodegroup upgrade` asks for the update',
    },
  ]) {
    test(fact, async () => {
      const world = await aWorldWithManagedGroup({ group, ...(images === undefined ? {} : { images }) });
      await createNodeGroup(world, anAutomaticGroup(wants));
      await world.advance(5 * minute);
      expect(await nodeGroupStatusOf(world)).toMatchObject({ phase, reason });
      expect(world.cloud.managedGroups.requests).toEqual([]);
      await world.stop();
    });
  }

  test('UPG-9: a budget that never yields is named with its pod; force goes over it', async () => {
    const world = await aWorldWithManagedGroup();
    await aPodWithBudget(world, { disruptionsAllowed: 0, desiredHealthy: 2 });
    await createNodeGroup(world);
    await world.advance(2 * minute);
    expect((await nodeGroupStatusOf(world))?.blockedBy).toMatchObject([
      { reason: 'PodDisruptionBudget', pod: 'web', node: 'node-1', podDisruptionBudget: 'web' },
    ]);
    expect(world.cloud.managedGroups.requests).toEqual([]);
    const patch = { type: 'merge', patch: { spec: { update: { force: true } } } } as const;
    await world.apply(world.client.patch(nodeGroups, { name: 'default' }, patch));
    await world.advance(2 * minute);
    expect(world.cloud.managedGroups.requests).toMatchObject([{ force: true }]);
    await world.stop();
  });

  test('MIN-1: the strategy is set on the group', async () => {
    const world = await aWorldWithManagedGroup();
    await createNodeGroup(world, anAutomaticGroup({ strategy: 'MINIMAL', maxUnavailable: 2 }));
    await world.advance(2 * minute);
    expect(world.cloud.managedGroups.configured).toEqual([{ strategy: 'MINIMAL', maxUnavailable: 2 }]);
    expect(world.cloud.managedGroups.requests).toHaveLength(1);
    await world.stop();
  });
});

test('an endpoint that forgets the update config is asked for the update all the same', async () => {
  const world = await aWorldWithManagedGroup();
  world.cloud.managedGroups.forgetsConfig = true;
  await createNodeGroup(world, anAutomaticGroup({ maxUnavailable: 2 }));
  await world.advance(3 * minute);
  expect(world.cloud.managedGroups.requests).toHaveLength(1);
  expect(await nodeGroupStatusOf(world)).toMatchObject({
    phase: 'Updating',
    update: { id: expect.any(String) as string },
  });
  await world.stop();
});

test('V-20: an update that somebody else was faster with is followed, and ours comes after it', async () => {
  const world = await aWorldWithManagedGroup();
  const { managedGroups } = world.cloud;
  managedGroups.refusal = { kind: 'busy', message: 'it is UPDATING' };
  await createNodeGroup(world);
  await world.advance(10_000);
  managedGroups.refusal = undefined;
  const target = { kind: 'release', kubernetesVersion: '1.28', release: oldGroupRelease } as const;
  await managedGroups.startUpdate({ group: 'default', target, force: false, token: 'theirs' });
  await world.advance(minute);
  expect(await nodeGroupStatusOf(world)).toMatchObject({ phase: 'Updating', update: { target: oldGroupRelease } });
  managedGroups.end('default', 'Successful');
  await world.advance(minute);
  expect(await nodeGroupStatusOf(world)).toMatchObject({ phase: 'Updating', update: { target: newRelease } });
  await world.stop();
});

test('scenario 9: an update that fails for want of machines tells what the health of the group says', async () => {
  const world = await aWorldWithManagedGroup();
  await createNodeGroup(world);
  await world.advance(minute);
  const { managedGroups } = world.cloud;
  const errors = [{ code: 'NodeCreationFailure', message: 'Instances failed to join', resourceIds: [] }];
  managedGroups.end('default', 'Failed', errors);
  const group = await world.apply(managedGroups.describe('default'));
  if (group === undefined) throw new Error('there is no group');
  const issue = { code: 'AsgInstanceLaunchFailures', message: 'no m5.large in us-east-1c', resourceIds: [] };
  managedGroups.put({ ...group, status: 'DEGRADED', issues: [issue] });
  await world.advance(minute);
  const [last] = (await nodeGroupStatusOf(world))?.history ?? [];
  expect(last?.message).toBe(
    'Instances failed to join; EKS reports AsgInstanceLaunchFailures: no m5.large in us-east-1c',
  );
  await world.stop();
});

test('WAIT-5: nothing tells the end of an update but looking at it, every twenty seconds', async () => {
  const world = await aWorldWithManagedGroup();
  await createNodeGroup(world);
  await world.advance(minute);
  const before = world.cloud.managedGroups.looks;
  await world.advance(10 * minute);
  const looks = world.cloud.managedGroups.looks - before;
  expect(looks).toBeGreaterThanOrEqual(20);
  expect(looks).toBeLessThanOrEqual(60);
  await world.stop();
});

test('UPG-4: the pod and the budget that block are named long before EKS gives up', async () => {
  const world = await aWorldWithManagedGroup();
  await createNodeGroup(world);
  await world.advance(minute);
  await aPodWithBudget(world, { disruptionsAllowed: 0, currentHealthy: 1 });
  await taint(world, 'node-1');
  await world.advance(4 * minute);
  const [blocker] = (await nodeGroupStatusOf(world))?.blockedBy ?? [];
  expect(blocker).toMatchObject({ namespace: 'default', pod: 'web', node: 'node-1', podDisruptionBudget: 'web' });
  const [message = ''] = await messagesOf(world, 'EvictionBlocked');
  expect(message).toContain('PodDisruptionBudget default/web keeps pod default/web on node-1; EKS gives up at 2024-');
  expect(fromTimestamp(message.replace(/^.*gives up at (\S+) .*$/, '$1')) - fromTimestamp(blocker?.since ?? '')).toBe(
    15 * minute,
  );
  await world.stop();
});

describe('an update that failed', () => {
  const failure = [{ code: 'PodEvictionFailure', message: 'Reached max retries', resourceIds: ['node-1'] }];

  test('UPD-11: is told although the group is active, and tried again after an hour, or when somebody asks', async () => {
    const world = await aWorldWithManagedGroup();
    await createNodeGroup(world);
    await world.advance(minute);
    world.cloud.managedGroups.end('default', 'Failed', failure);
    await world.advance(30 * minute);
    expect(await nodeGroupStatusOf(world)).toMatchObject({
      phase: 'Failed',
      history: [{ outcome: 'Failed', code: 'PodEvictionFailure', resourceIds: ['node-1'] }],
    });
    expect(world.cloud.managedGroups.requests).toHaveLength(1);
    await ask(world, 'again');
    await world.advance(minute);
    expect(world.cloud.managedGroups.requests).toHaveLength(2);
    world.cloud.managedGroups.end('default', 'Failed', failure);
    await world.advance(90 * minute);
    expect(world.cloud.managedGroups.requests).toHaveLength(2);
    await world.advance(60 * minute);
    expect(world.cloud.managedGroups.requests).toHaveLength(3);
    await world.stop();
  });

  test('FAIL-10: is told to have been turned around when old machines come back', async () => {
    const world = await aWorldWithManagedGroup();
    await createNodeGroup(world);
    await world.advance(minute);
    await aManagedNode(world, 'node-3', 'ami-v20240117');
    await world.advance(minute);
    world.cloud.managedGroups.end('default', 'Failed', failure);
    await world.advance(minute);
    await world.apply(world.client.delete(nodes, { name: 'node-3' }));
    await aManagedNode(world, 'node-4', 'ami-v20240101');
    await world.advance(2 * minute);
    expect((await nodeGroupStatusOf(world))?.history).toMatchObject([{ outcome: 'Failed', reverted: true }]);
    expect(await messagesOf(world, 'UpdateReverted')).toEqual([
      'The update was turned around: node-4 came back with the old image',
    ]);
    await world.stop();
  });
});

test('V-27: an operator that dies around the call starts no second update', async () => {
  for (let write = 1; write <= 4; write += 1) {
    const world = await aWorldWithManagedGroup();
    await createNodeGroup(world);
    await world.crash({ afterWrite: write });
    await world.advance(5 * minute);
    expect(new Set(world.cloud.managedGroups.requests.map(({ token }) => token)).size).toBe(1);
    expect(await nodeGroupStatusOf(world)).toMatchObject({ phase: 'Updating', update: { id: 'update-1' } });
    await world.stop();
  }
});

test('an update that somebody else started is watched as ours', async () => {
  const world = await aWorldWithManagedGroup();
  const target = { kind: 'release', kubernetesVersion: '1.28', release: newRelease } as const;
  await world.cloud.managedGroups.startUpdate({ group: 'default', target, force: false, token: 'theirs' });
  await createNodeGroup(world);
  await world.advance(minute);
  expect(await nodeGroupStatusOf(world)).toMatchObject({
    phase: 'Updating',
    update: { id: 'update-1', target: newRelease },
  });
  await world.stop();
});

test('a refusal of EKS is told in its words', async () => {
  const world = await aWorldWithManagedGroup();
  world.cloud.managedGroups.refusal = { kind: 'refused', message: 'InvalidParameterException: no such release' };
  await createNodeGroup(world);
  await world.advance(5 * minute);
  expect(await nodeGroupStatusOf(world)).toMatchObject({
    phase: 'Failed',
    history: [{ outcome: 'Failed', code: 'Refused', message: 'InvalidParameterException: no such release' }],
  });
  expect(world.cloud.managedGroups.requests).toHaveLength(1);
  await world.stop();
});
