import {
  AutoScalingClient,
  CancelInstanceRefreshCommand,
  CompleteLifecycleActionCommand,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeInstanceRefreshesCommand,
  DescribeScalingActivitiesCommand,
  PutLifecycleHookCommand,
  type RefreshPreferences,
  ResumeProcessesCommand,
  SetDesiredCapacityCommand,
  StartInstanceRefreshCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { isEnding } from './group.ts';
import { anEc2, templateName } from '../testing/an-ec2.ts';
import { inProcess } from '../testing/sdk-in-process.ts';

const minute = 60_000;
const AutoScalingGroupName = 'workers';

/** A group over three zones, one private subnet each. */
async function aGroup(sizes: { MinSize: number; MaxSize: number; DesiredCapacity: number }) {
  const ec2 = await anEc2();
  const client = new AutoScalingClient(inProcess(ec2.aws.handle));
  const subnets = ['us-east-1a', 'us-east-1b', 'us-east-1c'].map(ec2.subnetIn);
  await client.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName,
      ...sizes,
      VPCZoneIdentifier: subnets.join(','),
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '1' },
          Overrides: [{ InstanceType: 'm5.large' }],
        },
      },
      Tags: [{ Key: 'team', Value: 'web', PropagateAtLaunch: true }],
    }),
  );
  const group = async () => {
    const { AutoScalingGroups = [] } = await client.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
    );
    return AutoScalingGroups[0];
  };
  const zones = async () =>
    ((await group())?.Instances ?? [])
      .map(({ AvailabilityZone = '' }) => AvailabilityZone.slice(-1))
      .toSorted()
      .join('');
  const update = (change: object) =>
    client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...change }));
  const end = (InstanceId: string, ShouldDecrementDesiredCapacity: boolean) =>
    client.send(new TerminateInstanceInAutoScalingGroupCommand({ InstanceId, ShouldDecrementDesiredCapacity }));
  await ec2.clock.advance(minute);
  return { ...ec2, asg: client, group, zones, update, end };
}

test('ASG-1, OBJ-11: a group spreads its instances over its zones, tags them and names its template in the policy', async () => {
  const { aws, group, zones } = await aGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 5 });
  expect(await zones()).toBe('aabbc');
  const found = await group();
  expect(found?.LaunchTemplate).toBeUndefined();
  expect(found?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification).toMatchObject({
    LaunchTemplateName: templateName,
    Version: '1',
  });
  expect(found?.Instances?.[0]).toMatchObject({
    LifecycleState: 'InService',
    HealthStatus: 'Healthy',
    LaunchTemplate: { Version: '1' },
  });
  expect(aws.ec2.tags.of(found?.Instances?.[0]?.InstanceId ?? '')).toMatchObject({
    team: 'web',
    'aws:autoscaling:groupName': 'workers',
  });
});

test('ASG-3, ASG-4: sizes move along as far as they must, and what does not fit is refused', async () => {
  const { asg, group, update } = await aGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
  await update({ MinSize: 4 });
  expect(await group()).toMatchObject({ MinSize: 4, DesiredCapacity: 4 });
  await update({ MinSize: 1, MaxSize: 3 });
  expect(await group()).toMatchObject({ MaxSize: 3, DesiredCapacity: 3 });
  await expect(
    asg.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 4 })),
  ).rejects.toMatchObject({
    name: 'ValidationError',
    $metadata: { httpStatusCode: 400 },
  });
});

test('ASG-6: an instance that is ended is replaced, or not, as was asked', async () => {
  const { clock, group, end } = await aGroup({ MinSize: 2, MaxSize: 6, DesiredCapacity: 3 });
  const ids = async () => ((await group())?.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
  const [first = '', second = '', third = ''] = await ids();
  await end(first, false);
  await clock.advance(2 * minute);
  expect(await ids()).toHaveLength(3);
  expect(await ids()).not.toContain(first);
  await end(second, true);
  await clock.advance(2 * minute);
  expect(await ids()).toHaveLength(2);
  await expect(end(third, true)).rejects.toMatchObject({ name: 'ValidationError' });
});

test('ASG-3, SET-2: running instances keep their template version, new ones get the present one', async () => {
  const { clock, client, group, update } = await aGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
  await client.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: templateName,
      SourceVersion: '1',
      LaunchTemplateData: { Monitoring: { Enabled: true } },
    }),
  );
  const policy = (await group())?.MixedInstancesPolicy;
  await update({
    MixedInstancesPolicy: {
      LaunchTemplate: {
        ...policy?.LaunchTemplate,
        LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '2' },
      },
    },
    DesiredCapacity: 3,
  });
  await clock.advance(minute);
  const versions = ((await group())?.Instances ?? [])
    .map(({ LaunchTemplate }) => LaunchTemplate?.Version ?? '')
    .toSorted();
  expect(versions).toEqual(['1', '1', '2']);
});

