import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let VpcId: string;
let SubnetId: string;
let RouteTableId: string;
let InternetGatewayId: string;

type Made = Readonly<Record<string, Readonly<Record<string, string>>>>;
const make = async (operation: string, input: object, [member, id]: readonly [string, string]): Promise<string> =>
  ((await call(operation, input)) as Made)[member]?.[id] ?? '';

beforeEach(async () => {
  account = await anEc2();
  ({ call } = ec2Caller(account.aws));
  VpcId = await make('CreateVpc', { CidrBlock: '10.0.0.0/16' }, ['Vpc', 'VpcId']);
  SubnetId = await make('CreateSubnet', { VpcId, CidrBlock: '10.0.0.0/24' }, ['Subnet', 'SubnetId']);
  RouteTableId = await make('CreateRouteTable', { VpcId }, ['RouteTable', 'RouteTableId']);
  InternetGatewayId = await make('CreateInternetGateway', {}, ['InternetGateway', 'InternetGatewayId']);
  await call('AttachInternetGateway', { InternetGatewayId, VpcId });
});

type Route = Readonly<Record<string, string>>;
async function routesOf(id = RouteTableId): Promise<readonly Route[]> {
  const { RouteTables } = (await call('DescribeRouteTables', { RouteTableIds: [id] })) as {
    RouteTables: { Routes: Route[] }[];
  };
  return (RouteTables[0]?.Routes ?? []).filter((route) => route['GatewayId'] !== 'local');
}

const mainTableOf = async (vpcId: string): Promise<string> => {
  const Filters = [
    { Name: 'association.main', Values: ['true'] },
    { Name: 'vpc-id', Values: [vpcId] },
  ];
  const { RouteTables } = (await call('DescribeRouteTables', { Filters })) as { RouteTables: Route[] };
  return RouteTables[0]?.['RouteTableId'] ?? '';
};

async function launchInVpc(): Promise<{ readonly InstanceId: string; readonly NetworkInterfaceId: string }> {
  await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, SubnetId });
  await account.clock.advance(minutes(2));
  const [instance] = account.aws.ec2.instances.all();
  return { InstanceId: instance?.id ?? '', NetworkInterfaceId: instance?.networkInterfaceId ?? '' };
}

const anywhere = { DestinationCidrBlock: '0.0.0.0/0' };

