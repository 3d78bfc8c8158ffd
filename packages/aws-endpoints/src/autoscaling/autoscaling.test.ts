import {
  CompleteLifecycleActionCommand,
  DescribeScalingActivitiesCommand,
  EnterStandbyCommand,
  ExitStandbyCommand,
  PutLifecycleHookCommand,
  ResumeProcessesCommand,
  SetDesiredCapacityCommand,
  SetInstanceProtectionCommand,
  SuspendProcessesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { anAutoScalingGroup, AutoScalingGroupName, templateName } from '@nodewright/testkit/worlds';

const minute = 60_000;

test('ASG-1, OBJ-11: a group spreads its instances over its zones, tags them and names its template in the policy', async () => {
  const { aws, group, zones } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 5 });
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
  const { asg, group, update } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
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
  const { clock, group, end } = await anAutoScalingGroup({ MinSize: 2, MaxSize: 6, DesiredCapacity: 3 });
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

test('ASG-6: several instances of one group are ended in one call, answered by an activity each', async () => {
  const { asg, clock, group } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 3 });
  const ids = ((await group())?.Instances ?? []).map(({ InstanceId = '' }) => InstanceId);
  const end = (InstanceIds: string[], more: object = {}) =>
    asg.send(
      new TerminateInstanceInAutoScalingGroupCommand({
        AutoScalingGroupName,
        InstanceIds,
        ShouldDecrementDesiredCapacity: true,
        ...more,
      }),
    );
  const refused = { name: 'ValidationError' };
  await expect(end(ids)).rejects.toMatchObject(refused);
  await expect(end([])).rejects.toMatchObject(refused);
  await expect(end(['i-0'])).rejects.toMatchObject(refused);
  await expect(end(ids, { InstanceId: ids[0] })).rejects.toMatchObject(refused);
  expect((await end(ids.slice(0, 2))).Activities).toHaveLength(2);
  await clock.advance(2 * minute);
  expect((await group())?.Instances?.map(({ InstanceId }) => InstanceId)).toEqual(ids.slice(2));
});

test('ASG-3, SET-2: running instances keep their template version, new ones get the present one', async () => {
  const { clock, client, group, update } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
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
  const { asg, clock, group, end } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 6, DesiredCapacity: 2 });
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
  const { asg, aws, clock, zones, update } = await anAutoScalingGroup({ MinSize: 0, MaxSize: 6, DesiredCapacity: 0 });
  const fault = aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1c' });
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
  const { asg, aws, clock, zones, update } = await anAutoScalingGroup({ MinSize: 0, MaxSize: 6, DesiredCapacity: 0 });
  await asg.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['AZRebalance'] }));
  const fault = aws.faults.add({ kind: 'insufficient-capacity', zone: 'us-east-1c' });
  await update({ DesiredCapacity: 4 });
  await clock.advance(minute);
  aws.faults.clear(fault.id);
  await clock.advance(20 * minute);
  expect(await zones()).toBe('aabb');
});

test('an instance that fails is replaced', async () => {
  const { aws, clock, group, zones } = await anAutoScalingGroup({ MinSize: 3, MaxSize: 6, DesiredCapacity: 3 });
  aws.ec2.instances.terminate((await group())?.Instances?.[0]?.InstanceId ?? '');
  await clock.advance(2 * minute);
  expect(await zones()).toBe('abc');
});

test('ASG-5, ASG-14: a size outside the bounds, an unknown group and an unknown instance are validation errors', async () => {
  const { asg, end } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
  const refused = { name: 'ValidationError', $metadata: { httpStatusCode: 400 } };
  const setTo = (DesiredCapacity: number, name = AutoScalingGroupName) =>
    asg.send(new SetDesiredCapacityCommand({ AutoScalingGroupName: name, DesiredCapacity }));
  await expect(setTo(4)).rejects.toMatchObject(refused);
  await expect(setTo(0)).rejects.toMatchObject(refused);
  await expect(setTo(1, 'none')).rejects.toMatchObject(refused);
  await expect(end('i-0123456789abcdef0', true)).rejects.toMatchObject(refused);
});

test('ASG-6: an instance is not ended by shrinking the group below its minimum', async () => {
  const { end, group } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
  const id = (await group())?.Instances?.[0]?.InstanceId ?? '';
  await expect(end(id, true)).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('minSize (1)'),
  });
});

test('ASG-10, ASG-14: processes are suspended and resumed by name, all of them when none is named', async () => {
  const { asg, group } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 1 });
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
  const { asg, clock, client, group, update } = await anAutoScalingGroup({
    MinSize: 0,
    MaxSize: 9,
    DesiredCapacity: 3,
  });
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

test('ASG-2, ASG-11: an instance in standby serves nobody, stays, and comes back; a protected one is not chosen', async () => {
  const { asg, clock, group } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 2 });
  const states = async () =>
    Object.fromEntries((await group())?.Instances?.map((each) => [each.InstanceId, each.LifecycleState]) ?? []);
  const [first = '', second = ''] = Object.keys(await states());
  const which = { AutoScalingGroupName, InstanceIds: [first] };
  const { Activities } = await asg.send(new EnterStandbyCommand({ ...which, ShouldDecrementDesiredCapacity: true }));
  expect(Activities).toMatchObject([
    { StatusCode: 'Successful', Description: expect.stringContaining(first) as string },
  ]);
  await clock.advance(10 * minute);
  expect(await states()).toEqual({ [first]: 'Standby', [second]: 'InService' });
  expect(await group()).toMatchObject({ DesiredCapacity: 1 });
  await asg.send(new ExitStandbyCommand(which));
  expect(await group()).toMatchObject({ DesiredCapacity: 2 });
  await asg.send(new SetInstanceProtectionCommand({ ...which, ProtectedFromScaleIn: true }));
  await asg.send(new SetDesiredCapacityCommand({ AutoScalingGroupName, DesiredCapacity: 1 }));
  await clock.advance(10 * minute);
  expect(await states()).toEqual({ [first]: 'InService' });
});

test('ASG-14: standby beyond the sizes, and of instances that are not where they should be, is refused', async () => {
  const { asg, group } = await anAutoScalingGroup({ MinSize: 1, MaxSize: 1, DesiredCapacity: 1 });
  const InstanceIds = [(await group())?.Instances?.[0]?.InstanceId ?? ''];
  const which = { AutoScalingGroupName, InstanceIds };
  const enter = (how: object) =>
    asg.send(new EnterStandbyCommand({ ...which, ShouldDecrementDesiredCapacity: true, ...how }));
  const refused = (says: string) => ({ name: 'ValidationError', message: expect.stringContaining(says) as string });
  await expect(enter({})).rejects.toMatchObject(refused('min-size=1'));
  await expect(enter({ InstanceIds: ['i-0'] })).rejects.toMatchObject(refused('not part of'));
  await expect(asg.send(new ExitStandbyCommand(which))).rejects.toMatchObject(refused('not in Standby'));
  await enter({ ShouldDecrementDesiredCapacity: false });
  await expect(enter({})).rejects.toMatchObject(refused('It is in Standby'));
  await expect(asg.send(new ExitStandbyCommand(which))).rejects.toMatchObject(refused('max-size=1'));
});