test('ASG-7, ASG-8: a terminate hook holds an instance until it is answered or its time is over', async () => {
  const { asg, clock, group, end } = await aGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
  await asg.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName,
      LifecycleHookName: 'drain',
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      HeartbeatTimeout: 1800,
      DefaultResult: 'CONTINUE',
    }),
  );
  const instances = async () => (await group())?.Instances ?? [];
  const [first, second] = await instances();
  await end(first?.InstanceId ?? '', true);
  await clock.advance(29 * minute);
  expect((await instances()).find(({ InstanceId }) => InstanceId === first?.InstanceId)).toMatchObject({
    LifecycleState: 'Terminating:Wait',
  });
  await clock.advance(3 * minute);
  expect(await instances()).toHaveLength(1);
  await end(second?.InstanceId ?? '', false);
  await asg.send(
    new CompleteLifecycleActionCommand({
      AutoScalingGroupName,
      LifecycleHookName: 'drain',
      InstanceId: second?.InstanceId,
      LifecycleActionResult: 'CONTINUE',
    }),
  );
  await clock.advance(2 * minute);
  expect((await instances()).map(({ InstanceId }) => InstanceId)).not.toContain(second?.InstanceId);
});

test('ASG-12, ASG-13: a zone without capacity is told of, and filled once it has some again', async () => {
  const { asg, aws, clock, zones, update } = await aGroup({ MinSize: 0, MaxSize: 6, DesiredCapacity: 0 });
  const fault = aws.faults.add({ kind: 'insufficientCapacity', zone: 'us-east-1c' });
  await update({ DesiredCapacity: 3 });
  await clock.advance(minute);
  expect(await zones()).toBe('aab');
  const { Activities = [] } = await asg.send(new DescribeScalingActivitiesCommand({ AutoScalingGroupName }));
  expect(Activities.find(({ StatusCode }) => StatusCode === 'Failed')?.StatusMessage).toContain(
    'do not have sufficient m5.large capacity',
  );
  aws.faults.clear(fault.id);
  await clock.advance(10 * minute);
  expect(await zones()).toBe('abc');
});

test('TRM-7: a group whose rebalancing is suspended stays as it is', async () => {
  const { asg, aws, clock, zones, update } = await aGroup({ MinSize: 0, MaxSize: 6, DesiredCapacity: 0 });
  await asg.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['AZRebalance'] }));
  const fault = aws.faults.add({ kind: 'insufficientCapacity', zone: 'us-east-1c' });
  await update({ DesiredCapacity: 4 });
  await clock.advance(minute);
  aws.faults.clear(fault.id);
  await clock.advance(20 * minute);
  expect(await zones()).toBe('aabb');
});

test('an instance that fails is replaced', async () => {
  const { aws, clock, group, zones } = await aGroup({ MinSize: 3, MaxSize: 6, DesiredCapacity: 3 });
  aws.ec2.instances.terminate((await group())?.Instances?.[0]?.InstanceId ?? '');
  await clock.advance(2 * minute);
  expect(await zones()).toBe('abc');
});

test('ASG-5, ASG-14: a size outside the bounds, an unknown group and an unknown instance are validation errors', async () => {
  const { asg, end } = await aGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
  const refused = { name: 'ValidationError', $metadata: { httpStatusCode: 400 } };
  const setTo = (DesiredCapacity: number, name = AutoScalingGroupName) =>
    asg.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity }));
  await expect(setTo(4)).rejects.toMatchObject(refused);
  await expect(setTo(0)).rejects.toMatchObject(refused);
  await expect(setTo(1, 'none')).rejects.toMatchObject(refused);
  await expect(end('i-0123456789abcdef0', true)).rejects.toMatchObject(refused);
});

