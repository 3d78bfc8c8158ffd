import {
  CompleteLifecycleActionCommand,
  CreateAutoScalingGroupCommand,
  DeleteLifecycleHookCommand,
  DescribeLifecycleHooksCommand,
  DescribeLifecycleHookTypesCommand,
  PutLifecycleHookCommand,
  type PutLifecycleHookCommandInput,
  RecordLifecycleActionHeartbeatCommand,
} from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { anAutoScalingGroup, AutoScalingGroupName, templateName } from '@nodewright/testkit/worlds';

const minute = 60_000;
const launching = 'autoscaling:EC2_INSTANCE_LAUNCHING';
const terminating = 'autoscaling:EC2_INSTANCE_TERMINATING';
const queue = 'arn:aws:sqs:us-east-1:111122223333:my-cluster';
const RoleARN = 'arn:aws:iam::111122223333:role/hooks';

async function aGroupWithHooks() {
  const world = await anAutoScalingGroup({ MinSize: 0, MaxSize: 6, DesiredCapacity: 1 });
  const { asg, aws, group } = world;
  const put = (LifecycleHookName: string, hook: Partial<PutLifecycleHookCommandInput>) =>
    asg.send(new PutLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName, ...hook }));
  const complete = (LifecycleHookName: string, result: object) =>
    asg.send(
      new CompleteLifecycleActionCommand({
        AutoScalingGroupName,
        LifecycleHookName,
        LifecycleActionResult: 'CONTINUE',
        ...result,
      }),
    );
  const states = async () => ((await group())?.Instances ?? []).map(({ LifecycleState }) => LifecycleState);
  const first = async () => (await group())?.Instances?.[0]?.InstanceId ?? '';
  /** Without the states of instances, which the queue of the cluster hears of, too. */
  const messages = () =>
    aws.queues
      .receive('my-cluster', { most: 100 })
      .map(({ body }) => JSON.parse(body) as Readonly<Record<string, string>>)
      .filter(({ source }) => source !== 'aws.ec2');
  return { ...world, put, complete, states, first, messages };
}

const refused = (says: string) => ({ name: 'ValidationError', message: expect.stringContaining(says) as string });

test('ASG-9: a queue hears a test first, then of every instance that waits, with what to answer with', async () => {
  const { put, end, first, messages, complete, clock, states } = await aGroupWithHooks();
  const hook = { LifecycleTransition: terminating, NotificationTargetARN: queue, RoleARN, NotificationMetadata: 'x' };
  await put('drain', hook);
  expect(messages()).toEqual([
    {
      AccountId: '111122223333',
      RequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      AutoScalingGroupARN: expect.stringContaining(':autoScalingGroupName/workers') as string,
      AutoScalingGroupName,
      Service: 'AWS Auto Scaling',
      Event: 'autoscaling:TEST_NOTIFICATION',
      Time: expect.stringMatching(/^2024-01-28T16:01:\d\d\.\d{3}Z$/) as string,
    },
  ]);
  const EC2InstanceId = await first();
  await end(EC2InstanceId, true);
  const [message, ...others] = messages();
  expect(others).toEqual([]);
  expect(message).toEqual({
    Origin: 'AutoScalingGroup',
    Destination: 'EC2',
    LifecycleHookName: 'drain',
    LifecycleTransition: terminating,
    AutoScalingGroupName,
    EC2InstanceId,
    NotificationMetadata: 'x',
    LifecycleActionToken: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    AccountId: '111122223333',
    RequestId: expect.any(String) as string,
    Service: 'AWS Auto Scaling',
    Time: expect.any(String) as string,
  });
  expect(await states()).toEqual(['Terminating:Wait']);
  await complete('drain', { LifecycleActionToken: message?.['LifecycleActionToken'] });
  await clock.advance(2 * minute);
  expect(await states()).toEqual([]);
});

