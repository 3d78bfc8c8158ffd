import {
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeAvailabilityZonesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { anEc2, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const { network } = account.aws.ec2;
  const subnet = network.subnets[1]?.id ?? '';
  const group = network.securityGroups[0]?.id ?? '';
  const run = async () => {
    const place = { SubnetId: subnet, SecurityGroupIds: [group] };
    const request = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, ...place } as const;
    return (await account.client.send(new RunInstancesCommand(request))).Instances?.[0]?.InstanceId ?? '';
  };
  return { ...account, network, subnet, group, run };
}

type World = Awaited<ReturnType<typeof world>>;

const deletions: Readonly<
  Record<string, readonly [id: (world: World) => string, remove: (world: World, DryRun?: boolean) => Promise<unknown>]>
> = {
  'a subnet': [
    ({ subnet }) => subnet,
    ({ client, subnet }, DryRun = false) => client.send(new DeleteSubnetCommand({ SubnetId: subnet, DryRun })),
  ],
  'a security group': [
    ({ group }) => group,
    ({ client, group }, DryRun = false) => client.send(new DeleteSecurityGroupCommand({ GroupId: group, DryRun })),
  ],
};

describe.each(Object.entries(deletions))('%s', (_, [idIn, remove]) => {
  const exists = ({ network }: World, id: string): boolean =>
    [...network.subnets, ...network.securityGroups].some((each) => each.id === id);

  test('goes with its tags', async () => {
    const account = await world();
    const id = idIn(account);
    await remove(account);
    expect(exists(account, id)).toBe(false);
    expect(account.aws.ec2.tags.of(id)).toEqual({});
  });

  test('stays while an instance is in it, and goes when that has ended', async () => {
    const account = await world();
    const instance = await account.run();
    await expect(remove(account)).rejects.toMatchObject({ name: 'DependencyViolation' });
    await expect(remove(account, true)).rejects.toMatchObject({ name: 'DependencyViolation' });
    await account.client.send(new TerminateInstancesCommand({ InstanceIds: [instance] }));
    await account.clock.advance(minutes(1));
    await remove(account);
    expect(exists(account, idIn(account))).toBe(false);
  });

  test('stays after a dry run', async () => {
    const account = await world();
    await expect(remove(account, true)).rejects.toMatchObject({ name: 'DryRunOperation' });
    expect(exists(account, idIn(account))).toBe(true);
  });
});

describe('what is not there is refused', () => {
  test.each<[fact: string, call: (world: World) => Promise<unknown>, code: string]>([
    [
      'a subnet to delete',
      ({ client }) => client.send(new DeleteSubnetCommand({ SubnetId: 'subnet-0' })),
      'InvalidSubnetID.NotFound',
    ],
    [
      'a group to delete',
      ({ client }) => client.send(new DeleteSecurityGroupCommand({ GroupId: 'sg-0' })),
      'InvalidGroup.NotFound',
    ],
    [
      'a group to delete by name',
      ({ client }) => client.send(new DeleteSecurityGroupCommand({ GroupName: 'none' })),
      'InvalidGroup.NotFound',
    ],
    ['a group that is not named', ({ client }) => client.send(new DeleteSecurityGroupCommand({})), 'MissingParameter'],
    [
      'a subnet',
      ({ client, subnet }) => client.send(new DescribeSubnetsCommand({ SubnetIds: [subnet, 'subnet-0'] })),
      'InvalidSubnetID.NotFound',
    ],
    [
      'a group',
      ({ client, group }) => client.send(new DescribeSecurityGroupsCommand({ GroupIds: [group, 'sg-0'] })),
      'InvalidGroup.NotFound',
    ],
    [
      'a group by name',
      ({ client }) => client.send(new DescribeSecurityGroupsCommand({ GroupNames: ['none'] })),
      'InvalidGroup.NotFound',
    ],
    ['a VPC', ({ client }) => client.send(new DescribeVpcsCommand({ VpcIds: ['vpc-0'] })), 'InvalidVpcID.NotFound'],
    [
      'a zone',
      ({ client }) => client.send(new DescribeAvailabilityZonesCommand({ ZoneNames: ['us-east-1z'] })),
      'InvalidParameterValue',
    ],
    [
      'a zone by id',
      ({ client }) => client.send(new DescribeAvailabilityZonesCommand({ ZoneIds: ['use1-az9'] })),
      'InvalidParameterValue',
    ],
  ])('%s', async (_, call, name) => {
    await expect(call(await world())).rejects.toMatchObject({ name });
  });
});

describe('subnets are found', () => {
  test.each<[filter: string, value: string, count: number]>([
    ['availability-zone', 'us-east-1a', 2],
    ['availability-zone-id', 'use1-az*', 6],
    ['cidr-block', '192.168.0.0/19', 1],
    ['cidr', '192.168.*', 6],
    ['map-public-ip-on-launch', 'true', 3],
    ['available-ip-address-count', '8187', 5],
    ['default-for-az', 'true', 0],
    ['owner-id', '111122223333', 6],
    ['state', 'available', 6],
    ['tag:kubernetes.io/role/internal-elb', '1', 3],
    ['tag-key', 'kubernetes.io/role/elb', 3],
  ])('by %s %s', async (Name, value, count) => {
    const { client } = await world();
    const { Subnets } = await client.send(new DescribeSubnetsCommand({ Filters: [{ Name, Values: [value] }] }));
    expect(Subnets).toHaveLength(count);
  });

  test('with the addresses that are left', async () => {
    const { client, run, subnet } = await world();
    await run();
    const { Subnets } = await client.send(new DescribeSubnetsCommand({ SubnetIds: [subnet] }));
    expect(Subnets?.map(({ AvailableIpAddressCount }) => AvailableIpAddressCount)).toEqual([8_186]);
  });
});

describe('security groups are found', () => {
  test.each<[filter: string, value: string, count: number]>([
    ['group-name', 'eks-cluster-sg-*', 1],
    ['description', 'Communication*', 1],
    ['owner-id', '111122223333', 2],
    ['vpc-id', 'vpc-*', 2],
  ])('by %s %s', async (Name, value, count) => {
    const { client } = await world();
    const Filters = [{ Name, Values: [value] }];
    expect((await client.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups).toHaveLength(count);
  });
});

test('zones are found by name, by id and by filters', async () => {
  const { client } = await world();
  const names = async (request: object) =>
    (await client.send(new DescribeAvailabilityZonesCommand(request))).AvailabilityZones?.map(
      ({ ZoneName }) => ZoneName,
    );
  expect(await names({ ZoneNames: ['us-east-1b'] })).toEqual(['us-east-1b']);
  expect(await names({ ZoneIds: ['use1-az3'] })).toEqual(['us-east-1c']);
  expect(await names({ Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }] })).toHaveLength(3);
});
