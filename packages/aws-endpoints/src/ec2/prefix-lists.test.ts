import { seconds } from '@nodewright/apis';
import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';
import { listAwsPrefixLists, prefixListOf } from './prefix-lists.ts';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

type ToldList = { readonly PrefixListId: string; readonly Version: number };
const office = { PrefixListName: 'office', AddressFamily: 'IPv4', MaxEntries: 3 };

async function create(more: object = {}): Promise<ToldList> {
  const answer = (await call('CreateManagedPrefixList', { ...office, ...more })) as { readonly PrefixList: ToldList };
  await account.clock.advance(seconds(3));
  return answer.PrefixList;
}

const entriesOf = async (PrefixListId: string, more: object = {}) =>
  ((await call('GetManagedPrefixListEntries', { PrefixListId, ...more })) as { readonly Entries: readonly object[] })
    .Entries;

describe('the lists of AWS', () => {
  test('of services behind routes have the ids that routes name', async () => {
    const { vpcId: VpcId } = account.aws.ec2.network;
    const [RouteTableId] = (
      (await call('DescribeRouteTables', { Filters: [{ Name: 'vpc-id', Values: [VpcId] }] })) as {
        readonly RouteTables: readonly { readonly RouteTableId: string }[];
      }
    ).RouteTables.map((table) => table.RouteTableId);
    await call('CreateVpcEndpoint', {
      VpcId,
      ServiceName: 'com.amazonaws.us-east-1.dynamodb',
      RouteTableIds: [RouteTableId],
    });
    const Filters = [{ Name: 'prefix-list-name', Values: ['com.amazonaws.us-east-1.dynamodb'] }];
    const { PrefixLists } = (await call('DescribePrefixLists', { Filters })) as {
      readonly PrefixLists: readonly { readonly PrefixListId: string; readonly Cidrs: readonly string[] }[];
    };
    expect(PrefixLists[0]?.Cidrs).not.toEqual([]);
    expect(await call('DescribeRouteTables', { RouteTableIds: [RouteTableId] })).toMatchObject({
      RouteTables: [
        {
          Routes: expect.arrayContaining([
            expect.objectContaining({ DestinationPrefixListId: PrefixLists[0]?.PrefixListId }),
          ]),
        },
      ],
    });
  });

  test('are among the managed ones, and nobody changes them', async () => {
    const Filters = [{ Name: 'owner-id', Values: ['AWS'] }];
    expect(await call('DescribeManagedPrefixLists', { Filters })).toMatchObject({
      PrefixLists: expect.arrayContaining([
        expect.objectContaining({
          PrefixListId: 'pl-3b927c52',
          PrefixListName: 'com.amazonaws.global.cloudfront.origin-facing',
          PrefixListArn: 'arn:aws:ec2:us-east-1:aws:prefix-list/pl-3b927c52',
          State: 'create-complete',
        }),
      ]),
    });
    expect(await entriesOf('pl-63a5400a')).toContainEqual({ Cidr: '52.216.0.0/15' });
    expect(await call('DeleteManagedPrefixList', { PrefixListId: 'pl-63a5400a' })).toBe('OperationNotPermitted');
  });

  test('have the names and ids of their region', () => {
    const here = listAwsPrefixLists('us-east-1').map(({ id }) => id);
    const there = listAwsPrefixLists('eu-west-1');
    expect(there.map(({ name }) => name)).toContain('com.amazonaws.eu-west-1.s3');
    expect(there.filter(({ id }) => here.includes(id))).toEqual([]);
    expect(prefixListOf('com.amazonaws.eu-west-1.s3')).toBe(there[0]?.id);
  });
});