describe('a route', () => {
  test.each<[target: string, input: () => Promise<object>]>([
    ['GatewayId', async () => ({ ...anywhere, GatewayId: InternetGatewayId })],
    ['InstanceId', async () => ({ ...anywhere, InstanceId: (await launchInVpc()).InstanceId })],
    ['NetworkInterfaceId', async () => ({ ...anywhere, NetworkInterfaceId: (await launchInVpc()).NetworkInterfaceId })],
    [
      'NatGatewayId',
      async () => ({
        ...anywhere,
        NatGatewayId: await make('CreateNatGateway', { SubnetId, ConnectivityType: 'private' }, [
          'NatGateway',
          'NatGatewayId',
        ]),
      }),
    ],
    [
      'EgressOnlyInternetGatewayId',
      async () => ({
        DestinationIpv6CidrBlock: '::/0',
        EgressOnlyInternetGatewayId: await make('CreateEgressOnlyInternetGateway', { VpcId }, [
          'EgressOnlyInternetGateway',
          'EgressOnlyInternetGatewayId',
        ]),
      }),
    ],
    ['GatewayId', async () => ({ DestinationPrefixListId: 'pl-63a5400a', GatewayId: InternetGatewayId })],
  ])('leads to a %s', async (target, input) => {
    const route = await input();
    expect(await call('CreateRoute', { RouteTableId, ...route })).toEqual({ Return: true });
    expect(await routesOf()).toEqual([{ ...route, Origin: 'CreateRoute', State: 'active' }]);
    expect(Object.keys(route)).toContain(target);
    expect(await call('CreateRoute', { RouteTableId, ...route })).toBe('RouteAlreadyExists');
  });

  test('is a black hole while its instance does not run', async () => {
    const { InstanceId } = await launchInVpc();
    await call('CreateRoute', { RouteTableId, ...anywhere, InstanceId });
    await call('StopInstances', { InstanceIds: [InstanceId] });
    await account.clock.advance(minutes(2));
    expect(await routesOf()).toMatchObject([{ State: 'blackhole' }]);
    await call('StartInstances', { InstanceIds: [InstanceId] });
    await account.clock.advance(minutes(2));
    expect(await routesOf()).toMatchObject([{ State: 'active' }]);
  });

  test.each<[fact: string, route: () => object, code: string]>([
    ['without a destination', () => ({ GatewayId: InternetGatewayId }), 'MissingParameter'],
    ['without a target', () => anywhere, 'MissingParameter'],
    [
      'with two destinations',
      () => ({ ...anywhere, DestinationIpv6CidrBlock: '::/0', GatewayId: InternetGatewayId }),
      'InvalidParameterCombination',
    ],
    [
      'with two targets',
      () => ({ ...anywhere, GatewayId: InternetGatewayId, NatGatewayId: 'nat-0a' }),
      'InvalidParameterCombination',
    ],
    [
      'to a block that is none',
      () => ({ DestinationCidrBlock: '10.0.0.0', GatewayId: InternetGatewayId }),
      'InvalidParameterValue',
    ],
    [
      'to a block of IPv6 that is none',
      () => ({ DestinationIpv6CidrBlock: '1::2::/64', GatewayId: InternetGatewayId }),
      'InvalidParameterValue',
    ],
    ['by a gateway that there is not', () => ({ ...anywhere, GatewayId: 'igw-0a' }), 'InvalidGatewayID.NotFound'],
    [
      'by an egress-only gateway that there is not',
      () => ({ ...anywhere, EgressOnlyInternetGatewayId: 'eigw-0a' }),
      'InvalidGatewayID.NotFound',
    ],
    [
      'by a NAT gateway that there is not',
      () => ({ ...anywhere, NatGatewayId: 'nat-0a' }),
      'InvalidNatGatewayID.NotFound',
    ],
    [
      'by an instance that there is not',
      () => ({ ...anywhere, InstanceId: 'i-0123456789abcdef0' }),
      'InvalidInstanceID.NotFound',
    ],
    [
      'by an interface that there is not',
      () => ({ ...anywhere, NetworkInterfaceId: 'eni-0a' }),
      'InvalidNetworkInterfaceID.NotFound',
    ],
    [
      'by a peering that there is not',
      () => ({ ...anywhere, VpcPeeringConnectionId: 'pcx-0a' }),
      'InvalidVpcPeeringConnectionID.NotFound',
    ],
    [
      'by a transit gateway that there is not',
      () => ({ ...anywhere, TransitGatewayId: 'tgw-0a' }),
      'InvalidTransitGatewayID.NotFound',
    ],
    ['of the local block', () => ({ DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'igw-0a' }), 'RouteAlreadyExists'],
  ])('%s is refused', async (_, route, code) => {
    expect(await call('CreateRoute', { RouteTableId, ...route() })).toBe(code);
    expect(await routesOf()).toEqual([]);
  });

  test('by a gateway of another VPC is refused', async () => {
    const { InternetGateways } = (await call('DescribeInternetGateways')) as { InternetGateways: Route[] };
    const other = InternetGateways.find((each) => each['InternetGatewayId'] !== InternetGatewayId);
    const input = { RouteTableId, ...anywhere, GatewayId: other?.['InternetGatewayId'] };
    expect(await call('CreateRoute', input)).toBe('InvalidParameterValue');
  });

  test('is replaced alone of several, and only where there is one', async () => {
    const near = { DestinationCidrBlock: '172.16.0.0/12', GatewayId: InternetGatewayId };
    await call('CreateRoute', { RouteTableId, ...near });
    await call('CreateRoute', { RouteTableId, ...anywhere, GatewayId: InternetGatewayId });
    const { NetworkInterfaceId } = await launchInVpc();
    expect(await call('ReplaceRoute', { RouteTableId, ...anywhere, NetworkInterfaceId })).toEqual({});
    expect(await routesOf()).toMatchObject([near, { ...anywhere, NetworkInterfaceId }]);
    expect(await call('ReplaceRoute', { RouteTableId, DestinationCidrBlock: '10.9.0.0/16', NetworkInterfaceId })).toBe(
      'InvalidParameterValue',
    );
  });

  test.each<[fact: string, destination: object, code: string]>([
    ['that is local', { DestinationCidrBlock: '10.0.0.0/16' }, 'InvalidParameterValue'],
    ['that there is not', anywhere, 'InvalidRoute.NotFound'],
    ['of IPv6 that there is not', { DestinationIpv6CidrBlock: '::/0' }, 'InvalidRoute.NotFound'],
    ['that is not named', {}, 'MissingParameter'],
  ])('%s is not deleted', async (_, destination, code) => {
    expect(await call('DeleteRoute', { RouteTableId, ...destination })).toBe(code);
  });
});

