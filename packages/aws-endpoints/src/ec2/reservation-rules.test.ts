import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

const wanted = {
  InstanceType: 'm5.large',
  InstancePlatform: 'Linux/UNIX',
  InstanceCount: 4,
  AvailabilityZone: 'us-east-1b',
};
type Reservation = { readonly CapacityReservationId: string } & Readonly<Record<string, unknown>>;

async function reserve(more: object = {}): Promise<Reservation> {
  const answer = await call('CreateCapacityReservation', { ...wanted, ...more });
  if (typeof answer === 'string') throw new Error(answer);
  return (answer as { CapacityReservation: Reservation }).CapacityReservation;
}
async function look(input: object = {}): Promise<readonly Reservation[]> {
  const answer = await call('DescribeCapacityReservations', input);
  return (answer as { CapacityReservations: Reservation[] }).CapacityReservations;
}
const launch = (CapacityReservationId: string, count = 1) =>
  call('RunInstances', {
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    MinCount: count,
    MaxCount: count,
    SubnetId: account.subnetIn('us-east-1b'),
    CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId } },
  });

describe('a capacity reservation', () => {
  test.each<[place: string, input: object]>([
    ['the name of its zone', { AvailabilityZone: 'us-east-1c' }],
    ['the id of its zone', { AvailabilityZone: undefined, AvailabilityZoneId: 'use1-az3' }],
  ])('is made by %s, also where the account has no subnet', async (_, input) => {
    const { network } = account.aws.ec2;
    network.subnets = network.subnets.filter(({ zone }) => zone !== 'us-east-1c');
    expect(await reserve(input)).toMatchObject({ AvailabilityZone: 'us-east-1c', AvailabilityZoneId: 'use1-az3' });
  });

  test('is made once for a token', async () => {
    const { CapacityReservationId } = await reserve({ ClientToken: 'once' });
    expect((await reserve({ ClientToken: 'once' })).CapacityReservationId).toBe(CapacityReservationId);
    expect(await call('CreateCapacityReservation', { ...wanted, InstanceCount: 9, ClientToken: 'once' })).toBe(
      'IdempotentParameterMismatch',
    );
    expect(await look()).toHaveLength(1);
  });

  test('has an end that can be set, moved and taken away', async () => {
    const { CapacityReservationId } = await reserve();
    const change = (more: object) => call('ModifyCapacityReservation', { CapacityReservationId, ...more });
    const ends = [new Date('2024-03-01T00:00:00Z'), new Date('2024-04-01T00:00:00Z')];
    for (const EndDate of ends) {
      expect(await change({ EndDate, EndDateType: 'limited' })).toEqual({ Return: true });
      expect(await look()).toMatchObject([{ EndDateType: 'limited', EndDate }]);
    }
    await change({ InstanceCount: 5 });
    expect(await look()).toMatchObject([{ EndDate: ends[1], TotalInstanceCount: 5 }]);
    await change({ EndDateType: 'unlimited' });
    expect(await look()).toMatchObject([{ EndDateType: 'unlimited' }]);
    expect((await look())[0]).not.toHaveProperty('EndDate');
  });

  test('that is cancelled holds nothing, changes no more, and may be cancelled again', async () => {
    const { CapacityReservationId } = await reserve();
    const cancel = () => call('CancelCapacityReservation', { CapacityReservationId });
    expect(await cancel()).toEqual({ Return: true });
    expect(await look()).toMatchObject([{ State: 'cancelled', TotalInstanceCount: 0, AvailableInstanceCount: 0 }]);
    expect(await cancel()).toEqual({ Return: true });
    expect(await call('ModifyCapacityReservation', { CapacityReservationId, InstanceCount: 1 })).toBe(
      'InvalidCapacityReservationState',
    );
    expect(await launch(CapacityReservationId)).toMatch(/CapacityReservation|Reservation/);
  });

  test.each<[filter: string, value: string, found: number]>([
    ['instance-type', 'm5.*', 2],
    ['availability-zone', 'us-east-1b', 1],
    ['availability-zone-id', 'use1-az1', 1],
    ['end-date-type', 'limited', 1],
    ['tenancy', 'default', 2],
    ['instance-platform', 'Linux/UNIX', 2],
    ['state', 'expired', 0],
    ['end-date', '2024-03-01*', 1],
  ])('is found by %s %s', async (Name, value, found) => {
    await reserve();
    await reserve({
      AvailabilityZone: 'us-east-1a',
      EndDate: new Date('2024-03-01T00:00:00Z'),
      EndDateType: 'limited',
    });
    expect(await look({ Filters: [{ Name, Values: [value] }] })).toHaveLength(found);
  });

  test('is listed in pages, which go with no ids', async () => {
    for (let made = 0; made < 3; made += 1) await reserve();
    const all = await look();
    const first = (await call('DescribeCapacityReservations', { MaxResults: 2 })) as {
      CapacityReservations: object[];
      NextToken: string;
    };
    expect([...first.CapacityReservations, ...(await look({ NextToken: first.NextToken }))]).toEqual(all);
    const input = { CapacityReservationIds: [all[0]?.CapacityReservationId], MaxResults: 2 };
    expect(await call('DescribeCapacityReservations', input)).toBe('InvalidParameterCombination');
  });
});