test('ASG-6: an instance is not ended by shrinking the group below its minimum', async () => {
  const { end, group } = await aGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
  const id = (await group())?.Instances?.[0]?.InstanceId ?? '';
  await expect(end(id, true)).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('minSize (1)'),
  });
});

test('ASG-10, ASG-14: processes are suspended and resumed by name, all of them when none is named', async () => {
  const { asg, group } = await aGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
  const suspended = async () => (await group())?.SuspendedProcesses?.map(({ ProcessName }) => ProcessName);
  await asg.send(new SuspendProcessesCommand({ AutoScalingGroupName }));
  expect(await suspended()).toEqual([
    'AZRebalance',
    'AddToLoadBalancer',
    'AlarmNotification',
    'HealthCheck',
    'InstanceRefresh',
    'Launch',
    'ReplaceUnhealthy',
    'ScheduledActions',
    'Terminate',
  ]);
  await asg.send(new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['Launch', 'Terminate'] }));
  expect(await suspended()).not.toContain('Launch');
  await expect(
    asg.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['Sleep'] })),
  ).rejects.toMatchObject({ name: 'ValidationError' });
});

test('ASG-2, ASG-11: a smaller size ends the instance of the oldest template version in the fullest zone', async () => {
  const { asg, clock, client, group, update } = await aGroup({ MinSize: 0, MaxSize: 9, DesiredCapacity: 3 });
  const old = (await group())?.Instances?.map(({ InstanceId }) => InstanceId) ?? [];
  await client.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: templateName,
      SourceVersion: '1',
      LaunchTemplateData: { Monitoring: { Enabled: true } },
    }),
  );
  const LaunchTemplateSpecification = { LaunchTemplateName: templateName, Version: '2' };
  const Overrides = [{ InstanceType: 'm5.large' }];
  await update({
    MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification, Overrides } },
    DesiredCapacity: 6,
  });
  await clock.advance(minute);
  await asg.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 3 }));
  await clock.advance(5_000);
  const states = (await group())?.Instances?.map(({ InstanceId, LifecycleState }) => [
    old.includes(InstanceId) ? 'old' : 'new',
    LifecycleState?.split(':')[0],
  ]);
  expect(states).toEqual([...old.map(() => ['old', 'Terminating']), ...old.map(() => ['new', 'InService'])]);
  await clock.advance(2 * minute);
  expect((await group())?.Instances?.map(({ LaunchTemplate }) => LaunchTemplate?.Version)).toEqual(['2', '2', '2']);
});

test('ASG-15: an instance refresh replaces every instance, and only one runs at a time', async () => {
  const { asg, clock, group } = await aGroup({ MinSize: 0, MaxSize: 4, DesiredCapacity: 2 });
  const before = (await group())?.Instances?.map(({ InstanceId }) => InstanceId) ?? [];
  await asg.send(new StartInstanceRefreshCommand({ AutoScalingGroupName }));
  await expect(asg.send(new StartInstanceRefreshCommand({ AutoScalingGroupName }))).rejects.toMatchObject({
    name: 'InstanceRefreshInProgressFault',
  });
  await clock.advance(15 * minute);
  const { InstanceRefreshes = [] } = await asg.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }));
  expect(InstanceRefreshes).toMatchObject([{ Status: 'Successful', PercentageComplete: 100 }]);
  const after = (await group())?.Instances?.map(({ InstanceId }) => InstanceId) ?? [];
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  await expect(asg.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }))).rejects.toMatchObject({
    name: 'ActiveInstanceRefreshNotFoundFault',
  });
});