describe('a list of the account', () => {
  test('is made with its entries and tags, and is complete after a moment', async () => {
    const Entries = [{ Cidr: '10.0.0.0/8', Description: 'all' }, { Cidr: '192.168.0.0/16' }];
    const Tags = [{ Key: 'team', Value: 'net' }];
    const TagSpecifications = [{ ResourceType: 'prefix-list', Tags }];
    expect(await call('CreateManagedPrefixList', { ...office, Entries, TagSpecifications })).toMatchObject({
      PrefixList: { ...office, Version: 1, State: 'create-in-progress', OwnerId: '111122223333', Tags },
    });
    await account.clock.advance(seconds(3));
    const Filters = [{ Name: 'tag:team', Values: ['net'] }];
    const { PrefixLists } = (await call('DescribeManagedPrefixLists', { Filters })) as {
      readonly PrefixLists: readonly [ToldList];
    };
    expect(PrefixLists).toMatchObject([{ State: 'create-complete' }]);
    expect(await entriesOf(PrefixLists[0].PrefixListId)).toEqual(Entries);
  });

  test('is made once for one client token', async () => {
    const first = await create({ ClientToken: 'once' });
    expect((await create({ ClientToken: 'once' })).PrefixListId).toBe(first.PrefixListId);
  });

  test('gets a version with each change of its entries, and an older version back', async () => {
    const { PrefixListId } = await create({ Entries: [{ Cidr: '10.0.0.0/8' }] });
    const change = {
      PrefixListId,
      CurrentVersion: 1,
      AddEntries: [{ Cidr: '10.1.0.0/16', Description: 'new' }],
      RemoveEntries: [{ Cidr: '10.0.0.0/8' }],
    };
    expect(await call('ModifyManagedPrefixList', change)).toMatchObject({
      PrefixList: { Version: 2, State: 'modify-in-progress' },
    });
    expect(await refusalOf('ModifyManagedPrefixList', { ...change, CurrentVersion: 2 })).toBe(
      `IncorrectState: The request cannot be completed while the prefix list (${PrefixListId}) is in the current state (modify-in-progress).`,
    );
    await account.clock.advance(seconds(3));
    expect(await entriesOf(PrefixListId)).toEqual([{ Cidr: '10.1.0.0/16', Description: 'new' }]);
    expect(await entriesOf(PrefixListId, { TargetVersion: 1 })).toEqual([{ Cidr: '10.0.0.0/8' }]);
    expect(await call('GetManagedPrefixListEntries', { PrefixListId, TargetVersion: 9 })).toBe('InvalidParameterValue');
    expect(await refusalOf('ModifyManagedPrefixList', change)).toBe(
      'PrefixListVersionMismatch: The prefix list has the incorrect version number.',
    );
    const restore = { PrefixListId, PreviousVersion: 1, CurrentVersion: 2 };
    expect(await call('RestoreManagedPrefixListVersion', restore)).toMatchObject({
      PrefixList: { Version: 3, State: 'restore-in-progress' },
    });
    expect(await entriesOf(PrefixListId)).toEqual([{ Cidr: '10.0.0.0/8' }]);
  });

  test('gets a new name or size without a version', async () => {
    const { PrefixListId } = await create();
    const renamed = await call('ModifyManagedPrefixList', { PrefixListId, PrefixListName: 'lab', MaxEntries: 9 });
    expect(renamed).toMatchObject({ PrefixList: { PrefixListName: 'lab', MaxEntries: 9, Version: 1 } });
  });

  test('is named by rules and routes, which keep it from being deleted', async () => {
    const { PrefixListId } = await create();
    const { securityGroups } = account.aws.ec2.network;
    const rule = {
      GroupId: securityGroups[0]?.id,
      IpPermissions: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, PrefixListIds: [{ PrefixListId }] }],
    };
    await call('AuthorizeSecurityGroupIngress', rule);
    expect(await call('GetManagedPrefixListAssociations', { PrefixListId })).toEqual({
      PrefixListAssociations: [{ ResourceId: rule.GroupId, ResourceOwner: '111122223333' }],
    });
    expect(await call('DeleteManagedPrefixList', { PrefixListId })).toBe('DependencyViolation');
    await call('RevokeSecurityGroupIngress', rule);
    expect(await call('DeleteManagedPrefixList', { PrefixListId, DryRun: true })).toBe('DryRunOperation');
    expect(await call('DeleteManagedPrefixList', { PrefixListId })).toMatchObject({
      PrefixList: { State: 'delete-in-progress' },
    });
    expect(await call('AuthorizeSecurityGroupIngress', rule)).toBe('InvalidPrefixListID.NotFound');
  });

  test.each<readonly [request: object, says: string]>([
    [{ PrefixListName: 'com.amazonaws.mine' }, 'InvalidParameterValue'],
    [{ PrefixListName: 'x'.repeat(256) }, 'InvalidParameterValue'],
    [{ AddressFamily: 'ipv4' }, 'InvalidParameterValue'],
    [{ MaxEntries: 0 }, 'InvalidParameterValue'],
    [{ MaxEntries: 1_001 }, 'InvalidParameterValue'],
    [{ Entries: [{ Cidr: '10.0.0.0' }] }, 'InvalidParameterValue'],
    [{ Entries: [{ Cidr: '::/0' }] }, 'InvalidParameterValue'],
    [{ Entries: [{ Cidr: '10.0.0.0/8' }, { Cidr: '10.0.0.0/8' }] }, 'InvalidRequest'],
    [{ MaxEntries: 1, Entries: [{ Cidr: '10.0.0.0/8' }, { Cidr: '11.0.0.0/8' }] }, 'PrefixListMaxEntriesExceeded'],
    [{ TagSpecifications: [{ ResourceType: 'vpc', Tags: [] }] }, 'InvalidParameterValue'],
  ])('with %j is refused', async (request, says) => {
    expect(await call('CreateManagedPrefixList', { ...office, ...request })).toBe(says);
    expect(account.aws.ec2.prefixLists.size).toBe(0);
  });

  test.each<readonly [change: object, says: string]>([
    [{ AddEntries: [{ Cidr: '10.1.0.0/16' }] }, 'MissingParameter'],
    [{ AddEntries: [{ Cidr: '10.1.0.0/16' }], CurrentVersion: 1, MaxEntries: 5 }, 'InvalidRequest'],
    [{ RemoveEntries: [{ Cidr: '10.1.0.0/16' }], CurrentVersion: 1 }, 'InvalidRequest'],
    [{ PrefixListName: 'lab', DryRun: true }, 'DryRunOperation'],
    [{ PrefixListId: 'pl-0123456789abcdef0', MaxEntries: 5 }, 'InvalidPrefixListID.NotFound'],
  ])('is not changed by %j', async (change, says) => {
    const { PrefixListId } = await create();
    expect(await call('ModifyManagedPrefixList', { PrefixListId, ...change })).toBe(says);
    expect(account.aws.ec2.prefixLists.get(PrefixListId)).toMatchObject({ name: 'office', versions: [[]] });
  });
});

test('a list that there is not is refused everywhere', async () => {
  const id = 'pl-0123456789abcdef0';
  expect(await call('DescribeManagedPrefixLists', { PrefixListIds: [id] })).toBe('InvalidPrefixListID.NotFound');
  expect(await call('DescribePrefixLists', { PrefixListIds: [id] })).toBe('InvalidPrefixListID.NotFound');
  expect(await call('DescribePrefixLists', { PrefixListIds: ['x'] })).toBe('InvalidPrefixListId.Malformed');
  expect(await call('GetManagedPrefixListEntries', { PrefixListId: id })).toBe('InvalidPrefixListID.NotFound');
  expect(await call('GetManagedPrefixListAssociations', { PrefixListId: id })).toBe('InvalidPrefixListID.NotFound');
});
