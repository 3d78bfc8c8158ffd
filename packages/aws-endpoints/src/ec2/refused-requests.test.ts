import { anEc2, never } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

type Answer = Readonly<Record<string, unknown>>;

async function world() {
  const { aws } = await anEc2();
  /** @returns what EC2 answers, or the code of its refusal */
  const ask = async (operation: string, input: object = {}): Promise<Answer | string> => {
    const call = { service: 'ec2', operation, input } as const;
    const answer = await aws.answer(call, { signal: never, serving: { wait: (work) => work() } });
    return answer.kind === 'refused' ? answer.code : answer.output;
  };
  const call = async (operation: string, input: object = {}): Promise<Answer> => {
    const answer = await ask(operation, input);
    if (typeof answer === 'string') throw new Error(`${operation}: ${answer}`);
    return answer;
  };
  const { VpcId } = (await call('CreateVpc', { CidrBlock: '10.0.0.0/16' }))['Vpc'] as { VpcId: string };
  return { ask, call, VpcId };
}

/** Asks again and again. @returns how often EC2 did it before it refused, and the code */
async function askUntilRefused(ask: (nth: number) => Promise<Answer | string>): Promise<readonly [number, string]> {
  for (let nth = 0; nth < 250; nth += 1) {
    const answer = await ask(nth);
    if (typeof answer === 'string') return [nth, answer];
  }
  throw new Error('nothing was refused');
}

describe('there are as many as the quotas of a new account allow', () => {
  test.each([
    {
      what: 'Elastic IP addresses',
      create: 'AllocateAddress',
      list: 'DescribeAddresses',
      member: 'Addresses',
      most: 5,
    },
    {
      what: 'internet gateways',
      create: 'CreateInternetGateway',
      list: 'DescribeInternetGateways',
      member: 'InternetGateways',
      most: 5,
    },
  ])('$most $what of a region', async ({ create, list, member, most }) => {
    const { ask, call } = await world();
    const [, code] = await askUntilRefused(() => ask(create));
    expect(code).toMatch(/^(?:Address|InternetGateway)LimitExceeded$/);
    expect((await call(list))[member]).toHaveLength(most);
  });

  test('200 route tables of a VPC', async () => {
    const { ask, VpcId } = await world();
    // One came with the VPC.
    expect(await askUntilRefused(() => ask('CreateRouteTable', { VpcId }))).toEqual([199, 'RouteTableLimitExceeded']);
  });

  test('five blocks of IPv4 addresses of a VPC, five of IPv6, and one of IPv6 of a subnet', async () => {
    const { ask, call, VpcId } = await world();
    const addBlock = (nth: number) => ask('AssociateVpcCidrBlock', { VpcId, CidrBlock: `10.${nth + 1}.0.0/16` });
    expect(await askUntilRefused(addBlock)).toEqual([4, 'CidrLimitExceeded']);
    const addSixth = () => ask('AssociateVpcCidrBlock', { VpcId, AmazonProvidedIpv6CidrBlock: true });
    expect(await askUntilRefused(addSixth)).toEqual([5, 'CidrLimitExceeded']);
    const [vpc] = (await call('DescribeVpcs', { VpcIds: [VpcId] }))['Vpcs'] as readonly {
      Ipv6CidrBlockAssociationSet: readonly { Ipv6CidrBlock: string }[];
    }[];
    const [first = '', second = ''] = (vpc?.Ipv6CidrBlockAssociationSet ?? []).map((each) => each.Ipv6CidrBlock);
    const { SubnetId } = (await call('CreateSubnet', { VpcId, CidrBlock: '10.0.0.0/24' }))['Subnet'] as {
      SubnetId: string;
    };
    const associate = (Ipv6CidrBlock: string) =>
      ask('AssociateSubnetCidrBlock', { SubnetId, Ipv6CidrBlock: Ipv6CidrBlock.replace('/56', '/64') });
    expect(await associate(first)).toMatchObject({ SubnetId });
    expect(await associate(second)).toBe('CidrLimitExceeded');
  });

  test('five NAT gateways of a zone', async () => {
    const { ask, call, VpcId } = await world();
    const { SubnetId } = (await call('CreateSubnet', { VpcId, CidrBlock: '10.0.0.0/24' }))['Subnet'] as {
      SubnetId: string;
    };
    const createGateway = () => ask('CreateNatGateway', { SubnetId, ConnectivityType: 'private' });
    const [, code] = await askUntilRefused(createGateway);
    expect(code).toBe('NatGatewayLimitExceeded');
  });
});

