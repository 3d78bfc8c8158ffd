import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
/** Two instances and an elastic address that nothing has. */
let first: { readonly id: string; readonly eni: string; readonly privateIp: string };
let second: typeof first;
let allocation: { readonly AllocationId: string; readonly PublicIp: string };

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 2, MaxCount: 2 });
  await account.clock.advance(minutes(2));
  const [one, two] = account.aws.ec2.instances
    .all()
    .map(({ id, networkInterfaceId: eni, privateIp }) => ({ id, eni, privateIp }));
  if (one === undefined || two === undefined) throw new Error('two instances were launched');
  [first, second] = [one, two];
  allocation = (await call('AllocateAddress')) as typeof allocation;
});

type Association = { readonly AssociationId: string };
const associate = async (input: object): Promise<string> =>
  ((await call('AssociateAddress', input)) as Association).AssociationId;

async function holderOf(AllocationId: string): Promise<string | undefined> {
  const { Addresses } = (await call('DescribeAddresses', { AllocationIds: [AllocationId] })) as {
    Addresses: { InstanceId?: string }[];
  };
  return Addresses[0]?.InstanceId;
}

describe('an elastic address', () => {
  test.each<[by: string, input: () => object]>([
    ['ids', () => ({ AllocationId: allocation.AllocationId, InstanceId: first.id })],
    ['the address and the instance', () => ({ PublicIp: allocation.PublicIp, InstanceId: first.id })],
    ['the interface', () => ({ AllocationId: allocation.AllocationId, NetworkInterfaceId: first.eni })],
    [
      'the interface and its private address',
      () => ({
        AllocationId: allocation.AllocationId,
        NetworkInterfaceId: first.eni,
        PrivateIpAddress: first.privateIp,
      }),
    ],
  ])('is given to an instance by %s', async (_, input) => {
    expect(await call('AssociateAddress', { ...input(), DryRun: true })).toBe('DryRunOperation');
    expect(await holderOf(allocation.AllocationId)).toBeUndefined();
    const id = await associate(input());
    expect(id).toMatch(/^eipassoc-0[0-9a-f]{16}$/);
    const { Addresses } = (await call('DescribeAddresses', { PublicIps: [allocation.PublicIp] })) as {
      Addresses: object[];
    };
    expect(Addresses).toMatchObject([
      { AssociationId: id, InstanceId: first.id, NetworkInterfaceId: first.eni, PrivateIpAddress: first.privateIp },
    ]);
    const filtered = { Filters: [{ Name: 'instance-id', Values: [first.id] }] };
    expect(await call('DescribeAddresses', filtered)).toMatchObject({ Addresses: [allocation] });
  });

  test('is the public address of its instance while it has it', async () => {
    await associate({ AllocationId: allocation.AllocationId, InstanceId: first.id });
    const read = async () =>
      (
        (await call('DescribeInstances', { InstanceIds: [first.id] })) as {
          Reservations: { Instances: { PublicIpAddress?: string }[] }[];
        }
      ).Reservations[0]?.Instances[0]?.PublicIpAddress;
    expect(await read()).toBe(allocation.PublicIp);
    await call('DisassociateAddress', { PublicIp: allocation.PublicIp });
    expect(await read()).not.toBe(allocation.PublicIp);
  });

  test('stays where it is for a second call of the same instance', async () => {
    const input = { AllocationId: allocation.AllocationId, InstanceId: first.id };
    const id = await associate(input);
    expect(await associate(input)).toBe(id);
    expect(await associate({ ...input, AllowReassociation: false })).toBe(id);
  });

  test('moves to another instance unless the call forbids it', async () => {
    const { AllocationId } = allocation;
    await associate({ AllocationId, InstanceId: first.id });
    expect(await call('AssociateAddress', { AllocationId, InstanceId: second.id, AllowReassociation: false })).toBe(
      'Resource.AlreadyAssociated',
    );
    expect(await holderOf(AllocationId)).toBe(first.id);
    await associate({ AllocationId, InstanceId: second.id });
    expect(await holderOf(AllocationId)).toBe(second.id);
  });

  test('takes the place of the one that the instance has', async () => {
    const other = (await call('AllocateAddress')) as typeof allocation;
    await associate({ AllocationId: allocation.AllocationId, InstanceId: first.id });
    await associate({ AllocationId: other.AllocationId, InstanceId: first.id });
    expect(await holderOf(allocation.AllocationId)).toBeUndefined();
    expect(await holderOf(other.AllocationId)).toBe(first.id);
  });

  test.each<[by: string, input: (associationId: string) => object]>([
    ['its association', (AssociationId) => ({ AssociationId })],
    ['itself', () => ({ PublicIp: allocation.PublicIp })],
  ])('is taken from its instance by %s, once', async (_, input) => {
    const id = await associate({ AllocationId: allocation.AllocationId, InstanceId: first.id });
    expect(await call('DisassociateAddress', { ...input(id), DryRun: true })).toBe('DryRunOperation');
    expect(await holderOf(allocation.AllocationId)).toBe(first.id);
    expect(await call('DisassociateAddress', input(id))).toEqual({});
    expect(await holderOf(allocation.AllocationId)).toBeUndefined();
    expect(await call('DisassociateAddress', input(id))).toMatch(/^Invalid(?:Address|AssociationID)\.NotFound$/);
  });

  test('is released when no instance has it, and comes back from one that ends', async () => {
    const { AllocationId } = allocation;
    await associate({ AllocationId, InstanceId: first.id });
    expect(await call('ReleaseAddress', { AllocationId })).toBe('InvalidIPAddress.InUse');
    await call('TerminateInstances', { InstanceIds: [first.id] });
    await account.clock.advance(minutes(5));
    expect(await holderOf(AllocationId)).toBeUndefined();
    expect(await call('ReleaseAddress', { AllocationId, DryRun: true })).toBe('DryRunOperation');
    expect(await call('ReleaseAddress', { AllocationId })).toEqual({});
    expect(await call('ReleaseAddress', { AllocationId })).toBe('InvalidAllocationID.NotFound');
  });

  test('of a NAT gateway is not for instances', async () => {
    const { Addresses } = (await call('DescribeAddresses')) as { Addresses: (Association & typeof allocation)[] };
    const ofGateway = Addresses.find(({ AssociationId }) => AssociationId !== undefined);
    const input = { AllocationId: ofGateway?.AllocationId, InstanceId: first.id };
    expect(await call('AssociateAddress', input)).toBe('Resource.AlreadyAssociated');
    expect(await call('ReleaseAddress', { AllocationId: ofGateway?.AllocationId })).toBe('InvalidIPAddress.InUse');
  });
});

