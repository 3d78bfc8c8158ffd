import {
  CancelInstanceRefreshCommand,
  DescribeInstanceRefreshesCommand,
  EnterStandbyCommand,
  type RefreshPreferences,
  ResumeProcessesCommand,
  RollbackInstanceRefreshCommand,
  SetInstanceProtectionCommand,
  StartInstanceRefreshCommand,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { anAutoScalingGroup, AutoScalingGroupName, templateName } from '@nodewright/testkit/worlds';
import { isEnding } from '../group/group.ts';

const minute = 60_000;

test('ASG-15: an instance refresh replaces every instance, and only one runs at a time', async () => {
  const { asg, clock, group } = await anAutoScalingGroup({ MinSize: 0, MaxSize: 4, DesiredCapacity: 2 });
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
  async function refreshing(
    DesiredCapacity: number,
    Preferences: RefreshPreferences,
    { to, before }: { to?: string; before?: (world: World) => Promise<unknown> } = {},
  ) {
    const world = await anAutoScalingGroup({ MinSize: 0, MaxSize: 20, DesiredCapacity });
    await aSecondVersion(world);
    await before?.(world);
    const { asg, aws, clock } = world;
    const instances = () => aws.autoScaling.group(AutoScalingGroupName).instances;
    const old = new Set(instances().map(({ id }) => id));
    await asg.send(
      new StartInstanceRefreshCommand({
        AutoScalingGroupName,
        Preferences,
        ...(to !== undefined && { DesiredConfiguration: configuration(to) }),
      }),
    );
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
    const versions = () => instances().map(({ template }) => template.version);
    return { ...world, seen, pass, state, versions, old: () => instances().filter(({ id }) => old.has(id)).length };
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
    { preferences: { MinHealthyPercentage: 101 }, message: 'less than or equal to 100' },
    { preferences: { MaxHealthyPercentage: 120 }, message: 'needs MinHealthyPercentage' },
    { preferences: { MinHealthyPercentage: 50, MaxHealthyPercentage: 200 }, message: 'at most 100 apart' },
    { preferences: { CheckpointPercentages: [50, 20] }, message: 'ascend' },
    { preferences: { CheckpointPercentages: [50, 101] }, message: "'preferences.checkpointPercentages.2.member'" },
    { preferences: { CheckpointDelay: 60 }, message: 'needs CheckpointPercentages' },
    {
      preferences: { CheckpointPercentages: [100], CheckpointDelay: 172_801 },
      message: 'less than or equal to 172800',
    },
    { preferences: { BakeTime: 172_801 }, message: 'less than or equal to 172800' },
    { preferences: { InstanceWarmup: -1 }, message: "'preferences.instanceWarmup'" },
    { preferences: { ScaleInProtectedInstances: 'Ask' as never }, message: '[Refresh, Ignore, Wait]' },
    { preferences: { StandbyInstances: 'Ask' as never }, message: '[Terminate, Ignore, Wait]' },
    { preferences: { AlarmSpecification: { Alarms: Array.from({ length: 11 }, () => 'a') } }, message: '11 alarms' },
    { preferences: { AlarmSpecification: { Alarms: [' '] } }, message: 'not only blanks' },
    { preferences: { AutoRollback: true }, message: 'no desired configuration' },
  ]) {
    test(`with ${JSON.stringify(preferences)} is refused`, async () => {
      await expect(refreshing(0, preferences)).rejects.toMatchObject({
        name: 'ValidationError',
        message: expect.stringContaining(message),
      });
    });
  }

  test('moves the group to its desired configuration, and leaves it there', async () => {
    const { group, pass, state, versions, update } = await refreshing(3, {}, { to: '2' });
    expect((await group())?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification?.Version).toBe('1');
    await pass(15);
    expect(versions()).toEqual(['2', '2', '2']);
    expect(await state()).toMatchObject({
      Status: 'Successful',
      DesiredConfiguration: {
        MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification: { Version: '2' } } },
      },
    });
    expect((await group())?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification?.Version).toBe('2');
    await update({ DesiredCapacity: 4 });
    await pass(1);
    expect(versions()).toEqual(['2', '2', '2', '2']);
  });

  test('that skips what matches compares with its desired configuration', async () => {
    const { pass, state, versions } = await refreshing(2, { SkipMatching: true }, { to: '2' });
    await pass(10);
    expect(versions()).toEqual(['2', '2']);
    expect(await state()).toMatchObject({ Status: 'Successful' });
  });

  test('that is cancelled waits for what is on its way, and leaves what it did and the configuration from before', async () => {
    const { asg, group, pass, state, versions } = await refreshing(4, { InstanceWarmup: 120 }, { to: '2' });
    await pass(3);
    await asg.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }));
    expect(await state()).toMatchObject({ Status: 'Cancelling' });
    await expect(asg.send(new CancelInstanceRefreshCommand({ AutoScalingGroupName }))).rejects.toMatchObject({
      name: 'ActiveInstanceRefreshNotFoundFault',
    });
    await pass(3);
    expect(await state()).toMatchObject({ Status: 'Cancelled', StatusReason: 'Cancelled by a user.' });
    expect(new Set(versions())).toEqual(new Set(['1', '2']));
    expect((await group())?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification?.Version).toBe('1');
  });

  test('is rolled back: what it replaced gets the old configuration again, the rest is left alone', async () => {
    const { asg, group, pass, state, versions, old } = await refreshing(4, { InstanceWarmup: 120 }, { to: '2' });
    await pass(3);
    const untouched = old();
    expect(versions()).toContain('2');
    expect(untouched).toBeGreaterThan(0);
    await asg.send(new RollbackInstanceRefreshCommand({ AutoScalingGroupName }));
    expect(await state()).toMatchObject({
      Status: 'RollbackInProgress',
      RollbackDetails: {
        RollbackReason: 'Rolled back by a user.',
        InstancesToUpdateOnRollback: expect.any(Number) as number,
      },
    });
    await expect(asg.send(new RollbackInstanceRefreshCommand({ AutoScalingGroupName }))).rejects.toMatchObject({
      name: 'IrreversibleInstanceRefreshFault',
    });
    await pass(25);
    expect(await state()).toMatchObject({ Status: 'RollbackSuccessful', PercentageComplete: 0 });
    expect(versions()).toEqual(['1', '1', '1', '1']);
    expect(old()).toBe(untouched);
    expect((await group())?.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification?.Version).toBe('1');
  });

  test('without a desired configuration cannot be rolled back, nor can one of a moving version', async () => {
    const plain = await refreshing(2, {});
    const back = new RollbackInstanceRefreshCommand({ AutoScalingGroupName });
    await expect(plain.asg.send(back)).rejects.toMatchObject({
      name: 'IrreversibleInstanceRefreshFault',
      message: expect.stringContaining('no desired configuration') as string,
    });
    const moving = refreshing(
      2,
      { AutoRollback: true },
      { to: '2', before: ({ update }) => update(configuration('$Default')) },
    );
    await expect(moving).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('$Default') as string,
    });
    const idle = await anAutoScalingGroup({ MinSize: 0, MaxSize: 1, DesiredCapacity: 0 });
    await expect(idle.asg.send(back)).rejects.toMatchObject({ name: 'ActiveInstanceRefreshNotFoundFault' });
  });

  for (const { AutoRollback, ends } of [
    { AutoRollback: false, ends: 'Failed' },
    { AutoRollback: true, ends: 'RollbackSuccessful' },
  ]) {
    test(`whose alarm rings ends as ${ends} ${AutoRollback ? 'with' : 'without'} AutoRollback`, async () => {
      const preferences = { AutoRollback, AlarmSpecification: { Alarms: ['errors'] }, BakeTime: 3600 };
      const { aws, pass, state, versions } = await refreshing(2, preferences, { to: '2' });
      aws.faults.add({ kind: 'alarm', name: 'another' });
      await pass(15);
      expect(await state()).toMatchObject({ Status: 'Baking', PercentageComplete: 100 });
      aws.faults.add({ kind: 'alarm', name: 'errors' });
      await pass(15);
      expect(await state()).toMatchObject({ Status: ends, StatusReason: 'The alarm errors is in state ALARM.' });
      expect(versions()).toEqual(AutoRollback ? ['1', '1'] : ['2', '2']);
    });
  }

  test('bakes before it is successful', async () => {
    const { pass, state } = await refreshing(1, { BakeTime: 600 });
    await pass(5);
    expect(await state()).toMatchObject({
      Status: 'Baking',
      StatusReason: expect.stringContaining('Bakes until') as string,
    });
    await pass(10);
    expect(await state()).toMatchObject({ Status: 'Successful' });
  });

  for (const { how, left, status } of [
    { how: 'Refresh', left: 0, status: 'Successful' },
    { how: 'Ignore', left: 1, status: 'Successful' },
    { how: 'Wait', left: 1, status: 'Failed' },
  ] as const) {
    test(`that shall ${how} on protected instances ends as ${status}, with ${left} of them left`, async () => {
      const { clock, state, old } = await refreshing(2, { ScaleInProtectedInstances: how }, { before: protectOne });
      await clock.advance(90 * minute);
      expect(await state()).toMatchObject({ Status: status });
      expect(old()).toBe(left);
    });
  }

  test('goes on once the protection is taken off', async () => {
    const { asg, aws, pass, state, old } = await refreshing(2, {}, { before: protectOne });
    await pass(30);
    const InstanceIds = aws.autoScaling.group(AutoScalingGroupName).instances.map(({ id }) => id);
    await asg.send(
      new SetInstanceProtectionCommand({ AutoScalingGroupName, InstanceIds, ProtectedFromScaleIn: false }),
    );
    await pass(10);
    expect(await state()).toMatchObject({ Status: 'Successful' });
    expect(old()).toBe(0);
  });

  for (const { how, left, status } of [
    { how: 'Terminate', left: 0, status: 'Successful' },
    { how: 'Ignore', left: 1, status: 'Successful' },
    { how: 'Wait', left: 1, status: 'Failed' },
  ] as const) {
    test(`that shall ${how} on instances in standby ends as ${status}, with ${left} of them left`, async () => {
      const { clock, group, state, old } = await refreshing(3, { StandbyInstances: how }, { before: restOne });
      await clock.advance(90 * minute);
      expect(await state()).toMatchObject({ Status: status });
      expect(old()).toBe(left);
      expect((await group())?.DesiredCapacity).toBe(2);
    });
  }

  test('launches first where a hundred percent are to serve, and not more are to be there', async () => {
    const { seen, pass, old } = await refreshing(2, { MinHealthyPercentage: 100, MaxHealthyPercentage: 100 });
    await pass(15);
    expect({ ...seen, old: old() }).toEqual({ fewest: 2, most: 3, old: 0 });
  });

  test('that cannot launch for an hour fails', async () => {
    const { aws, clock, state } = await refreshing(2, {});
    aws.faults.add({ kind: 'insufficient-capacity' });
    await clock.advance(80 * minute);
    expect(await state()).toMatchObject({
      Status: 'Failed',
      StatusReason: expect.stringContaining('an hour') as string,
    });
  });

  test('by replacement of root volumes is refused in words', async () => {
    const { asg } = await anAutoScalingGroup({ MinSize: 0, MaxSize: 1, DesiredCapacity: 0 });
    const started = asg.send(new StartInstanceRefreshCommand({ AutoScalingGroupName, Strategy: 'ReplaceRootVolume' }));
    await expect(started).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining('Rolling only') as string,
    });
  });

  test('that an earlier sandbox wrote down goes on by the defaults', async () => {
    const { aws, pass, state } = await refreshing(2, {});
    const { refreshes } = aws.autoScaling.group(AutoScalingGroupName);
    const [{ id, startedAt, toReplace }] = refreshes as [(typeof refreshes)[number]];
    const saved = { id, startedAt, toReplace, status: 'InProgress' } as (typeof refreshes)[number];
    aws.autoScaling.change(AutoScalingGroupName, { refreshes: [saved] });
    aws.autoScaling.resume();
    await pass(10);
    expect(await state()).toMatchObject({ Status: 'Successful', Preferences: { MinHealthyPercentage: 90 } });
  });
});

type World = Awaited<ReturnType<typeof anAutoScalingGroup>>;

const configuration = (Version: string) => ({
  MixedInstancesPolicy: {
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version },
      Overrides: [{ InstanceType: 'm5.large' }],
    },
  },
});

const aSecondVersion = ({ client }: World) =>
  client.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: templateName,
      SourceVersion: '1',
      LaunchTemplateData: { Monitoring: { Enabled: true } },
    }),
  );

const firstOf = ({ aws }: World): readonly string[] =>
  aws.autoScaling
    .group(AutoScalingGroupName)
    .instances.slice(0, 1)
    .map(({ id }) => id);

const protectOne = (world: World) =>
  world.asg.send(
    new SetInstanceProtectionCommand({
      AutoScalingGroupName,
      InstanceIds: [...firstOf(world)],
      ProtectedFromScaleIn: true,
    }),
  );

const restOne = (world: World) =>
  world.asg.send(
    new EnterStandbyCommand({
      AutoScalingGroupName,
      InstanceIds: [...firstOf(world)],
      ShouldDecrementDesiredCapacity: true,
    }),
  );