describe('interruptible capacity', () => {
  const lend = (CapacityReservationId: string, InstanceCount: number, more: object = {}) =>
    call('CreateInterruptibleCapacityReservationAllocation', { CapacityReservationId, InstanceCount, ...more });
  const setTarget = (CapacityReservationId: string, TargetInstanceCount: number, more: object = {}) =>
    call('UpdateInterruptibleCapacityReservationAllocation', { CapacityReservationId, TargetInstanceCount, ...more });
  const counts = async () => (await look()).map(({ TotalInstanceCount }) => TotalInstanceCount);

  test('moves between the source and the reservation made of it', async () => {
    const { CapacityReservationId: source } = await reserve();
    expect(await lend(source, 2, { DryRun: true })).toBe('DryRunOperation');
    expect(await counts()).toEqual([4]);
    expect(await lend(source, 2)).toMatchObject({ TargetInstanceCount: 2, Status: 'active' });
    expect(await counts()).toEqual([2, 2]);
    expect(await setTarget(source, 3, { DryRun: true })).toBe('DryRunOperation');
    expect(await setTarget(source, 3)).toMatchObject({ TargetInstanceCount: 3 });
    expect(await counts()).toEqual([1, 3]);
    await setTarget(source, 1);
    expect(await counts()).toEqual([3, 1]);
    await setTarget(source, 0);
    expect(await look()).toMatchObject([
      { TotalInstanceCount: 4, State: 'active' },
      { TotalInstanceCount: 0, State: 'cancelled', Interruptible: true },
    ]);
    expect(await lend(source, 1)).toMatchObject({ Status: 'active' });
  });

  test('carries tags of its own', async () => {
    const { CapacityReservationId: source } = await reserve();
    const Tags = [{ Key: 'team', Value: 'a' }];
    await lend(source, 1, { TagSpecifications: [{ ResourceType: 'capacity-reservation', Tags }] });
    expect(await look({ Filters: [{ Name: 'tag:team', Values: ['a'] }] })).toMatchObject([
      { Interruptible: true, Tags },
    ]);
  });

  test.each<[fact: string, ask: (source: string, borrowed: string) => Promise<unknown>, code: string]>([
    ['twice from one source', (source) => lend(source, 1), 'InvalidCapacityReservationState'],
    ['from what is lent itself', (_, borrowed) => lend(borrowed, 1), 'InvalidCapacityReservationState'],
    ['more than there is', (source) => setTarget(source, 5), 'InvalidParameterValue'],
    ['less than none', (source) => setTarget(source, -1), 'InvalidParameterValue'],
    ['from what lends nothing', (_, borrowed) => setTarget(borrowed, 1), 'InvalidCapacityReservationState'],
    [
      'while its source is cancelled',
      (CapacityReservationId) => call('CancelCapacityReservation', { CapacityReservationId }),
      'InvalidCapacityReservationState',
    ],
    ['from what there is not', () => lend('cr-0a', 1), 'InvalidCapacityReservationId.NotFound'],
  ])('is not lent %s', async (_, ask, code) => {
    const { CapacityReservationId: source } = await reserve();
    await lend(source, 2);
    const borrowed = (await look())[1]?.CapacityReservationId ?? '';
    expect(await ask(source, borrowed)).toBe(code);
    expect(await counts()).toEqual([2, 2]);
  });

  test('that instances use is taken back whole, after their notice', async () => {
    const { CapacityReservationId: source } = await reserve();
    await lend(source, 2);
    const borrowed = (await look())[1]?.CapacityReservationId ?? '';
    await launch(borrowed, 2);
    await account.clock.advance(minutes(2));
    expect(
      await refusalOf('UpdateInterruptibleCapacityReservationAllocation', {
        CapacityReservationId: source,
        TargetInstanceCount: 1,
      }),
    ).toMatch(/^Unsupported: The sandbox takes back all of the 2 instances in use, or none of them\.$/);
    await setTarget(source, 0);
    expect(await look()).toMatchObject([
      { TotalInstanceCount: 2, InterruptibleCapacityAllocation: { Status: 'updating', TargetInstanceCount: 0 } },
      { TotalInstanceCount: 0 },
    ]);
    await account.clock.advance(minutes(5));
    expect(await counts()).toEqual([4, 0]);
  });
});