describe('a route table', () => {
  const associate = (input: object) => call('AssociateRouteTable', { RouteTableId, ...input });

  test.each<[what: string, input: () => object]>([
    ['a subnet', () => ({ SubnetId })],
    ['a gateway', () => ({ GatewayId: InternetGatewayId })],
  ])('is associated with %s once, and not beside another table', async (_, input) => {
    const first = await associate(input());
    expect(first).toMatchObject({ AssociationState: { State: 'associated' } });
    expect(await associate(input())).toEqual(first);
    const other = await make('CreateRouteTable', { VpcId }, ['RouteTable', 'RouteTableId']);
    expect(await call('AssociateRouteTable', { RouteTableId: other, ...input() })).toBe('Resource.AlreadyAssociated');
    expect(await call('DeleteRouteTable', { RouteTableId })).toBe('DependencyViolation');
  });

  test.each<[fact: string, input: () => object, code: string]>([
    ['nothing', () => ({}), 'MissingParameter'],
    ['a subnet that there is not', () => ({ SubnetId: 'subnet-0a' }), 'InvalidSubnetID.NotFound'],
    ['a gateway that there is not', () => ({ GatewayId: 'igw-0a' }), 'InvalidInternetGatewayID.NotFound'],
    ['a subnet of another VPC', () => ({ SubnetId: account.aws.ec2.network.subnets[0]?.id }), 'InvalidParameterValue'],
    ['a table that there is not', () => ({ RouteTableId: 'rtb-0a', SubnetId }), 'InvalidRouteTableID.NotFound'],
  ])('is not associated with %s', async (_, input, code) => {
    expect(await associate(input())).toBe(code);
  });

  test('hands its association over to another table of the VPC, the main one too', async () => {
    const { AssociationId } = (await associate({ SubnetId })) as { AssociationId: string };
    const target = await make('CreateRouteTable', { VpcId }, ['RouteTable', 'RouteTableId']);
    const moved = await call('ReplaceRouteTableAssociation', { AssociationId, RouteTableId: target });
    expect(moved).toMatchObject({ NewAssociationId: expect.stringMatching(/^rtbassoc-0[0-9a-f]{16}$/) });
    expect(await call('DisassociateRouteTable', { AssociationId })).toBe('InvalidAssociationID.NotFound');
    expect(await call('DeleteRouteTable', { RouteTableId })).toEqual({});

    const main = await mainTableOf(VpcId);
    const { RouteTables } = (await call('DescribeRouteTables', { RouteTableIds: [main] })) as {
      RouteTables: { Associations: { RouteTableAssociationId: string }[] }[];
    };
    const ofMain = RouteTables[0]?.Associations[0]?.RouteTableAssociationId;
    expect(await call('DisassociateRouteTable', { AssociationId: ofMain })).toBe('InvalidParameterValue');
    await call('ReplaceRouteTableAssociation', { AssociationId: ofMain, RouteTableId: target });
    expect(await mainTableOf(VpcId)).toBe(target);
    expect(await call('DeleteRouteTable', { RouteTableId: main })).toEqual({});
  });

  test('of another VPC takes no association over', async () => {
    const { AssociationId } = (await associate({ SubnetId })) as { AssociationId: string };
    const elsewhere = await mainTableOf(account.aws.ec2.network.vpcId);
    expect(await call('ReplaceRouteTableAssociation', { AssociationId, RouteTableId: elsewhere })).toBe(
      'InvalidParameterValue',
    );
    expect(await call('ReplaceRouteTableAssociation', { AssociationId: 'rtbassoc-0a', RouteTableId })).toBe(
      'InvalidAssociationID.NotFound',
    );
  });

  test('is made once for a token, and found by its routes', async () => {
    const once = { VpcId, ClientToken: 'once' };
    const first = await call('CreateRouteTable', once);
    expect(first).toMatchObject({ ClientToken: 'once' });
    expect(await call('CreateRouteTable', once)).toEqual(first);
    await call('CreateRoute', { RouteTableId, ...anywhere, GatewayId: InternetGatewayId });
    const Filters = [{ Name: 'route.gateway-id', Values: [InternetGatewayId] }];
    expect(await call('DescribeRouteTables', { Filters })).toMatchObject({ RouteTables: [{ RouteTableId }] });
  });
});
