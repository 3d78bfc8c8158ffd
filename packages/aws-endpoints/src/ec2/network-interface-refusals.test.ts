import type { NetworkInterface } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
/** The subnet in us-east-1a, an interface of its own, and an instance with its primary interface. */
let SubnetId: string, own: NetworkInterface, InstanceId: string, primary: string;

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  SubnetId = account.subnetIn('us-east-1a');
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, SubnetId };
  await call('RunInstances', launch);
  await account.clock.advance(minutes(1));
  const [instance] = account.aws.ec2.instances.all();
  [InstanceId, primary] = [instance?.id ?? '', instance?.networkInterfaceId ?? ''];
  own = await create();
});

async function create(more: object = {}): Promise<NetworkInterface> {
  const told = (await call('CreateNetworkInterface', { SubnetId, ...more })) as { NetworkInterface: NetworkInterface };
  return told.NetworkInterface;
}

const free = () => account.aws.ec2.instances.freeAddresses(SubnetId);

/** An address of the subnet by its place in it, the last one for -1. */
function addressAt(offset: number): string {
  const cidr = account.aws.ec2.network.subnets.find(({ id }) => id === SubnetId)?.cidr;
  if (cidr === undefined) throw new Error('the subnet has no block');
  const number = cidr.base + (offset < 0 ? 2 ** (32 - cidr.bits) + offset : offset);
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
}

/** Every interface and how many addresses are free: the same before and after what is refused. */
const readState = async () => [await call('DescribeNetworkInterfaces'), free()];

describe('an address of an interface', () => {
  test.each([0, 1, 2, 3, -1])('is none that AWS keeps: number %i of the subnet', async (offset) => {
    const PrivateIpAddress = addressAt(offset);
    expect(await refusalOf('CreateNetworkInterface', { SubnetId, PrivateIpAddress })).toBe(
      `InvalidParameterValue: Address ${PrivateIpAddress} is in subnet's reserved address range`,
    );
  });

  test.each([5, -2])('may be number %i of the subnet', async (offset) => {
    expect(await create({ PrivateIpAddress: addressAt(offset) })).toMatchObject({
      PrivateIpAddress: addressAt(offset),
    });
  });

  test('is none that a NAT gateway has, and a NAT gateway has none that an interface has', async () => {
    const ofGateway = addressAt(40);
    const gateway = { SubnetId, ConnectivityType: 'private', PrivateIpAddress: ofGateway };
    expect(await call('CreateNatGateway', gateway)).toMatchObject({ NatGateway: { SubnetId } });
    const before = await readState();
    for (const [operation, request] of [
      ['CreateNetworkInterface', { SubnetId, PrivateIpAddress: ofGateway }],
      ['CreateNatGateway', { SubnetId, ConnectivityType: 'private', PrivateIpAddress: own.PrivateIpAddress }],
      ['CreateNatGateway', { SubnetId, ConnectivityType: 'private', PrivateIpAddress: '192.0.2.9' }],
    ] as const)
      expect(await call(operation, request)).toBe('InvalidParameterValue');
    expect(await readState()).toEqual(before);
  });

  test('is asked for once', async () => {
    const address = addressAt(9);
    const before = await readState();
    const PrivateIpAddresses = [{ PrivateIpAddress: address }, { PrivateIpAddress: address }];
    const twice = `InvalidParameterValue: Address ${address} is specified more than once.`;
    expect(await refusalOf('CreateNetworkInterface', { SubnetId, PrivateIpAddresses })).toBe(twice);
    const { NetworkInterfaceId } = own;
    const assigned = { NetworkInterfaceId, PrivateIpAddresses: [address, address] };
    expect(await refusalOf('AssignPrivateIpAddresses', assigned)).toBe(twice);
    expect(await readState()).toEqual(before);
  });

  test('is free again after its interface is gone, for another one', async () => {
    const { NetworkInterfaceId, PrivateIpAddress } = own;
    await call('DeleteNetworkInterface', { NetworkInterfaceId });
    expect(await create({ PrivateIpAddress })).toMatchObject({ PrivateIpAddress });
  });

  test('is the primary one that is marked, whatever its place in the list', async () => {
    const [first, second] = [addressAt(20), addressAt(21)];
    const PrivateIpAddresses = [{ PrivateIpAddress: first }, { PrivateIpAddress: second, Primary: true }];
    expect(await create({ PrivateIpAddresses })).toMatchObject({
      PrivateIpAddress: second,
      PrivateIpAddresses: [
        { PrivateIpAddress: second, Primary: true },
        { PrivateIpAddress: first, Primary: false },
      ],
    });
  });

  test('more than the subnet has are all refused, and none is taken', async () => {
    const before = await readState();
    const more = { SecondaryPrivateIpAddressCount: free() };
    expect(await call('CreateNetworkInterface', { SubnetId, ...more })).toBe('InsufficientFreeAddressesInSubnet');
    const { NetworkInterfaceId } = own;
    const assigned = { NetworkInterfaceId, SecondaryPrivateIpAddressCount: free() + 1 };
    expect(await call('AssignPrivateIpAddresses', assigned)).toBe('InsufficientFreeAddressesInSubnet');
    expect(await readState()).toEqual(before);
  });

  test.each([
    ['neither addresses nor a number of them', {}, 'InvalidParameterValue'],
    ['both', { SecondaryPrivateIpAddressCount: 1, PrivateIpAddresses: ['10.0.0.9'] }, 'InvalidParameterValue'],
    [
      'an interface that there is not',
      { NetworkInterfaceId: 'eni-0123456789abcdef0' },
      'InvalidNetworkInterfaceID.NotFound',
    ],
  ])('is not assigned by a request with %s', async (_, more, code) => {
    const request = { NetworkInterfaceId: own.NetworkInterfaceId, ...more };
    expect(await call('AssignPrivateIpAddresses', request)).toBe(code);
  });

  test('of a list with one that the interface has not, none is taken away', async () => {
    const { NetworkInterfaceId } = own;
    const [held, foreign] = [addressAt(30), addressAt(31)];
    await call('AssignPrivateIpAddresses', { NetworkInterfaceId, PrivateIpAddresses: [held] });
    const before = await readState();
    const request = { NetworkInterfaceId, PrivateIpAddresses: [held, foreign] };
    expect(await call('UnassignPrivateIpAddresses', request)).toBe('InvalidParameterValue');
    expect(await readState()).toEqual(before);
  });

  test('the interfaces of a launch get no further ones here', async () => {
    const request = { NetworkInterfaceId: primary, SecondaryPrivateIpAddressCount: 1 };
    expect(await refusalOf('AssignPrivateIpAddresses', request)).toMatch(/^UnsupportedOperation: The sandbox assigns/);
  });
});

