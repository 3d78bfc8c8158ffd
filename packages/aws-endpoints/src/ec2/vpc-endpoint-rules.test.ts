import { minutes, seconds } from '@nodewright/apis';
import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let VpcId: string;
let routeTables: readonly string[];
beforeEach(async () => {
  account = await anEc2();
  ({ call } = ec2Caller(account.aws));
  ({ vpcId: VpcId } = account.aws.ec2.network);
  const { RouteTables } = (await call('DescribeRouteTables')) as { RouteTables: { RouteTableId: string }[] };
  routeTables = RouteTables.map((table) => table.RouteTableId);
});

const s3 = 'com.amazonaws.us-east-1.s3';
const dynamodb = 'com.amazonaws.us-east-1.dynamodb';
const sts = { ServiceName: 'com.amazonaws.us-east-1.sts', VpcEndpointType: 'Interface' };
const inZone = (zone: string): readonly string[] =>
  account.aws.ec2.network.subnets.filter((subnet) => subnet.zone === zone).map(({ id }) => id);

type Endpoint = { readonly VpcEndpointId: string } & Readonly<Record<string, unknown>>;
async function create(input: object): Promise<Endpoint> {
  const answer = await call('CreateVpcEndpoint', { VpcId, ...input });
  if (typeof answer === 'string') throw new Error(answer);
  return (answer as { VpcEndpoint: Endpoint }).VpcEndpoint;
}
const list = async (input: object = {}) =>
  ((await call('DescribeVpcEndpoints', input)) as { VpcEndpoints: Endpoint[] }).VpcEndpoints;

describe('an endpoint that is a route', () => {
  test('is a route of its tables, one of a table and service', async () => {
    const [table, other] = routeTables;
    const { VpcEndpointId } = await create({ ServiceName: s3, RouteTableIds: [table] });
    const { RouteTables } = (await call('DescribeRouteTables', { RouteTableIds: [table] })) as {
      RouteTables: { Routes: object[] }[];
    };
    expect(RouteTables[0]?.Routes).toContainEqual({
      DestinationPrefixListId: expect.stringMatching(/^pl-/),
      GatewayId: VpcEndpointId,
      Origin: 'CreateRoute',
      State: 'active',
    });
    expect(await call('CreateVpcEndpoint', { VpcId, ServiceName: s3, RouteTableIds: [other, table] })).toBe(
      'RouteAlreadyExists',
    );
    await create({ ServiceName: s3, RouteTableIds: [other] });
    await create({ ServiceName: dynamodb, RouteTableIds: [table] });
    expect(await list()).toHaveLength(3);
  });

  test('is available at once and gone at once', async () => {
    const { VpcEndpointId, State } = await create({ ServiceName: s3 });
    expect(State).toBe('available');
    expect(await call('DeleteVpcEndpoints', { VpcEndpointIds: [VpcEndpointId] })).toEqual({ Unsuccessful: [] });
    expect(await list()).toEqual([]);
  });

  test('is made once for a token', async () => {
    const once = { VpcId, ServiceName: s3, ClientToken: 'once' };
    const first = await call('CreateVpcEndpoint', once);
    expect(first).toMatchObject({ ClientToken: 'once' });
    expect(await call('CreateVpcEndpoint', once)).toEqual(first);
    expect(await call('CreateVpcEndpoint', { ...once, ServiceName: dynamodb })).toBe('IdempotentParameterMismatch');
    expect(await list()).toHaveLength(1);
  });
});

