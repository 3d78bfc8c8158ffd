import { AttachInstancesCommand, DetachInstancesCommand } from '@aws-sdk/client-auto-scaling';
import { RunInstancesCommand } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { AutoScalingGroupName, anAutoScalingGroup, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { withLost } from './lost-instances.ts';

async function attachWorld(MaxSize = 3) {
  const world = await anAutoScalingGroup({ MinSize: 1, MaxSize, DesiredCapacity: 1 });
  const attach = (...InstanceIds: string[]) =>
    world.asg.send(new AttachInstancesCommand({ AutoScalingGroupName, InstanceIds }));
  const detach = (ShouldDecrementDesiredCapacity: boolean, ...InstanceIds: string[]) =>
    world.asg.send(new DetachInstancesCommand({ AutoScalingGroupName, InstanceIds, ShouldDecrementDesiredCapacity }));
  const run = async () => {
    const { Instances: [instance] = [] } = await world.client.send(
      new RunInstancesCommand({
        ImageId: x86.imageId,
        InstanceType: 'm5.large',
        MinCount: 1,
        MaxCount: 1,
        SubnetId: world.subnetIn('us-east-1b'),
      }),
    );
    await world.clock.advance(minutes(1));
    return instance?.InstanceId ?? '';
  };
  const tagsOf = (id: string) => world.aws.ec2.tags.of(id);
  return { ...world, attach, detach, run, tagsOf };
}

test('a running instance becomes one of the group, which grows by it', async () => {
  const { attach, run, group, tagsOf, clock } = await attachWorld();
  const id = await run();
  await attach(id);
  await clock.advance(minutes(1));
  const { DesiredCapacity, Instances = [] } = (await group()) ?? {};
  expect([DesiredCapacity, Instances.length]).toEqual([2, 2]);
  expect(Instances.find(({ InstanceId }) => InstanceId === id)).toMatchObject({ LifecycleState: 'InService' });
  expect(tagsOf(id)['aws:autoscaling:groupName']).toBe(AutoScalingGroupName);
});

test('an instance that is detached runs on, and the group shrinks or launches another one', async () => {
  const { attach, detach, run, group, tagsOf, clock, aws } = await attachWorld();
  const id = await run();
  await attach(id);
  await clock.advance(minutes(1));
  const { Activities } = await detach(true, id);
  expect(Activities?.map(({ Description }) => Description)).toEqual([`Detaching EC2 instance: ${id}`]);
  await clock.advance(minutes(1));
  expect((await group())?.Instances).toHaveLength(1);
  expect(aws.ec2.instances.get(id)?.state).toBe('running');
  expect(tagsOf(id)['aws:autoscaling:groupName']).toBeUndefined();
  const [last] = (await group())?.Instances ?? [];
  await detach(false, last?.InstanceId ?? '');
  await clock.advance(minutes(2));
  const { DesiredCapacity, Instances = [] } = (await group()) ?? {};
  expect([DesiredCapacity, Instances.length]).toEqual([1, 1]);
  expect(Instances[0]?.InstanceId).not.toBe(last?.InstanceId);
});

test('a detached instance is not taken for a lost one after a restart', async () => {
  const { detach, group, aws } = await attachWorld();
  const [{ InstanceId = '' } = {}] = (await group())?.Instances ?? [];
  await detach(false, InstanceId);
  const record = aws.autoScaling.group(AutoScalingGroupName);
  expect(withLost(record, aws.ec2)).toBe(record);
});

test('what no group can take is refused', async () => {
  const { attach, detach, run, group } = await attachWorld(1);
  const [{ InstanceId: member = '' } = {}] = (await group())?.Instances ?? [];
  await expect(attach('i-0123456789abcdef0')).rejects.toThrow(
    'Invalid Instance ID(s): [i-0123456789abcdef0] specified',
  );
  await expect(attach(member)).rejects.toThrow(
    `The instance ${member} is already part of AutoScalingGroup:workers, so cannot be attached.`,
  );
  await expect(attach(await run())).rejects.toThrow(/would exceed its max-size=1\.$/);
  await expect(detach(true, member)).rejects.toThrow(/has min-size=1, and cannot get desired-size=0\.$/);
});
