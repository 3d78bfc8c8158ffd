import { anEc2, never, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const call = async (operation: string, input: object = {}): Promise<Answer> => {
    const answer = await account.aws.answer(
      { service: 'ec2', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const createVpc = async (CidrBlock = '10.0.0.0/16') => (await call('CreateVpc', { CidrBlock })).Vpc?.VpcId ?? '';
  const createSubnet = async (VpcId: string, CidrBlock = '10.0.0.0/24', changes: object = {}) =>
    (await call('CreateSubnet', { VpcId, CidrBlock, ...changes })).Subnet?.SubnetId ?? '';
  const defaultGroup = async (id: string) =>
    (await call('DescribeSecurityGroups', { Filters: [{ Name: 'vpc-id', Values: [id] }] })).SecurityGroups?.[0];
  return { ...account, call, createVpc, createSubnet, defaultGroup, own: account.aws.ec2.network.vpcId };
}

type Answer = {
  readonly Vpc?: { readonly VpcId: string; readonly State: string };
  readonly Vpcs?: readonly { readonly VpcId: string; readonly CidrBlock: string }[];
  readonly Subnet?: { readonly SubnetId: string };
  readonly Subnets?: readonly object[];
  readonly SecurityGroups?: readonly { readonly GroupId: string; readonly GroupName: string }[];
  readonly Instances?: readonly { readonly InstanceId: string; readonly VpcId: string }[];
};

test('a VPC is created with its tags and its default group, and goes with both', async () => {
  const { call, createVpc, defaultGroup, own } = await world();
  const Tags = [{ Key: 'Name', Value: 'other' }];
  const made = await call('CreateVpc', {
    CidrBlock: '10.0.3.0/16',
    TagSpecifications: [{ ResourceType: 'vpc', Tags }],
  });
  expect(made.Vpc).toMatchObject({ State: 'pending', CidrBlock: '10.0.0.0/16', Tags });
  const id = made.Vpc?.VpcId ?? '';
  expect((await call('DescribeVpcs')).Vpcs?.map(({ VpcId }) => VpcId)).toEqual([own, id]);
  expect((await call('DescribeVpcs', { Filters: [{ Name: 'tag:Name', Values: ['other'] }] })).Vpcs).toHaveLength(1);
  const group = await defaultGroup(id);
  expect(group?.GroupName).toBe('default');
  await expect(call('DeleteSecurityGroup', { GroupId: group?.GroupId })).rejects.toThrow('CannotDelete');
  await call('DeleteVpc', { VpcId: id });
  expect((await call('DescribeVpcs')).Vpcs).toHaveLength(1);
  await expect(call('DescribeSecurityGroups', { GroupIds: [group?.GroupId] })).rejects.toThrow('InvalidGroup.NotFound');
  expect(await createVpc()).toMatch(/^vpc-/);
});

test('a VPC stays while it has subnets or groups, and the VPC of the cluster stays', async () => {
  const { call, createVpc, createSubnet, own } = await world();
  const VpcId = await createVpc();
  const SubnetId = await createSubnet(VpcId);
  await expect(call('DeleteVpc', { VpcId })).rejects.toThrow('DependencyViolation');
  await call('DeleteSubnet', { SubnetId });
  await call('CreateSecurityGroup', { VpcId, GroupName: 'web', Description: 'web' });
  await expect(call('DeleteVpc', { VpcId })).rejects.toThrow('DependencyViolation');
  await expect(call('DeleteVpc', { VpcId: own })).rejects.toThrow('DependencyViolation');
});

test('attributes of a VPC change one at a time', async () => {
  const { call, createVpc } = await world();
  const VpcId = await createVpc();
  const Attribute = 'enableDnsHostnames';
  expect(await call('DescribeVpcAttribute', { VpcId, Attribute })).toEqual({
    VpcId,
    EnableDnsHostnames: { Value: false },
  });
  await call('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: { Value: true } });
  expect(await call('DescribeVpcAttribute', { VpcId, Attribute })).toMatchObject({
    EnableDnsHostnames: { Value: true },
  });
  await expect(
    call('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: { Value: true }, EnableDnsSupport: { Value: true } }),
  ).rejects.toThrow('InvalidParameterCombination');
});

test('an instance runs in a new subnet, with groups of its VPC only', async () => {
  const { call, createVpc, createSubnet, defaultGroup, aws } = await world();
  const VpcId = await createVpc();
  const SubnetId = await createSubnet(VpcId, '10.0.1.0/28', { AvailabilityZone: 'us-east-1b' });
  const run = (group = '') =>
    call('RunInstances', {
      ImageId: x86.imageId,
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SubnetId,
      SecurityGroupIds: [group],
    });
  await expect(run(aws.ec2.network.securityGroups[0]?.id)).rejects.toThrow('belong to different networks');
  const { Instances } = await run((await defaultGroup(VpcId))?.GroupId);
  expect(Instances).toMatchObject([{ VpcId, SubnetId, Placement: { AvailabilityZone: 'us-east-1b' } }]);
  const { Subnets } = await call('DescribeSubnets', { SubnetIds: [SubnetId] });
  expect(Subnets).toMatchObject([{ AvailableIpAddressCount: 10, VpcId }]);
});

describe('what does not fit is refused', () => {
  test.each<[fact: string, operation: string, input: object, code: string]>([
    ['a VPC that is too large', 'CreateVpc', { CidrBlock: '10.0.0.0/8' }, 'InvalidVpc.Range'],
    ['a VPC of no addresses', 'CreateVpc', { CidrBlock: '10.0.0' }, 'InvalidParameterValue'],
    ['an unknown VPC', 'DeleteVpc', { VpcId: 'vpc-0' }, 'InvalidVpcID.NotFound'],
    ['a subnet outside', 'CreateSubnet', { CidrBlock: '10.0.0.0/24' }, 'InvalidSubnet.Range'],
    ['a subnet that is too small', 'CreateSubnet', { CidrBlock: '192.168.255.0/30' }, 'InvalidSubnet.Range'],
    ['a subnet over another one', 'CreateSubnet', { CidrBlock: '192.168.0.0/24' }, 'InvalidSubnet.Conflict'],
    [
      'a subnet in an unknown zone',
      'CreateSubnet',
      { CidrBlock: '192.168.255.0/24', AvailabilityZone: 'us-east-1z' },
      'InvalidParameterValue',
    ],
  ])('%s', async (_, operation, input, code) => {
    const { call, own } = await world();
    await expect(call(operation, operation === 'CreateSubnet' ? { VpcId: own, ...input } : input)).rejects.toThrow(
      code,
    );
  });

  test('a sixth VPC', async () => {
    const { createVpc } = await world();
    for (let number = 1; number < 5; number += 1) await createVpc(`10.${number}.0.0/16`);
    await expect(createVpc()).rejects.toThrow('VpcLimitExceeded');
  });
});