describe('an interface is not made', () => {
  test.each<readonly [string, () => object, string]>([
    ['in no subnet', () => ({ SubnetId: undefined }), 'MissingParameter'],
    ['in a subnet that there is not', () => ({ SubnetId: 'subnet-0123456789abcdef0' }), 'InvalidSubnetID.NotFound'],
    ['of a type that there is not', () => ({ InterfaceType: 'trunk' }), 'InvalidParameterValue'],
    ['in a group that there is not', () => ({ Groups: ['sg-0123456789abcdef0'] }), 'InvalidGroup.NotFound'],
  ])('%s', async (_, more, code) => {
    const before = await readState();
    expect(await call('CreateNetworkInterface', { SubnetId, ...more() })).toBe(code);
    expect(await readState()).toEqual(before);
  });

  test('in a group of another VPC', async () => {
    const { Vpc } = (await call('CreateVpc', { CidrBlock: '10.9.0.0/16' })) as { readonly Vpc: { VpcId: string } };
    const group = { GroupName: 'far', Description: 'far', VpcId: Vpc.VpcId };
    const { GroupId } = (await call('CreateSecurityGroup', group)) as { readonly GroupId: string };
    expect(await call('CreateNetworkInterface', { SubnetId, Groups: [GroupId] })).toBe('InvalidGroup.NotFound');
  });

  test('twice for the same token', async () => {
    const ClientToken = 'once';
    const [first, again] = [await create({ ClientToken }), await create({ ClientToken })];
    expect(again.NetworkInterfaceId).toBe(first.NetworkInterfaceId);
    const other = { SubnetId, ClientToken, Description: 'other' };
    expect(await call('CreateNetworkInterface', other)).toBe('IdempotentParameterMismatch');
  });

  test.each(['efa', 'efa-only'])('as anything else than the %s that is asked for', async (InterfaceType) => {
    expect(await create({ InterfaceType })).toMatchObject({ InterfaceType });
  });
});