describe('an elastic address is refused', () => {
  test.each<[fact: string, input: () => object, code: string]>([
    ['that nobody named', () => ({ InstanceId: first.id }), 'MissingParameter'],
    ['for nobody', () => ({ AllocationId: allocation.AllocationId }), 'MissingParameter'],
    ['that there is not', () => ({ PublicIp: '52.72.1.1', InstanceId: first.id }), 'InvalidAddress.NotFound'],
    [
      'of an allocation that there is not',
      () => ({ AllocationId: 'eipalloc-0a', InstanceId: first.id }),
      'InvalidAllocationID.NotFound',
    ],
    [
      'for an instance that there is not',
      () => ({ AllocationId: allocation.AllocationId, InstanceId: 'i-0a' }),
      'InvalidInstanceID.NotFound',
    ],
    [
      'for an interface that there is not',
      () => ({ AllocationId: allocation.AllocationId, NetworkInterfaceId: 'eni-0a' }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
    [
      'for the interface of another instance',
      () => ({ AllocationId: allocation.AllocationId, InstanceId: second.id, NetworkInterfaceId: first.eni }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
    [
      'for a private address that the interface does not have',
      () => ({ AllocationId: allocation.AllocationId, InstanceId: first.id, PrivateIpAddress: second.privateIp }),
      'InvalidParameterValue',
    ],
  ])('%s', async (_, input, code) => {
    expect(await call('AssociateAddress', input())).toBe(code);
    expect(await holderOf(allocation.AllocationId)).toBeUndefined();
  });

  test('for an instance that ends', async () => {
    await call('TerminateInstances', { InstanceIds: [first.id] });
    expect(await refusalOf('AssociateAddress', { PublicIp: allocation.PublicIp, InstanceId: first.id })).toBe(
      `IncorrectInstanceState: The shutting-down instance '${first.id}' is not in a valid state for this operation.`,
    );
  });

  test.each<[fact: string, input: () => object, code: string]>([
    ['that nobody named', () => ({}), 'MissingParameter'],
    ['that nothing has', () => ({ PublicIp: allocation.PublicIp }), 'InvalidAddress.NotFound'],
    ['of an association that there is not', () => ({ AssociationId: 'eipassoc-0a' }), 'InvalidAssociationID.NotFound'],
  ])('by a disassociation %s', async (_, input, code) => {
    expect(await call('DisassociateAddress', input())).toBe(code);
  });
});
