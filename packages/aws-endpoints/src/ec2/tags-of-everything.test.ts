import { arm, aTestAccount, ec2Caller, fillEc2, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];
let ids: Awaited<ReturnType<typeof fillEc2>>;
beforeAll(async () => {
  const account = aTestAccount({ releases: [x86, arm] });
  const caller = ec2Caller(account.aws);
  ({ call } = caller);
  ids = await fillEc2({ ...account, ...caller });
});

type TagList = readonly { readonly Key: string; readonly Value: string; readonly ResourceType?: string }[];
const tagsOf = async (id: string, ...Filters: readonly object[]): Promise<TagList> => {
  const filters = [{ Name: 'resource-id', Values: [id] }, ...Filters];
  return ((await call('DescribeTags', { Filters: filters })) as { readonly Tags: TagList }).Tags;
};

const taggable: readonly (readonly [
  id: keyof typeof ids,
  type: string,
  operation: string,
  list: string,
  member: string,
])[] = [
  ['VpcId', 'vpc', 'DescribeVpcs', 'Vpcs', 'VpcIds'],
  ['SubnetId', 'subnet', 'DescribeSubnets', 'Subnets', 'SubnetIds'],
  ['GroupId', 'security-group', 'DescribeSecurityGroups', 'SecurityGroups', 'GroupIds'],
  ['InternetGatewayId', 'internet-gateway', 'DescribeInternetGateways', 'InternetGateways', 'InternetGatewayIds'],
  ['RouteTableId', 'route-table', 'DescribeRouteTables', 'RouteTables', 'RouteTableIds'],
  ['NetworkAclId', 'network-acl', 'DescribeNetworkAcls', 'NetworkAcls', 'NetworkAclIds'],
  ['AllocationId', 'elastic-ip', 'DescribeAddresses', 'Addresses', 'AllocationIds'],
  ['LaunchTemplateId', 'launch-template', 'DescribeLaunchTemplates', 'LaunchTemplates', 'LaunchTemplateIds'],
  ['InstanceId', 'instance', 'DescribeInstances', 'Reservations', 'InstanceIds'],
];

describe.each(taggable)('a tag of %s', (id, type, operation, list, member) => {
  const shown = async (): Promise<TagList> => {
    const answer = (await call(operation, { [member]: [ids[id]] })) as Readonly<
      Record<string, readonly { readonly Tags?: TagList; readonly Instances?: readonly { readonly Tags: TagList }[] }[]>
    >;
    const [found] = answer[list] ?? [];
    return found?.Instances?.[0]?.Tags ?? found?.Tags ?? [];
  };
  const create = (Value: string) => call('CreateTags', { Resources: [ids[id]], Tags: [{ Key: 'stage', Value }] });
  const remove = (...Tags: readonly object[]) => call('DeleteTags', { Resources: [ids[id]], Tags });

  test('is shown by the thing itself, and by the list of tags with its kind', async () => {
    await create('live');
    expect(await shown()).toContainEqual({ Key: 'stage', Value: 'live' });
    expect(await tagsOf(ids[id], { Name: 'key', Values: ['stage'] })).toEqual([
      { Key: 'stage', Value: 'live', ResourceId: ids[id], ResourceType: type },
    ]);
    expect(await tagsOf(ids[id], { Name: 'resource-type', Values: [type] })).not.toEqual([]);
  });

  test('finds the thing', async () => {
    await create('live');
    const Filters = [{ Name: 'tag:stage', Values: ['live'] }];
    expect(JSON.stringify(await call(operation, { Filters }))).toContain(ids[id]);
  });

  test('is written over by one of its key', async () => {
    await create('live');
    await create('test');
    expect((await shown()).filter(({ Key }) => Key === 'stage')).toEqual([{ Key: 'stage', Value: 'test' }]);
  });

  test.each<readonly [fact: string, tag: object, isThere: boolean]>([
    ['stays where another value is deleted', { Key: 'stage', Value: 'other' }, true],
    ['goes where its value is deleted', { Key: 'stage', Value: 'live' }, false],
    ['goes where its key is deleted, whatever its value', { Key: 'stage' }, false],
    ['stays where only an empty value is deleted', { Key: 'stage', Value: '' }, true],
    ['stays where another key is deleted', { Key: 'Stage' }, true],
  ])('%s', async (_, tag, isThere) => {
    await create('live');
    await remove(tag);
    expect((await shown()).some(({ Key }) => Key === 'stage')).toBe(isThere);
  });

  test('is one of fifty at most, and those of AWS are not for users', async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ Key: `key-${at}`, Value: 'x' }));
    expect(await call('CreateTags', { Resources: [ids[id]], Tags: many })).toBe('TagLimitExceeded');
    const own = [{ Key: 'aws:mine', Value: 'x' }];
    expect(await call('CreateTags', { Resources: [ids[id]], Tags: own })).toBe('InvalidParameterValue');
    expect((await shown()).some(({ Key }) => Key.startsWith('key-') || Key.startsWith('aws:mine'))).toBe(false);
  });
});

test('tags of several things are created and deleted together, or not at all', async () => {
  const [vpc, subnet] = [ids.VpcId, ids.SubnetId];
  const Tags = [{ Key: 'together', Value: '1' }];
  expect(await call('CreateTags', { Resources: [vpc, 'subnet-0123456789abcdef0'], Tags })).toBe(
    'InvalidSubnetID.NotFound',
  );
  expect(await tagsOf(vpc, { Name: 'key', Values: ['together'] })).toEqual([]);
  await call('CreateTags', { Resources: [vpc, subnet], Tags });
  for (const id of [vpc, subnet]) expect(await tagsOf(id, { Name: 'key', Values: ['together'] })).toHaveLength(1);
  await call('DeleteTags', { Resources: [vpc, subnet], Tags: [{ Key: 'together' }] });
  for (const id of [vpc, subnet]) expect(await tagsOf(id, { Name: 'key', Values: ['together'] })).toEqual([]);
});