describe('an endpoint of interfaces', () => {
  test('has one subnet a zone, groups and a private name', async () => {
    const [group] = account.aws.ec2.network.securityGroups;
    const SubnetIds = [inZone('us-east-1a')[0], inZone('us-east-1b')[0]];
    const made = await create({ ...sts, SubnetIds, SecurityGroupIds: [group?.id] });
    expect(made).toMatchObject({
      SubnetIds,
      Groups: [{ GroupId: group?.id, GroupName: group?.name }],
      PrivateDnsEnabled: true,
    });
    expect(await list({ Filters: [{ Name: 'vpc-endpoint-type', Values: ['Interface'] }] })).toHaveLength(1);
    expect(await list({ Filters: [{ Name: 'vpc-endpoint-type', Values: ['Gateway'] }] })).toEqual([]);
  });

  test('has the name of its service alone', async () => {
    await create(sts);
    expect(await call('CreateVpcEndpoint', { VpcId, ...sts })).toBe('InvalidParameter');
    const { VpcEndpointId } = await create({ ...sts, PrivateDnsEnabled: false });
    expect(await call('ModifyVpcEndpoint', { VpcEndpointId, PrivateDnsEnabled: true })).toBe('InvalidParameter');
    await create({ ...sts, ServiceName: s3 });
    expect(await list()).toHaveLength(3);
  });

  test('is pending for a minute, and deleted for half a one', async () => {
    const { VpcEndpointId, State } = await create(sts);
    expect(State).toBe('pending');
    await account.clock.advance(minutes(1));
    expect(await list()).toMatchObject([{ State: 'available' }]);
    await call('DeleteVpcEndpoints', { VpcEndpointIds: [VpcEndpointId] });
    expect(await list()).toMatchObject([{ State: 'deleting' }]);
    expect(await call('ModifyVpcEndpoint', { VpcEndpointId, PrivateDnsEnabled: false })).toBe(
      'InvalidVpcEndpointId.NotFound',
    );
    await account.clock.advance(seconds(30));
    expect(await list()).toEqual([]);
  });
});

describe('an endpoint is refused', () => {
  test.each<[fact: string, input: () => object, code: string]>([
    ['with tables of routes for its interfaces', () => ({ ...sts, RouteTableIds: routeTables }), 'InvalidParameter'],
    ['with two subnets of a zone', () => ({ ...sts, SubnetIds: inZone('us-east-1a') }), 'DuplicateSubnetsInSameZone'],
    ['with a group that there is not', () => ({ ...sts, SecurityGroupIds: ['sg-0a'] }), 'InvalidGroup.NotFound'],
    [
      'with groups for its route',
      () => ({ ServiceName: s3, SecurityGroupIds: [account.aws.ec2.network.securityGroups[0]?.id] }),
      'InvalidParameter',
    ],
    ['with a policy that is no JSON', () => ({ ServiceName: s3, PolicyDocument: '{' }), 'InvalidPolicyDocument'],
    ['in a VPC that there is not', () => ({ ServiceName: s3, VpcId: 'vpc-0a' }), 'InvalidVpcID.NotFound'],
    [
      'with tags of another kind',
      () => ({ ServiceName: s3, TagSpecifications: [{ ResourceType: 'vpc', Tags: [{ Key: 'a', Value: 'b' }] }] }),
      'InvalidParameterValue',
    ],
  ])('%s', async (_, input, code) => {
    expect(await call('CreateVpcEndpoint', { VpcId, ...input() })).toBe(code);
    expect(await list()).toEqual([]);
  });

  test('with subnets, groups and tables of another VPC', async () => {
    const other = ((await call('CreateVpc', { CidrBlock: '10.0.0.0/16' })) as { Vpc: { VpcId: string } }).Vpc.VpcId;
    const [group] = account.aws.ec2.network.securityGroups;
    const create = (input: object) => call('CreateVpcEndpoint', { VpcId: other, ...input });
    expect(await create({ ...sts, SubnetIds: inZone('us-east-1a').slice(0, 1) })).toBe('InvalidSubnetID.NotFound');
    expect(await create({ ...sts, SecurityGroupIds: [group?.id] })).toBe('InvalidGroup.NotFound');
    expect(await create({ ServiceName: s3, RouteTableIds: routeTables.slice(0, 1) })).toBe(
      'InvalidRouteTableID.NotFound',
    );
    const made = (await create(sts)) as { VpcEndpoint: { Groups: object[] } };
    expect(made.VpcEndpoint.Groups).toMatchObject([{ GroupName: 'default' }]);
  });
});