describe('ASG-15: an instance refresh', () => {
  /** A group under a refresh: the fewest in service, and the most that are there or on their way. */
  async function refreshing(DesiredCapacity: number, Preferences: RefreshPreferences) {
    const world = await aGroup({ MinSize: 0, MaxSize: 20, DesiredCapacity });
    const { asg, aws, clock } = world;
    const instances = () => aws.autoScaling.group(AutoScalingGroupName).instances;
    const old = new Set(instances().map(({ id }) => id));
    await asg.send(new StartInstanceRefreshCommand({ AutoScalingGroupName, Preferences }));
    const inService = () => instances().filter(({ lifecycle }) => lifecycle === 'InService').length;
    const staying = () => instances().filter((instance) => !isEnding(instance)).length;
    const seen = { fewest: DesiredCapacity, most: DesiredCapacity };
    const pass = async (minutes: number) => {
      for (let step = 0; step < minutes * 12; step += 1) {
        await clock.advance(5_000);
        seen.fewest = Math.min(seen.fewest, inService());
        seen.most = Math.max(seen.most, staying());
      }
    };
    const state = async () =>
      (await asg.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }))).InstanceRefreshes?.[0];
    return { ...world, seen, pass, state, old: () => instances().filter(({ id }) => old.has(id)).length };
  }

  for (const { preferences, size, fewest, most } of [
    { preferences: {}, size: 4, fewest: 3, most: 4 },
    { preferences: { MinHealthyPercentage: 50 }, size: 6, fewest: 3, most: 6 },
    { preferences: { MinHealthyPercentage: 0 }, size: 4, fewest: 0, most: 4 },
    { preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 150 }, size: 6, fewest: 6, most: 9 },
    { preferences: { MinHealthyPercentage: 100, MaxHealthyPercentage: 110 }, size: 4, fewest: 4, most: 5 },
  ]) {
    test(`with ${JSON.stringify(preferences)} has ${fewest} in service at least, and ${most} at most, of ${size}`, async () => {
      const { seen, pass, state, old } = await refreshing(size, preferences);
      await pass(15);
      expect(await state()).toMatchObject({ Status: 'Successful', PercentageComplete: 100 });
      expect({ ...seen, old: old() }).toEqual({ fewest, most, old: 0 });
    });
  }

  test('counts a new instance once it is warm', async () => {
    const { pass, old } = await refreshing(3, { InstanceWarmup: 600 });
    await pass(9);
    expect(old()).toBe(2);
    await pass(5);
    expect(old()).toBe(1);
  });

  test('rests at its checkpoints, and leaves what lies beyond the last one', async () => {
    const { pass, state, old } = await refreshing(4, {
      MinHealthyPercentage: 50,
      CheckpointPercentages: [25, 50],
      CheckpointDelay: 1200,
    });
    await pass(5);
    expect(old()).toBe(3);
    expect(await state()).toMatchObject({ Status: 'InProgress', StatusReason: expect.stringContaining('checkpoint') });
    await pass(25);
    expect(old()).toBe(2);
    expect(await state()).toMatchObject({ Status: 'Successful', PercentageComplete: 50 });
  });

  test('that skips what matches has nothing to do, and one that is suspended waits', async () => {
    const matching = await refreshing(3, { SkipMatching: true });
    await matching.pass(1);
    expect(await matching.state()).toMatchObject({ Status: 'Successful' });
    expect(matching.old()).toBe(3);
    const { asg, pass, old } = await refreshing(2, {});
    const processes = { AutoScalingGroupName, ScalingProcesses: ['InstanceRefresh'] };
    await asg.send(new SuspendProcessesCommand(processes));
    await pass(5);
    expect(old()).toBe(2);
    await asg.send(new ResumeProcessesCommand(processes));
    await pass(5);
    expect(old()).toBe(0);
  });

  for (const { preferences, message } of [
    { preferences: { MinHealthyPercentage: 101 }, message: 'MinHealthyPercentage' },
    { preferences: { MaxHealthyPercentage: 120 }, message: 'needs MinHealthyPercentage' },
    { preferences: { MinHealthyPercentage: 50, MaxHealthyPercentage: 200 }, message: 'at most 100 apart' },
    { preferences: { CheckpointPercentages: [50, 20] }, message: 'ascend' },
  ]) {
    test(`with ${JSON.stringify(preferences)} is refused`, async () => {
      await expect(refreshing(0, preferences)).rejects.toMatchObject({
        name: 'ValidationError',
        message: expect.stringContaining(message),
      });
    });
  }
});
