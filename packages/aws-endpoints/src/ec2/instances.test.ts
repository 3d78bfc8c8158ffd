import {
  CreateFleetCommand,
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeInstancesCommand,
  DescribeTagsCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { aFleet, anEc2, x86 } from '@nodewright/testkit/worlds';

async function aRunningInstance(region = 'us-east-1') {
  const world = await anEc2(region);
  const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: world.subnetIn(`${region}b`) }];
  const fleet = await world.client.send(new CreateFleetCommand(aFleet(overrides)));
  const id = fleet.Instances?.[0]?.InstanceIds?.[0] ?? '';
  const look = async () => {
    const answer = await world.client.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    return answer.Reservations?.[0]?.Instances?.[0];
  };
  return { ...world, id, look };
}

test('an instance is pending, runs after seconds, shuts down, and is forgotten after an hour', async () => {
  const { client, clock, id, look, stopping } = await aRunningInstance();
  expect((await look())?.State).toEqual({ Code: 0, Name: 'pending' });
  await clock.advance(10_000);
  expect((await look())?.State).toEqual({ Code: 16, Name: 'running' });
  const ended = await client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  expect(ended.TerminatingInstances).toEqual([
    { InstanceId: id, PreviousState: { Code: 16, Name: 'running' }, CurrentState: { Code: 32, Name: 'shutting-down' } },
  ]);
  expect(stopping).toEqual([id]);
  await clock.advance(60_000);
  expect(await look()).toMatchObject({
    State: { Code: 48, Name: 'terminated' },
    StateReason: { Code: 'Client.UserInitiatedShutdown' },
  });
  await clock.advance(60 * 60_000);
  await expect(look()).rejects.toMatchObject({
    name: 'InvalidInstanceID.NotFound',
    message: `The instance ID '${id}' does not exist`,
  });
});

test('terminating again changes nothing', async () => {
  const { client, id, stopping } = await aRunningInstance();
  const terminate = () => client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  await terminate();
  expect((await terminate()).TerminatingInstances?.[0]?.PreviousState?.Name).toBe('shutting-down');
  expect(stopping).toEqual([id]);
});

test('an address comes back when its instance has ended', async () => {
  const { aws, client, clock, id, subnetIn } = await aRunningInstance();
  const before = aws.ec2.instances.freeAddresses(subnetIn('us-east-1b'));
  await client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  await clock.advance(60_000);
  expect(aws.ec2.instances.freeAddresses(subnetIn('us-east-1b'))).toBe(before + 1);
});

for (const { region, name } of [
  { region: 'us-east-1', name: /^ip-192-168-\d+-\d+\.ec2\.internal$/ },
  { region: 'us-west-2', name: /^ip-192-168-\d+-\d+\.us-west-2\.compute\.internal$/ },
]) {
  test(`an instance in ${region} is named as EC2 does there`, async () => {
    const { look } = await aRunningInstance(region);
    expect((await look())?.PrivateDnsName).toMatch(name);
  });
}

test('an instance tells what it was launched with', async () => {
  const { look, aws, subnetIn } = await aRunningInstance();
  expect(await look()).toMatchObject({
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    InstanceLifecycle: 'spot',
    SpotInstanceRequestId: expect.stringMatching(/^sir-/),
    Architecture: 'x86_64',
    SubnetId: subnetIn('us-east-1b'),
    Placement: { AvailabilityZone: 'us-east-1b', AvailabilityZoneId: 'use1-az2', Tenancy: 'default' },
    IamInstanceProfile: { Arn: 'arn:aws:iam::111122223333:instance-profile/node-profile' },
    SecurityGroups: aws.ec2.network.securityGroups.map(({ id, name }) => ({ GroupId: id, GroupName: name })),
    LaunchTime: new Date('2024-01-28T16:00:00Z'),
  });
});

test('tags given later are found by filters, with wildcards', async () => {
  const { client, id } = await aRunningInstance();
  await client.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'Name', Value: 'ip-1.ec2.internal' }] }));
  const named = async (value: string) => {
    const Filters = [
      { Name: 'tag:Name', Values: [value] },
      { Name: 'instance-state-name', Values: ['pending', 'running'] },
    ];
    return (await client.send(new DescribeInstancesCommand({ Filters }))).Reservations ?? [];
  };
  expect(await named('ip-?.ec2.*')).toHaveLength(1);
  expect(await named('ip-2*')).toEqual([]);
});

test('an unknown filter is refused', async () => {
  const { client } = await anEc2();
  const Filters = [{ Name: 'colour', Values: ['red'] }];
  await expect(client.send(new DescribeInstancesCommand({ Filters }))).rejects.toMatchObject({
    name: 'InvalidParameterValue',
    message: "The filter 'colour' is invalid",
  });
});

test('instances come in pages', async () => {
  const { client } = await anEc2();
  const five = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 7 } as const;
  await client.send(new RunInstancesCommand(five));
  const first = await client.send(new DescribeInstancesCommand({ MaxResults: 5 }));
  expect(first.Reservations?.[0]?.Instances).toHaveLength(5);
  const rest = await client.send(new DescribeInstancesCommand({ MaxResults: 5, NextToken: first.NextToken }));
  expect(rest.Reservations?.[0]?.Instances).toHaveLength(2);
  expect(rest.NextToken).toBeUndefined();
});

test('a dry run of an instance whose profile is missing is refused for that', async () => {
  const { client } = await anEc2();
  const request = {
    DryRun: true,
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    IamInstanceProfile: { Name: 'none' },
  } as const;
  await expect(client.send(new RunInstancesCommand(request))).rejects.toThrow('Invalid IAM Instance Profile name');
});

test('a tag that is deleted is gone, one with another value stays', async () => {
  const { client, id } = await aRunningInstance();
  const Tags = [
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: '2' },
  ];
  await client.send(new CreateTagsCommand({ Resources: [id], Tags }));
  const going = [{ Key: 'a' }, { Key: 'b', Value: 'another' }];
  await client.send(new DeleteTagsCommand({ Resources: [id], Tags: going }));
  const Filters = [
    { Name: 'resource-id', Values: [id] },
    { Name: 'key', Values: ['a', 'b'] },
  ];
  const left = await client.send(new DescribeTagsCommand({ Filters }));
  expect(left.Tags).toEqual([{ ResourceId: id, ResourceType: 'instance', Key: 'b', Value: '2' }]);
});

test('the same seed gives the same instance, to the address', async () => {
  const [first, second] = [await aRunningInstance(), await aRunningInstance()];
  expect(second.launched).toEqual(first.launched);
});
