import { minutes } from '@nodewright/apis';
import type { NetworkInterface } from '@aws-sdk/client-ec2';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const { call } = ec2Caller(account.aws);
  const SubnetId = account.subnetIn('us-east-1a');
  const launch = async (subnet = SubnetId) => {
    const told = (await call('RunInstances', {
      ImageId: x86.imageId,
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SubnetId: subnet,
    })) as { readonly Instances: readonly { readonly InstanceId: string }[] };
    await account.clock.advance(minutes(1));
    return told.Instances[0]?.InstanceId ?? '';
  };
  const create = async (more: object = {}) => {
    const told = (await call('CreateNetworkInterface', { SubnetId, ...more })) as {
      readonly NetworkInterface: NetworkInterface;
    };
    return told.NetworkInterface;
  };
  const described = async (id: string | undefined) => {
    const told = (await call('DescribeNetworkInterfaces', { NetworkInterfaceIds: [id] })) as {
      readonly NetworkInterfaces: readonly NetworkInterface[];
    };
    return told.NetworkInterfaces[0];
  };
  return { ...account, call, SubnetId, launch, create, described };
}

test('an interface is made with addresses, groups and tags, and found by them', async () => {
  const { aws, call, create, SubnetId } = await world();
  const free = aws.ec2.instances.freeAddresses(SubnetId);
  const Groups = [aws.ec2.network.securityGroups[0]?.id ?? ''];
  const TagSpecifications = [{ ResourceType: 'network-interface', Tags: [{ Key: 'team', Value: 'red' }] }];
  const made = await create({ Groups, Description: 'mine', SecondaryPrivateIpAddressCount: 2, TagSpecifications });
  expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free - 3);
  expect(
    await call('DescribeNetworkInterfaces', {
      Filters: [
        { Name: 'tag:team', Values: ['red'] },
        { Name: 'status', Values: ['available'] },
      ],
    }),
  ).toMatchObject({
    NetworkInterfaces: [
      {
        NetworkInterfaceId: made.NetworkInterfaceId,
        Description: 'mine',
        AvailabilityZone: 'us-east-1a',
        Groups: [{ GroupId: Groups[0] }],
        PrivateIpAddresses: [{ Primary: true }, { Primary: false }, { Primary: false }],
        SourceDestCheck: true,
        TagSet: [{ Key: 'team', Value: 'red' }],
      },
    ],
  });
  await call('DeleteNetworkInterface', { NetworkInterfaceId: made.NetworkInterfaceId });
  expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free);
});

test('an attached interface is one of its instance, and leaves it', async () => {
  const { call, create, described, launch } = await world();
  const InstanceId = await launch();
  const { NetworkInterfaceId } = await create();
  await call('DescribeInstances', { InstanceIds: [InstanceId] });
  const attached = await call('AttachNetworkInterface', { NetworkInterfaceId, InstanceId, DeviceIndex: 1 });
  expect(await described(NetworkInterfaceId)).toMatchObject({
    Status: 'in-use',
    Attachment: { ...(attached as object), InstanceId, DeviceIndex: 1, DeleteOnTermination: false },
  });
  expect(await call('DescribeInstances', { InstanceIds: [InstanceId] })).toMatchObject({
    Reservations: [{ Instances: [{ NetworkInterfaces: [{}, { NetworkInterfaceId, Status: 'in-use' }] }] }],
  });
  await call('DetachNetworkInterface', attached as object);
  expect((await described(NetworkInterfaceId))?.Attachment).toBeUndefined();
});

test('the end of an instance frees its interfaces, or takes those that end with it', async () => {
  const { aws, call, clock, create, described, launch, SubnetId } = await world();
  const InstanceId = await launch();
  const [stays, goes] = [await create(), await create()];
  const free = aws.ec2.instances.freeAddresses(SubnetId);
  await call('AttachNetworkInterface', { ...stays, InstanceId, DeviceIndex: 1 });
  const attachment = (await call('AttachNetworkInterface', { ...goes, InstanceId, DeviceIndex: 2 })) as object;
  await call('ModifyNetworkInterfaceAttribute', {
    NetworkInterfaceId: goes.NetworkInterfaceId,
    Attachment: { ...attachment, DeleteOnTermination: true },
  });
  await call('TerminateInstances', { InstanceIds: [InstanceId] });
  await clock.advance(minutes(5));
  expect(await described(stays.NetworkInterfaceId)).toMatchObject({ Status: 'available' });
  expect(await call('DescribeNetworkInterfaces', { NetworkInterfaceIds: [goes.NetworkInterfaceId] })).toBe(
    'InvalidNetworkInterfaceID.NotFound',
  );
  expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free + 2);
});

test('an interface of a launch stays after its instance if it is not to end with it', async () => {
  const { aws, call, clock, described, SubnetId } = await world();
  const free = aws.ec2.instances.freeAddresses(SubnetId);
  const NetworkInterfaces = [{ DeviceIndex: 0, SubnetId, DeleteOnTermination: false, Description: 'kept' }];
  const one = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, NetworkInterfaces };
  await call('RunInstances', one);
  const [instance] = aws.ec2.instances.all();
  await clock.advance(minutes(1));
  await call('TerminateInstances', { InstanceIds: [instance?.id] });
  await clock.advance(minutes(5));
  expect(await described(instance?.networkInterfaceId)).toMatchObject({
    Status: 'available',
    Description: 'kept',
    PrivateIpAddress: instance?.privateIp,
  });
  expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free - 1);
  await call('DeleteNetworkInterface', { NetworkInterfaceId: instance?.networkInterfaceId });
  expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free);
});

