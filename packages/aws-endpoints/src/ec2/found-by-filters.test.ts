import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];
const tagged = (ResourceType: string) => ({
  TagSpecifications: [{ ResourceType, Tags: [{ Key: 'team', Value: 'a' }] }],
});

beforeAll(async () => {
  const account = await anEc2();
  ({ call } = ec2Caller(account.aws));
  const reservation = { InstanceType: 'm5.large', InstancePlatform: 'Linux/UNIX', InstanceCount: 1 };
  await call('CreateCapacityReservation', {
    ...reservation,
    AvailabilityZone: 'us-east-1b',
    ...tagged('capacity-reservation'),
  });
  await call('CreateCapacityReservation', {
    ...reservation,
    InstanceType: 'c5.large',
    AvailabilityZone: 'us-east-1a',
    EndDateType: 'limited',
    EndDate: new Date('2030-01-01T00:00:00Z'),
  });
  await call('CreatePlacementGroup', {
    GroupName: 'racks',
    Strategy: 'spread',
    SpreadLevel: 'rack',
    ...tagged('placement-group'),
  });
  await call('CreatePlacementGroup', { GroupName: 'near', Strategy: 'cluster' });
  await call('CreateKeyPair', { KeyName: 'mine', ...tagged('key-pair') });
  await call('CreateKeyPair', { KeyName: 'other' });
  await call('RunInstances', {
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    ...tagged('instance'),
  });
  await account.clock.advance(60_000);
});

/** What of the answer tells the records apart. */
const asked: Readonly<Record<string, readonly [list: string, name: string]>> = {
  DescribeCapacityReservations: ['CapacityReservations', 'InstanceType'],
  DescribePlacementGroups: ['PlacementGroups', 'GroupName'],
  DescribeKeyPairs: ['KeyPairs', 'KeyName'],
  DescribeInstanceStatus: ['InstanceStatuses', 'AvailabilityZone'],
};

for (const [operation, filter, value, found] of [
  ['DescribeCapacityReservations', 'instance-type', 'c5.large', ['c5.large']],
  ['DescribeCapacityReservations', 'availability-zone', 'us-east-1b', ['m5.large']],
  ['DescribeCapacityReservations', 'availability-zone-id', 'nowhere', []],
  ['DescribeCapacityReservations', 'instance-platform', 'Linux/UNIX', ['m5.large', 'c5.large']],
  ['DescribeCapacityReservations', 'end-date-type', 'limited', ['c5.large']],
  ['DescribeCapacityReservations', 'end-date-type', 'unlimited', ['m5.large']],
  ['DescribeCapacityReservations', 'owner-id', '111122223333', ['m5.large', 'c5.large']],
  ['DescribeCapacityReservations', 'owner-id', '444455556666', []],
  ['DescribeCapacityReservations', 'tenancy', 'dedicated', []],
  ['DescribeCapacityReservations', 'tag:team', 'a', ['m5.large']],
  ['DescribePlacementGroups', 'group-name', 'near', ['near']],
  ['DescribePlacementGroups', 'strategy', 'spread', ['racks']],
  ['DescribePlacementGroups', 'spread-level', 'rack', ['racks']],
  ['DescribePlacementGroups', 'group-arn', '*placement-group/near', ['near']],
  ['DescribePlacementGroups', 'tag:team', 'a', ['racks']],
  ['DescribeKeyPairs', 'key-name', 'other', ['other']],
  ['DescribeKeyPairs', 'tag:team', 'a', ['mine']],
  ['DescribeInstanceStatus', 'instance-status.reachability', 'passed', [expect.any(String)]],
  ['DescribeInstanceStatus', 'system-status.reachability', 'failed', []],
  ['DescribeInstanceStatus', 'event.description', '*', []],
  ['DescribeInstanceStatus', 'tag:team', 'b', []],
] as readonly (readonly [string, string, string, readonly unknown[]])[])
  test(`${operation} by ${filter} ${value}`, async () => {
    const answer = await call(operation, { Filters: [{ Name: filter, Values: [value] }] });
    const [list = '', name = ''] = asked[operation] ?? [];
    const records = (answer as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>)[list] ?? [];
    expect(records.map((record) => record[name])).toEqual(found);
  });
