import {
  AutoScalingClient,
  DeleteWarmPoolCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeWarmPoolCommand,
  PutWarmPoolCommand,
  type PutWarmPoolCommandInput,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { UpdateNodegroupConfigCommand, type WarmPoolConfig } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { inProcess, groupWorld, newImage } from '@nodewright/testkit/worlds';

const names = { clusterName: 'sandbox', nodegroupName: 'default' };

async function world(warmPoolConfig?: WarmPoolConfig) {
  const all = await groupWorld();
  const client = new AutoScalingClient(inProcess(all.aws.handle));
  await all.started({ ...(warmPoolConfig && { warmPoolConfig }) });
  const AutoScalingGroupName = all.scaling()?.name ?? '';
  return {
    ...all,
    client,
    pool: () => client.send(new DescribeWarmPoolCommand({ AutoScalingGroupName })),
    put: (input: Partial<PutWarmPoolCommandInput>) =>
      client.send(new PutWarmPoolCommand({ AutoScalingGroupName, ...input })),
    configure: (input: object) => all.eks.send(new UpdateNodegroupConfigCommand({ ...names, ...input })),
    AutoScalingGroupName,
  };
}

test('WRM-1: a pool holds what the group may grow by, stopped, and takes no part in the cluster', async () => {
  const all = await world({ enabled: true });
  const { aws, pool, client, AutoScalingGroupName } = all;
  const { Instances = [], WarmPoolConfiguration } = await pool();
  expect(WarmPoolConfiguration).toEqual({
    MinSize: 0,
    PoolState: 'Stopped',
    InstanceReusePolicy: { ReuseOnScaleIn: false },
  });
  expect(Instances.map(({ LifecycleState }) => LifecycleState)).toEqual(
    Array.from({ length: 3 }, () => 'Warmed:Stopped'),
  );
  expect(Instances.map(({ InstanceId = '' }) => aws.ec2.instances.get(InstanceId)?.state)).toEqual([
    'stopped',
    'stopped',
    'stopped',
  ]);
  expect(await all.nodes()).toHaveLength(3);
  const described = await client.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
  );
  expect(described.AutoScalingGroups?.[0]).toMatchObject({ WarmPoolSize: 3 });
  expect(described.AutoScalingGroups?.[0]?.Instances).toHaveLength(3);
});

for (const { fact, config, states } of [
  { fact: 'a minimum', config: { minSize: 4 }, states: ['Stopped', 'Stopped', 'Stopped', 'Stopped'] },
  { fact: 'what is prepared in all', config: { maxGroupPreparedCapacity: 4 }, states: ['Stopped'] },
  {
    fact: 'instances that run',
    config: { poolState: 'RUNNING' as const, maxGroupPreparedCapacity: 4 },
    states: ['Running'],
  },
  {
    fact: 'instances that hibernate',
    config: { poolState: 'HIBERNATED' as const, maxGroupPreparedCapacity: 4 },
    states: ['Hibernated'],
  },
]) {
  test(`WRM-1: a pool may say ${fact}`, async () => {
    const { pool } = await world({ enabled: true, ...config });
    expect((await pool()).Instances?.map(({ LifecycleState }) => LifecycleState)).toEqual(
      states.map((state) => `Warmed:${state}`),
    );
  });
}

test('a scale-out takes from the pool, and the pool is filled again', async () => {
  const all = await world({ enabled: true, maxGroupPreparedCapacity: 4 });
  const { after, configure, pool, scaling } = all;
  const [waiting] = (await pool()).Instances ?? [];
  await configure({ scalingConfig: { desiredSize: 4 } });
  await after(4);
  expect(scaling()?.instances.map(({ id }) => id)).toContain(waiting?.InstanceId);
  expect(scaling()?.activities[0]?.description).toBe(
    `Launching a new EC2 instance from warm pool: ${waiting?.InstanceId}`,
  );
  expect(await all.nodes()).toHaveLength(4);
  expect((await pool()).Instances).toEqual([]);
});

test('with reuse, what leaves service goes back to sleep', async () => {
  const all = await world({
    enabled: true,
    reuseOnScaleIn: true,
    maxGroupPreparedCapacity: 3,
  });
  const { after, aws, configure, pool } = all;
  expect((await pool()).Instances).toEqual([]);
  await configure({ scalingConfig: { minSize: 2, desiredSize: 2 } });
  await after(5);
  const [back] = (await pool()).Instances ?? [];
  expect(back?.LifecycleState).toBe('Warmed:Stopped');
  expect(aws.ec2.instances.get(back?.InstanceId ?? '')?.state).toBe('stopped');
  expect(await all.nodes()).toHaveLength(2);
});

test('WRM-3: an instance of the pool is not ended with TerminateInstanceInAutoScalingGroup', async () => {
  const { client, pool } = await world({ enabled: true });
  const InstanceId = (await pool()).Instances?.[0]?.InstanceId;
  await expect(
    client.send(new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity: false })),
  ).rejects.toMatchObject({ name: 'ValidationError' });
});

test('WRM-4: a version update renews the pool, without a drain', async () => {
  const all = await world({ enabled: true });
  const { after, aws, pool } = all;
  const before = (await pool()).Instances?.map(({ InstanceId }) => InstanceId) ?? [];
  const id = await all.update();
  await after(40);
  expect(await all.outcome(id)).toMatchObject({ status: 'Successful' });
  const now = (await pool()).Instances ?? [];
  expect(now).toHaveLength(3);
  expect(now.filter(({ InstanceId }) => before.includes(InstanceId))).toEqual([]);
  expect(now.map(({ InstanceId = '' }) => aws.ec2.instances.get(InstanceId)?.settings.imageId)).toEqual([
    newImage,
    newImage,
    newImage,
  ]);
});

test('WRM-2, UPD-5: enabled=false removes the pool, and the update says so', async () => {
  const { after, aws, configure, pool } = await world({ enabled: true });
  const { update } = await configure({ warmPoolConfig: { enabled: false } });
  expect(update?.params).toEqual([{ type: 'WarmPoolEnabled', value: 'false' }]);
  await after(3);
  expect(await pool()).toMatchObject({ Instances: [] });
  expect((await pool()).WarmPoolConfiguration).toBeUndefined();
  expect(aws.ec2.instances.all().filter(({ state }) => state === 'running' || state === 'stopped')).toHaveLength(3);
});

test('a group of our own gets a pool with PutWarmPool, and loses it with DeleteWarmPool', async () => {
  const { after, client, pool, put, AutoScalingGroupName } = await world();
  await put({ MaxGroupPreparedCapacity: 5, PoolState: 'Running' });
  await after(2);
  expect((await pool()).Instances?.map(({ LifecycleState }) => LifecycleState)).toEqual([
    'Warmed:Running',
    'Warmed:Running',
  ]);
  await put({ MaxGroupPreparedCapacity: -1 });
  await after(2);
  expect((await pool()).Instances).toHaveLength(3);
  await client.send(new DeleteWarmPoolCommand({ AutoScalingGroupName }));
  await after(2);
  expect((await pool()).Instances).toEqual([]);
  await expect(client.send(new DeleteWarmPoolCommand({ AutoScalingGroupName }))).rejects.toMatchObject({
    name: 'ValidationError',
  });
  await expect(put({ PoolState: 'Asleep' as 'Stopped' })).rejects.toMatchObject({ name: 'ValidationError' });
});