test('ASG-9: a hook without a target tells EventBridge', async () => {
  const { aws, put, end, first, messages } = await aGroupWithHooks();
  const ask = (operation: string, input: object) =>
    aws.handle(
      {
        method: 'POST',
        path: '/',
        headers: { 'x-amz-target': `AWSEvents.${operation}`, 'content-type': 'application/x-amz-json-1.1' },
        body: Buffer.from(JSON.stringify(input)),
      },
      new AbortController().signal,
    );
  await ask('PutRule', { Name: 'hooks', EventPattern: '{"source":["aws.autoscaling"]}' });
  await ask('PutTargets', { Rule: 'hooks', Targets: [{ Id: 'queue', Arn: queue }] });
  await put('drain', { LifecycleTransition: terminating, NotificationMetadata: 'x' });
  const EC2InstanceId = await first();
  await end(EC2InstanceId, true);
  expect(messages()).toEqual([
    expect.objectContaining({
      'detail-type': 'EC2 Instance-terminate Lifecycle Action',
      source: 'aws.autoscaling',
      resources: [aws.autoScaling.group(AutoScalingGroupName).arn],
      detail: {
        LifecycleActionToken: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        AutoScalingGroupName,
        LifecycleHookName: 'drain',
        EC2InstanceId,
        LifecycleTransition: terminating,
        NotificationMetadata: 'x',
        Origin: 'AutoScalingGroup',
        Destination: 'EC2',
      },
    }),
  ]);
});

test('ASG-7, ASG-9: hooks that come with the group hear of its first instances', async () => {
  const { asg, aws, subnetIn, clock, messages } = await aGroupWithHooks();
  await asg.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'hooked',
      MinSize: 1,
      MaxSize: 1,
      VPCZoneIdentifier: subnetIn('us-east-1a'),
      MixedInstancesPolicy: {
        LaunchTemplate: {
          LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '1' },
          Overrides: [{ InstanceType: 'm5.large' }],
        },
      },
      LifecycleHookSpecificationList: [
        { LifecycleHookName: 'check', LifecycleTransition: launching, NotificationTargetARN: queue, RoleARN },
      ],
    }),
  );
  await clock.advance(minute);
  expect(messages()).toMatchObject([
    { Event: 'autoscaling:TEST_NOTIFICATION' },
    { Origin: 'EC2', Destination: 'AutoScalingGroup', LifecycleHookName: 'check', LifecycleTransition: launching },
  ]);
  expect(aws.autoScaling.group('hooked').instances).toMatchObject([{ lifecycle: 'Pending:Wait' }]);
});

for (const { fact, hook, says } of [
  { fact: 'a queue that is not there', hook: { NotificationTargetARN: `${queue}-2`, RoleARN }, says: 'test message' },
  { fact: 'a queue without a role', hook: { NotificationTargetARN: queue }, says: 'using IAM role null' },
  {
    fact: 'a topic, of which the sandbox has none',
    hook: { NotificationTargetARN: 'arn:aws:sns:us-east-1:111122223333:t', RoleARN },
    says: 'test message',
  },
  { fact: 'something else', hook: { NotificationTargetARN: 'mailto:me', RoleARN }, says: 'queue or of a topic' },
  { fact: 'another result', hook: { DefaultResult: 'RETRY' }, says: 'CONTINUE or ABANDON' },
  { fact: 'a short heartbeat', hook: { HeartbeatTimeout: 29 }, says: 'from 30 to 7200' },
  { fact: 'a long heartbeat', hook: { HeartbeatTimeout: 7201 }, says: 'from 30 to 7200' },
  { fact: 'another transition', hook: { LifecycleTransition: 'autoscaling:NAP' }, says: 'autoscaling:NAP' },
  { fact: 'a name with blanks', hook: { LifecycleHookName: 'my hook' }, says: "'lifecycleHookName' failed" },
]) {
  test(`ASG-7, ASG-14: a hook with ${fact} is refused`, async () => {
    const { put } = await aGroupWithHooks();
    await expect(put('drain', { LifecycleTransition: terminating, ...hook })).rejects.toMatchObject(refused(says));
  });
}

test('ASG-7: a hook has the defaults of Auto Scaling, keeps what is not given again, and is one of fifty', async () => {
  const { asg, put } = await aGroupWithHooks();
  await expect(put('drain', {})).rejects.toMatchObject(refused('transition'));
  await put('drain', { LifecycleTransition: terminating, NotificationTargetARN: queue, RoleARN });
  await put('drain', { HeartbeatTimeout: 60 });
  const found = async () =>
    (await asg.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }))).LifecycleHooks;
  expect(await found()).toEqual([
    {
      LifecycleHookName: 'drain',
      AutoScalingGroupName,
      LifecycleTransition: terminating,
      HeartbeatTimeout: 60,
      GlobalTimeout: 6000,
      DefaultResult: 'ABANDON',
      NotificationTargetARN: queue,
      RoleARN,
    },
  ]);
  await put('drain', { NotificationTargetARN: '' });
  expect((await found())?.[0]?.NotificationTargetARN).toBeUndefined();
  for (let count = 1; count < 50; count += 1) await put(`hook-${count}`, { LifecycleTransition: terminating });
  await expect(put('one-more', { LifecycleTransition: terminating })).rejects.toMatchObject({
    name: 'LimitExceededFault',
  });
  const { LifecycleHookTypes } = await asg.send(new DescribeLifecycleHookTypesCommand({}));
  expect(LifecycleHookTypes).toEqual([launching, terminating]);
});