describe('a dry run and a refusal change nothing', () => {
  const at = (DeviceIndex: number) => ({ NetworkInterfaceId: own.NetworkInterfaceId, InstanceId, DeviceIndex });

  test.each<readonly [operation: string, fact: string, request: () => object, answer: string]>([
    ['CreateNetworkInterface', 'a dry run', () => ({ SubnetId, DryRun: true }), 'DryRunOperation'],
    ['DeleteNetworkInterface', 'a dry run', () => ({ ...own, DryRun: true }), 'DryRunOperation'],
    ['DeleteNetworkInterface', 'no interface', () => ({}), 'MissingParameter'],
    [
      'DeleteNetworkInterface',
      'one that there is not',
      () => ({ NetworkInterfaceId: 'eni-0123456789abcdef0' }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
    ['AttachNetworkInterface', 'a dry run', () => ({ ...at(1), DryRun: true }), 'DryRunOperation'],
    ['AttachNetworkInterface', 'no interface', () => ({ InstanceId, DeviceIndex: 1 }), 'MissingParameter'],
    ['AttachNetworkInterface', 'no instance', () => ({ ...at(1), InstanceId: undefined }), 'MissingParameter'],
    ['AttachNetworkInterface', 'no place', () => ({ ...at(1), DeviceIndex: undefined }), 'MissingParameter'],
    [
      'AttachNetworkInterface',
      'an instance that there is not',
      () => ({ ...at(1), InstanceId: 'i-0123456789abcdef0' }),
      'InvalidInstanceID.NotFound',
    ],
    [
      'AttachNetworkInterface',
      'an interface in use',
      () => ({ ...at(1), NetworkInterfaceId: primary }),
      'InvalidNetworkInterface.InUse',
    ],
    ['DetachNetworkInterface', 'no attachment', () => ({}), 'MissingParameter'],
    [
      'ModifyNetworkInterfaceAttribute',
      'a dry run',
      () => ({ ...own, Groups: undefined, Description: { Value: 'x' }, DryRun: true }),
      'DryRunOperation',
    ],
    ['ModifyNetworkInterfaceAttribute', 'no interface', () => ({ Description: { Value: 'x' } }), 'MissingParameter'],
    [
      'ModifyNetworkInterfaceAttribute',
      'one that there is not',
      () => ({ NetworkInterfaceId: 'eni-0123456789abcdef0', Description: { Value: 'x' } }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
    [
      'ModifyNetworkInterfaceAttribute',
      'an attachment that it has not, beside a good change',
      () => ({
        NetworkInterfaceId: own.NetworkInterfaceId,
        Description: { Value: 'x' },
        Attachment: { AttachmentId: 'eni-attach-0123456789abcdef0', DeleteOnTermination: true },
      }),
      'InvalidAttachmentID.NotFound',
    ],
    [
      'ModifyNetworkInterfaceAttribute',
      'the same in a dry run',
      () => ({
        NetworkInterfaceId: own.NetworkInterfaceId,
        Attachment: { AttachmentId: 'eni-attach-0123456789abcdef0', DeleteOnTermination: true },
        DryRun: true,
      }),
      'InvalidAttachmentID.NotFound',
    ],
    [
      'ModifyNetworkInterfaceAttribute',
      'a description of a primary one, also in a dry run',
      () => ({ NetworkInterfaceId: primary, Description: { Value: 'x' }, DryRun: true }),
      'UnsupportedOperation',
    ],
    [
      'ModifyNetworkInterfaceAttribute',
      'a group that there is not, beside a good change',
      () => ({
        NetworkInterfaceId: own.NetworkInterfaceId,
        SourceDestCheck: { Value: false },
        Groups: ['sg-0123456789abcdef0'],
      }),
      'InvalidGroup.NotFound',
    ],
    ['DescribeNetworkInterfaceAttribute', 'no attribute', () => ({ NetworkInterfaceId: primary }), 'MissingParameter'],
    [
      'DescribeNetworkInterfaceAttribute',
      'an attribute that there is not',
      () => ({ NetworkInterfaceId: primary, Attribute: 'colour' }),
      'InvalidParameterValue',
    ],
    [
      'DescribeNetworkInterfaceAttribute',
      'an interface that there is not',
      () => ({ NetworkInterfaceId: 'eni-0123456789abcdef0', Attribute: 'description' }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
  ])('%s with %s', async (operation, _, request, answer) => {
    const before = await readState();
    expect(await call(operation, request())).toBe(answer);
    expect(await readState()).toEqual(before);
  });

  test('DetachNetworkInterface in a dry run', async () => {
    const { AttachmentId } = (await call('AttachNetworkInterface', at(1))) as { readonly AttachmentId: string };
    const before = await readState();
    expect(await call('DetachNetworkInterface', { AttachmentId, DryRun: true })).toBe('DryRunOperation');
    expect(await readState()).toEqual(before);
  });

  test('AttachNetworkInterface to an instance that has ended', async () => {
    await call('TerminateInstances', { InstanceIds: [InstanceId] });
    expect(await call('AttachNetworkInterface', at(1))).toBe('IncorrectState');
  });
});

test('an attachment is told by its attribute, and ends with the instance once that is asked for', async () => {
  const { NetworkInterfaceId } = own;
  const { AttachmentId } = (await call('AttachNetworkInterface', {
    NetworkInterfaceId,
    InstanceId,
    DeviceIndex: 1,
  })) as {
    readonly AttachmentId: string;
  };
  const tell = () => call('DescribeNetworkInterfaceAttribute', { NetworkInterfaceId, Attribute: 'attachment' });
  expect(await tell()).toMatchObject({ Attachment: { AttachmentId, InstanceId, DeleteOnTermination: false } });
  const Attachment = { AttachmentId, DeleteOnTermination: true };
  await call('ModifyNetworkInterfaceAttribute', { NetworkInterfaceId, Attachment });
  expect(await tell()).toMatchObject({ Attachment });
});