describe('a route is refused', () => {
  const everywhere = { DestinationCidrBlock: '0.0.0.0/0' };
  test.each([
    ['CreateRoute', { ...everywhere, GatewayId: 'igw-0123' }, 'InvalidGatewayID.NotFound'],
    ['CreateRoute', { ...everywhere, EgressOnlyInternetGatewayId: 'eigw-0123' }, 'InvalidGatewayID.NotFound'],
    ['CreateRoute', { ...everywhere, NatGatewayId: 'nat-0123' }, 'InvalidNatGatewayID.NotFound'],
    ['CreateRoute', { ...everywhere, InstanceId: 'i-0123' }, 'InvalidInstanceID.NotFound'],
    ['CreateRoute', { ...everywhere, NetworkInterfaceId: 'eni-0123' }, 'InvalidNetworkInterfaceID.NotFound'],
    ['CreateRoute', { ...everywhere, VpcPeeringConnectionId: 'pcx-0123' }, 'InvalidVpcPeeringConnectionID.NotFound'],
    ['CreateRoute', { ...everywhere, TransitGatewayId: 'tgw-0123' }, 'InvalidTransitGatewayID.NotFound'],
    ['CreateRoute', { ...everywhere, GatewayId: 'igw-0123', InstanceId: 'i-0123' }, 'InvalidParameterCombination'],
    ['CreateRoute', { GatewayId: 'igw-0123' }, 'MissingParameter'],
    ['CreateRoute', { ...everywhere, DestinationIpv6CidrBlock: '::/0' }, 'InvalidParameterCombination'],
    ['CreateRoute', { DestinationIpv6CidrBlock: '10.0.0.0/8' }, 'InvalidParameterValue'],
    ['CreateRoute', { DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'igw-0123' }, 'RouteAlreadyExists'],
    ['ReplaceRoute', { ...everywhere, GatewayId: 'igw-0123' }, 'InvalidParameterValue'],
    ['DeleteRoute', everywhere, 'InvalidRoute.NotFound'],
    ['DeleteRoute', { DestinationIpv6CidrBlock: '::/0' }, 'InvalidRoute.NotFound'],
    ['DeleteRoute', { DestinationCidrBlock: '10.0.0.0/16' }, 'InvalidParameterValue'],
  ])('%s %o: %s', async (operation, route, code) => {
    const { ask, call, VpcId } = await world();
    const { RouteTableId } = (await call('CreateRouteTable', { VpcId }))['RouteTable'] as { RouteTableId: string };
    expect(await ask(operation, { RouteTableId, ...route })).toBe(code);
  });
});

test.each([
  ['DescribeInternetGateways', { InternetGatewayIds: ['gw-1'] }, 'InvalidInternetGatewayId.Malformed'],
  ['DescribeNatGateways', { NatGatewayIds: ['gw-1'] }, 'InvalidNatGatewayID.Malformed'],
  ['DescribeNetworkInterfaces', { NetworkInterfaceIds: ['if-1'] }, 'InvalidNetworkInterfaceId.Malformed'],
  ['DescribeRouteTables', { RouteTableIds: ['table-1'] }, 'InvalidRouteTableId.Malformed'],
  ['DescribeSecurityGroups', { GroupIds: ['group-1'] }, 'InvalidGroupId.Malformed'],
  ['DescribeSnapshots', { SnapshotIds: ['s-1'] }, 'InvalidSnapshotID.Malformed'],
  ['DescribeVolumes', { VolumeIds: ['v-1'] }, 'InvalidVolumeID.Malformed'],
  ['DescribeVpcEndpoints', { VpcEndpointIds: ['e-1'] }, 'InvalidVpcEndpointId.Malformed'],
  ['DescribeVpcs', { VpcIds: ['v-1'] }, 'InvalidVpcID.Malformed'],
])('an id of another form is told before anything else: %s %o', async (operation, input, code) => {
  const { ask } = await world();
  expect(await ask(operation, input)).toBe(code);
});

test('a capacity reservation that was cancelled does not change any more', async () => {
  const { ask, call } = await world();
  const created = await call('CreateCapacityReservation', {
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    AvailabilityZone: 'us-east-1a',
    InstanceCount: 1,
  });
  const { CapacityReservationId } = created['CapacityReservation'] as { CapacityReservationId: string };
  await call('CancelCapacityReservation', { CapacityReservationId });
  const modified = await ask('ModifyCapacityReservation', { CapacityReservationId, InstanceCount: 2 });
  expect(modified).toBe('InvalidCapacityReservationState');
});