test('ASG-7: an instance waits for every hook of its way, and one ABANDON skips the others', async () => {
  const { put, end, first, complete, states, clock, update } = await aGroupWithHooks();
  await put('a', { LifecycleTransition: terminating });
  await put('b', { LifecycleTransition: terminating });
  const InstanceId = await first();
  await end(InstanceId, true);
  await complete('b', { InstanceId });
  await expect(complete('b', { InstanceId })).rejects.toMatchObject(refused('No active Lifecycle Action'));
  await clock.advance(5 * minute);
  expect(await states()).toEqual(['Terminating:Wait']);
  await complete('a', { InstanceId });
  await clock.advance(2 * minute);
  expect(await states()).toEqual([]);
  await update({ DesiredCapacity: 1 });
  await clock.advance(minute);
  const second = await first();
  await end(second, true);
  await complete('a', { InstanceId: second, LifecycleActionResult: 'ABANDON' });
  await clock.advance(2 * minute);
  expect(await states()).toEqual([]);
});

test('ASG-7: an instance that is abandoned on its way in ends, and another one is launched', async () => {
  const { put, complete, first, states, clock, update } = await aGroupWithHooks();
  await update({ DesiredCapacity: 0 });
  await clock.advance(2 * minute);
  await put('check', { LifecycleTransition: launching, HeartbeatTimeout: 300 });
  await update({ DesiredCapacity: 1 });
  await clock.advance(minute);
  const abandoned = await first();
  expect(await states()).toEqual(['Pending:Wait']);
  await complete('check', { InstanceId: abandoned, LifecycleActionResult: 'ABANDON' });
  await clock.advance(2 * minute);
  expect(await states()).toEqual(['Pending:Wait']);
  const late = await first();
  expect(late).not.toBe(abandoned);
  await clock.advance(6 * minute);
  expect(await first()).not.toBe(late);
  await complete('check', { InstanceId: await first() });
  await clock.advance(minute);
  expect(await states()).toEqual(['InService']);
});

test('ASG-7, ASG-8: heartbeats prolong a wait, up to a hundred of them', async () => {
  const { asg, put, end, first, states, clock } = await aGroupWithHooks();
  await put('drain', { LifecycleTransition: terminating, HeartbeatTimeout: 30 });
  const InstanceId = await first();
  await end(InstanceId, true);
  const beat = () =>
    asg.send(
      new RecordLifecycleActionHeartbeatCommand({ AutoScalingGroupName, LifecycleHookName: 'drain', InstanceId }),
    );
  for (let seconds = 0; seconds < 2980; seconds += 20) {
    await beat();
    await clock.advance(20_000);
  }
  expect(await states()).toEqual(['Terminating:Wait']);
  await beat();
  await clock.advance(25_000);
  await expect(beat()).rejects.toMatchObject(refused('No active Lifecycle Action'));
});

test('ASG-7: a hook that is taken away lets go of what waits for it', async () => {
  const { asg, put, end, first, states, clock } = await aGroupWithHooks();
  await put('drain', { LifecycleTransition: terminating });
  await end(await first(), true);
  expect(await states()).toEqual(['Terminating:Wait']);
  await asg.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName: 'drain' }));
  await clock.advance(2 * minute);
  expect(await states()).toEqual([]);
});

test('ASG-7: what an earlier sandbox wrote of a wait is waited for still', async () => {
  const { aws, clock, end, first, put, states } = await aGroupWithHooks();
  await put('drain', { LifecycleTransition: terminating, HeartbeatTimeout: 600 });
  await end(await first(), true);
  const { instances } = aws.autoScaling.group(AutoScalingGroupName);
  const saved = instances.map(({ waits = [], ...rest }) => ({ ...rest, wait: waits[0] }));
  aws.autoScaling.change(AutoScalingGroupName, { instances: saved });
  aws.autoScaling.resume();
  await clock.advance(5 * minute);
  expect(await states()).toEqual(['Terminating:Wait']);
  await clock.advance(10 * minute);
  expect(await states()).toEqual([]);
});
