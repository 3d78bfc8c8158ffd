import { AutoScalingGroupName, anAutoScalingGroup } from '@nodewright/testkit/worlds';
import {
  BatchDeleteScheduledActionCommand,
  BatchPutScheduledUpdateGroupActionCommand,
  DeleteScheduledActionCommand,
  DescribeScheduledActionsCommand,
  PutScheduledUpdateGroupActionCommand,
  type PutScheduledUpdateGroupActionCommandInput,
  SuspendProcessesCommand,
} from '@aws-sdk/client-auto-scaling';
import { hours, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';

type World = Awaited<ReturnType<typeof anAutoScalingGroup>>;

async function scheduleWorld() {
  const world = await anAutoScalingGroup({ MinSize: 1, MaxSize: 3, DesiredCapacity: 2 });
  const after = (ms: number): Date => new Date(world.clock.now() + ms);
  const put = (ScheduledActionName: string, input: Partial<PutScheduledUpdateGroupActionCommandInput>) =>
    world.asg.send(new PutScheduledUpdateGroupActionCommand({ AutoScalingGroupName, ScheduledActionName, ...input }));
  return { ...world, after, put };
}

const listActions = async ({ asg }: World, input: object = {}) =>
  (await asg.send(new DescribeScheduledActionsCommand(input))).ScheduledUpdateGroupActions ?? [];

const sizesOf = async ({ group }: World) => {
  const { MinSize, MaxSize, DesiredCapacity } = (await group()) ?? {};
  return [MinSize, MaxSize, DesiredCapacity];
};

test('an action gives the group its sizes at its time, once', async () => {
  const world = await scheduleWorld();
  await world.put('evening', { StartTime: world.after(hours(1)), MinSize: 0, MaxSize: 0, DesiredCapacity: 0 });
  const [action] = await listActions(world, { AutoScalingGroupName });
  expect(action).toMatchObject({ ScheduledActionName: 'evening', MinSize: 0, MaxSize: 0, DesiredCapacity: 0 });
  expect(action?.ScheduledActionARN).toMatch(
    /^arn:aws:autoscaling:us-east-1:\d{12}:scheduledUpdateGroupAction:[-0-9a-f]{36}:autoScalingGroupName\/workers:scheduledActionName\/evening$/,
  );
  await world.clock.advance(minutes(59));
  expect(await sizesOf(world)).toEqual([1, 3, 2]);
  await world.clock.advance(minutes(2));
  expect(await sizesOf(world)).toEqual([0, 0, 0]);
  expect(await listActions(world)).toEqual([]);
});

test('an action that recurs is described with its next time, and ends', async () => {
  const world = await scheduleWorld();
  const start = world.after(hours(1));
  await world.put('daily', { Recurrence: '0 6 * * *', StartTime: start, EndTime: world.after(hours(60)), MinSize: 3 });
  await world.clock.advance(hours(1) + minutes(1));
  expect(await sizesOf(world)).toEqual([3, 3, 3]);
  const next = (await listActions(world))[0]?.StartTime;
  expect([next?.getUTCHours(), next?.getUTCMinutes()]).toEqual([6, 0]);
  await world.clock.advance(hours(60));
  expect(await listActions(world)).toEqual([]);
});

test('a recurrence is in its time zone', async () => {
  const world = await scheduleWorld();
  await world.put('morning', { Recurrence: '0 6 * * *', TimeZone: 'Asia/Kolkata', DesiredCapacity: 3 });
  const [action] = await listActions(world, { ScheduledActionNames: ['morning'] });
  expect([action?.StartTime?.getUTCHours(), action?.StartTime?.getUTCMinutes()]).toEqual([0, 30]);
});

test('sizes that an action leaves out move as far as they must', async () => {
  const world = await scheduleWorld();
  await world.put('small', { StartTime: world.after(minutes(5)), MaxSize: 1 });
  await world.put('large', { StartTime: world.after(minutes(10)), MinSize: 5 });
  await world.clock.advance(minutes(6));
  expect(await sizesOf(world)).toEqual([1, 1, 1]);
  await world.clock.advance(minutes(5));
  expect(await sizesOf(world)).toEqual([5, 5, 5]);
});

test('an action does nothing while the process is suspended', async () => {
  const world = await scheduleWorld();
  await world.asg.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: ['ScheduledActions'] }));
  await world.put('up', { StartTime: world.after(minutes(5)), DesiredCapacity: 3 });
  await world.clock.advance(minutes(6));
  expect(await sizesOf(world)).toEqual([1, 3, 2]);
});

test('a batch puts or deletes several scheduled actions, and its answer lists the refused ones', async () => {
  const world = await scheduleWorld();
  const actions = [
    { ScheduledActionName: 'a', StartTime: world.after(minutes(5)), DesiredCapacity: 3 },
    { ScheduledActionName: 'b', StartTime: world.after(-minutes(5)), DesiredCapacity: 3 },
  ];
  const put = new BatchPutScheduledUpdateGroupActionCommand({
    AutoScalingGroupName,
    ScheduledUpdateGroupActions: actions,
  });
  expect((await world.asg.send(put)).FailedScheduledUpdateGroupActions).toEqual([
    { ScheduledActionName: 'b', ErrorCode: 'ValidationError', ErrorMessage: 'Given start time is in the past' },
  ]);
  const drop = new BatchDeleteScheduledActionCommand({ AutoScalingGroupName, ScheduledActionNames: ['a', 'c'] });
  expect((await world.asg.send(drop)).FailedScheduledActions).toEqual([
    { ScheduledActionName: 'c', ErrorCode: 'ValidationError', ErrorMessage: 'Scheduled action name not found' },
  ]);
  expect(await listActions(world)).toEqual([]);
});

for (const { fact, input, message } of [
  { fact: 'no size', input: { Recurrence: '0 6 * * *' }, message: /^You must specify at least one of the following/ },
  { fact: 'no time', input: { MinSize: 1 }, message: 'Either StartTime or Recurrence must be specified.' },
  { fact: 'no cron', input: { Recurrence: 'daily', MinSize: 1 }, message: 'Given recurrence string: daily is invalid' },
  { fact: 'seconds', input: { Recurrence: '0 0 6 * * *', MinSize: 1 }, message: /0 0 6 \* \* \* is invalid$/ },
  {
    fact: 'an unknown time zone',
    input: { Recurrence: '0 6 * * *', TimeZone: 'Mars/Base', MinSize: 1 },
    message: /is invalid in the time zone Mars\/Base$/,
  },
  {
    fact: 'a minimum above the maximum',
    input: { Recurrence: '0 6 * * *', MinSize: 3, MaxSize: 1 },
    message: 'Min size 3 must be less than or equal to max size 1',
  },
  {
    fact: 'a desired size out of the bounds',
    input: { Recurrence: '0 6 * * *', MaxSize: 1, DesiredCapacity: 2 },
    message: 'Desired capacity:2 must be between the min and max sizes',
  },
]) {
  test(`an action with ${fact} is refused`, async () => {
    const { put } = await scheduleWorld();
    await expect(put('x', input)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringMatching(message),
    });
  });
}

test('an end before the start, and an action that is not there, are refused', async () => {
  const { put, after, asg } = await scheduleWorld();
  const times = { StartTime: after(hours(2)), EndTime: after(hours(1)) };
  await expect(put('x', { ...times, MinSize: 1 })).rejects.toThrow('Given end time is before the start time');
  const drop = new DeleteScheduledActionCommand({ AutoScalingGroupName, ScheduledActionName: 'x' });
  await expect(asg.send(drop)).rejects.toThrow('Scheduled action name not found');
});