test('attributes of an interface are changed and told one by one', async () => {
  const { aws, call, create } = await world();
  const { NetworkInterfaceId } = await create();
  const [first] = aws.ec2.network.securityGroups;
  await call('ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, Description: { Value: 'new' } });
  await call('ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, SourceDestCheck: { Value: false } });
  await call('ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, Groups: [first?.id] });
  const tell = (Attribute: string) => call('DescribeNetworkInterfaceAttribute', { NetworkInterfaceId, Attribute });
  expect(await tell('description')).toEqual({ NetworkInterfaceId, Description: { Value: 'new' } });
  expect(await tell('sourceDestCheck')).toEqual({ NetworkInterfaceId, SourceDestCheck: { Value: false } });
  expect(await tell('groupSet')).toMatchObject({ Groups: [{ GroupId: first?.id }] });
  expect(await tell('attachment')).toEqual({ NetworkInterfaceId });
});

test('the primary interface of an instance takes other groups', async () => {
  const { aws, call, described, launch } = await world();
  const instance = aws.ec2.instances.get(await launch());
  const NetworkInterfaceId = instance?.networkInterfaceId;
  const Groups = [aws.ec2.network.securityGroups[1]?.id];
  await call('ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, Groups });
  expect(await described(NetworkInterfaceId)).toMatchObject({ Groups: [{ GroupId: Groups[0] }] });
});

test('secondary addresses come and go', async () => {
  const { call, create, described } = await world();
  const { NetworkInterfaceId, PrivateIpAddress } = await create();
  const { AssignedPrivateIpAddresses: [added] = [] } = (await call('AssignPrivateIpAddresses', {
    NetworkInterfaceId,
    SecondaryPrivateIpAddressCount: 1,
  })) as { readonly AssignedPrivateIpAddresses?: readonly { readonly PrivateIpAddress: string }[] };
  const PrivateIpAddresses = [added?.PrivateIpAddress];
  expect(await described(NetworkInterfaceId)).toMatchObject({ PrivateIpAddresses: [{ PrivateIpAddress }, added] });
  expect(await call('AssignPrivateIpAddresses', { NetworkInterfaceId, PrivateIpAddresses })).toBe(
    'InvalidParameterValue',
  );
  await call('UnassignPrivateIpAddresses', { NetworkInterfaceId, PrivateIpAddresses });
  expect((await described(NetworkInterfaceId))?.PrivateIpAddresses).toHaveLength(1);
  expect(await call('UnassignPrivateIpAddresses', { NetworkInterfaceId, PrivateIpAddresses: [PrivateIpAddress] })).toBe(
    'InvalidParameterValue',
  );
});

describe('what EC2 refuses', () => {
  test('an address of another subnet, and one that is taken', async () => {
    const { call, create, SubnetId } = await world();
    const { PrivateIpAddress } = await create();
    for (const address of [PrivateIpAddress, '10.1.2.3', 'x'])
      expect(await call('CreateNetworkInterface', { SubnetId, PrivateIpAddress: address })).toBe(
        'InvalidParameterValue',
      );
  });

  test('an attachment where an interface is, in another zone, or beyond the limit of the type', async () => {
    const { call, create, launch, subnetIn } = await world();
    const InstanceId = await launch();
    const made = await create();
    const at = (DeviceIndex: number, more: object = {}) => ({ ...made, InstanceId, DeviceIndex, ...more });
    expect(await call('AttachNetworkInterface', at(0))).toBe('InvalidParameterValue');
    const far = await create({ SubnetId: subnetIn('us-east-1b') });
    expect(await call('AttachNetworkInterface', at(1, far))).toBe('InvalidParameterCombination');
    await call('AttachNetworkInterface', at(1));
    expect(await call('AttachNetworkInterface', at(2))).toBe('InvalidNetworkInterface.InUse');
    expect(await call('DeleteNetworkInterface', made)).toBe('InvalidParameterValue');
    await call('AttachNetworkInterface', at(2, await create()));
    expect(await call('AttachNetworkInterface', at(3, await create()))).toBe('AttachmentLimitExceeded');
  });

  test('to part an instance from its primary interface', async () => {
    const { aws, call, described, launch } = await world();
    const instance = aws.ec2.instances.get(await launch());
    const { Attachment } = (await described(instance?.networkInterfaceId)) ?? {};
    expect(await call('DetachNetworkInterface', { AttachmentId: Attachment?.AttachmentId })).toBe(
      'OperationNotPermitted',
    );
    expect(await call('DetachNetworkInterface', { AttachmentId: 'eni-attach-1' })).toBe('InvalidAttachmentID.NotFound');
    expect(await call('DeleteNetworkInterface', { NetworkInterfaceId: instance?.networkInterfaceId })).toBe(
      'InvalidParameterValue',
    );
  });

  test('the end of a subnet and of a group that an interface has', async () => {
    const { aws, call, create, subnetIn } = await world();
    const SubnetId = subnetIn('us-east-1c');
    const GroupId = aws.ec2.network.securityGroups[0]?.id;
    await create({ SubnetId, Groups: [GroupId] });
    expect(await call('DeleteSubnet', { SubnetId })).toBe('DependencyViolation');
    expect(await call('DeleteSecurityGroup', { GroupId })).toBe('DependencyViolation');
  });
});

test('no VPC is peered', async () => {
  const { call } = await world();
  expect(await call('DescribeVpcPeeringConnections')).toEqual({ VpcPeeringConnections: [] });
  expect(await call('DescribeVpcPeeringConnections', { VpcPeeringConnectionIds: ['pcx-1'] })).toBe(
    'InvalidVpcPeeringConnectionID.NotFound',
  );
});
