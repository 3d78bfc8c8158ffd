import { minutes } from '@nodewright/apis';
import { anEc2, never, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const call = async (operation: string, input: object = {}): Promise<Answer> => {
    const answer = await account.aws.answer(
      { service: 'ec2', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const VpcId = (await call('CreateVpc', { CidrBlock: '10.0.0.0/16' })).Vpc?.VpcId ?? '';
  const createSubnet = async (CidrBlock: string) =>
    (await call('CreateSubnet', { VpcId, CidrBlock })).Subnet?.SubnetId ?? '';
  const createGateway = async () => (await call('CreateInternetGateway')).InternetGateway?.InternetGatewayId ?? '';
  const createTable = async () => (await call('CreateRouteTable', { VpcId })).RouteTable?.RouteTableId ?? '';
  const tableWith = async (Name: string, value: string) =>
    (await call('DescribeRouteTables', { Filters: [{ Name, Values: [value] }] })).RouteTables?.[0];
  const own = account.aws.ec2.network.vpcId;
  return { ...account, call, VpcId, createSubnet, createGateway, createTable, tableWith, own };
}

type Table = {
  readonly RouteTableId: string;
  readonly VpcId: string;
  readonly Routes: readonly { readonly State: string }[];
  readonly Associations: readonly { readonly RouteTableAssociationId: string; readonly Main: boolean }[];
};

type Answer = {
  readonly Vpc?: { readonly VpcId: string };
  readonly Vpcs?: readonly object[];
  readonly Subnet?: { readonly SubnetId: string };
  readonly InternetGateway?: { readonly InternetGatewayId: string };
  readonly InternetGateways?: readonly object[];
  readonly RouteTable?: Table;
  readonly RouteTables?: readonly Table[];
  readonly NatGateway?: { readonly NatGatewayId: string; readonly State: string };
  readonly NatGateways?: readonly { readonly State: string }[];
  readonly AllocationId?: string;
  readonly Addresses?: readonly object[];
  readonly AssociationId?: string;
  readonly NewAssociationId?: string;
  readonly Tags?: readonly object[];
  readonly CidrBlockAssociation?: { readonly AssociationId: string };
  readonly Ipv6CidrBlockAssociation?: { readonly AssociationId: string; readonly Ipv6CidrBlock: string };
};

test('an internet gateway is attached to one VPC at a time, and goes when it is detached', async () => {
  const { call, VpcId, createGateway, own } = await world();
  const InternetGatewayId = await createGateway();
  await call('CreateTags', { Resources: [InternetGatewayId], Tags: [{ Key: 'Name', Value: 'web' }] });
  await expect(call('AttachInternetGateway', { InternetGatewayId, VpcId: own })).rejects.toThrow(
    `Network ${own} already has an internet gateway attached`,
  );
  await call('AttachInternetGateway', { InternetGatewayId, VpcId });
  await expect(call('AttachInternetGateway', { InternetGatewayId, VpcId })).rejects.toThrow(
    'Resource.AlreadyAssociated',
  );
  const Filters = [{ Name: 'attachment.vpc-id', Values: [VpcId] }];
  expect((await call('DescribeInternetGateways', { Filters })).InternetGateways).toEqual([
    expect.objectContaining({
      InternetGatewayId,
      Attachments: [{ State: 'available', VpcId }],
      Tags: [{ Key: 'Name', Value: 'web' }],
    }),
  ]);
  await expect(call('DeleteInternetGateway', { InternetGatewayId })).rejects.toThrow('DependencyViolation');
  await expect(call('DeleteVpc', { VpcId })).rejects.toThrow('DependencyViolation');
  await call('DetachInternetGateway', { InternetGatewayId, VpcId });
  await expect(call('DetachInternetGateway', { InternetGatewayId, VpcId })).rejects.toThrow('Gateway.NotAttached');
  await call('DeleteInternetGateway', { InternetGatewayId });
  await expect(call('DeleteInternetGateway', { InternetGatewayId })).rejects.toThrow(
    'InvalidInternetGatewayID.NotFound',
  );
  await call('DeleteVpc', { VpcId });
});

test('a subnet uses the main table until one is associated with it', async () => {
  const { call, VpcId, createSubnet, createTable, tableWith } = await world();
  const SubnetId = await createSubnet('10.0.0.0/24');
  const main = await tableWith('vpc-id', VpcId);
  expect(main).toMatchObject({ VpcId, Associations: [{ Main: true }], Routes: [{ GatewayId: 'local' }] });
  expect(await tableWith('association.subnet-id', SubnetId)).toBeUndefined();
  const RouteTableId = await createTable();
  const { AssociationId } = await call('AssociateRouteTable', { RouteTableId, SubnetId });
  expect((await tableWith('association.subnet-id', SubnetId))?.RouteTableId).toBe(RouteTableId);
  await expect(call('AssociateRouteTable', { RouteTableId: main?.RouteTableId, SubnetId })).rejects.toThrow(
    'Resource.AlreadyAssociated',
  );
  await expect(call('DeleteRouteTable', { RouteTableId })).rejects.toThrow('DependencyViolation');
  const moved = await call('ReplaceRouteTableAssociation', { AssociationId, RouteTableId: main?.RouteTableId });
  expect(moved.NewAssociationId).not.toBe(AssociationId);
  await call('DisassociateRouteTable', { AssociationId: moved.NewAssociationId });
  expect(await tableWith('association.subnet-id', SubnetId)).toBeUndefined();
  const [association] = main?.Associations ?? [];
  await expect(call('DisassociateRouteTable', { AssociationId: association?.RouteTableAssociationId })).rejects.toThrow(
    'cannot disassociate the main route table association',
  );
  await call('ReplaceRouteTableAssociation', { AssociationId: association?.RouteTableAssociationId, RouteTableId });
  expect((await tableWith('association.main', 'true'))?.VpcId).toBeDefined();
  await call('DeleteRouteTable', { RouteTableId: main?.RouteTableId });
});

test('routes lead to what is there, and become black holes when it is gone', async () => {
  const { call, VpcId, createGateway, createTable, own } = await world();
  const [RouteTableId, GatewayId] = [await createTable(), await createGateway()];
  const route = { RouteTableId, DestinationCidrBlock: '0.0.0.0/0' };
  const stateOf = async () =>
    (await call('DescribeRouteTables', { RouteTableIds: [RouteTableId] })).RouteTables?.[0]?.Routes.at(-1)?.State;
  await expect(call('CreateRoute', { ...route, GatewayId })).rejects.toThrow('belong to different networks');
  await call('AttachInternetGateway', { InternetGatewayId: GatewayId, VpcId });
  await call('CreateRoute', { ...route, GatewayId });
  expect(await stateOf()).toBe('active');
  await expect(call('CreateRoute', { ...route, GatewayId })).rejects.toThrow('RouteAlreadyExists');
  await call('DetachInternetGateway', { InternetGatewayId: GatewayId, VpcId });
  expect(await stateOf()).toBe('blackhole');
  await expect(call('ReplaceRoute', { ...route, NatGatewayId: 'nat-0123' })).rejects.toThrow(
    'InvalidNatGatewayID.NotFound',
  );
  await call('DeleteRoute', route);
  await expect(call('DeleteRoute', route)).rejects.toThrow(
    `no route with destination-cidr-block 0.0.0.0/0 in route table ${RouteTableId}`,
  );
  await expect(call('DeleteRoute', { RouteTableId, DestinationCidrBlock: '10.0.0.0/16' })).rejects.toThrow(
    'cannot remove local route',
  );
  await expect(call('CreateRoute', { RouteTableId, DestinationCidrBlock: '0.0.0/0', GatewayId })).rejects.toThrow(
    'This is not a valid CIDR block',
  );
  await expect(call('CreateRoute', route)).rejects.toThrow('MissingParameter');
  await expect(call('DeleteVpc', { VpcId: own })).rejects.toThrow('DependencyViolation');
});

test('a NAT gateway takes its time, holds its subnet and address, and is listed for an hour after its end', async () => {
  const { call, clock, VpcId, createSubnet, createGateway } = await world();
  const SubnetId = await createSubnet('10.0.0.0/28');
  await call('AttachInternetGateway', { InternetGatewayId: await createGateway(), VpcId });
  await expect(call('CreateNatGateway', { SubnetId })).rejects.toThrow('The request must include the AllocationId');
  const { AllocationId } = await call('AllocateAddress', {
    TagSpecifications: [{ ResourceType: 'elastic-ip', Tags: [{ Key: 'Name', Value: 'nat' }] }],
  });
  const request = { SubnetId, AllocationId, ClientToken: 'once' };
  const { NatGateway: made } = await call('CreateNatGateway', request);
  expect(made?.State).toBe('pending');
  expect((await call('CreateNatGateway', request)).NatGateway).toEqual(made);
  await expect(call('CreateNatGateway', { SubnetId, AllocationId })).rejects.toThrow('Resource.AlreadyAssociated');
  const NatGatewayId = made?.NatGatewayId ?? '';
  const describe = async () => (await call('DescribeNatGateways', { NatGatewayIds: [NatGatewayId] })).NatGateways?.[0];
  await clock.advance(minutes(2));
  expect(await describe()).toMatchObject({
    State: 'available',
    ConnectivityType: 'public',
    NatGatewayAddresses: [{ AllocationId, PublicIp: expect.stringMatching(/^52\./), PrivateIp: expect.any(String) }],
  });
  const subnets = async () => call('DescribeSubnets', { SubnetIds: [SubnetId] });
  expect(await subnets()).toMatchObject({ Subnets: [{ AvailableIpAddressCount: 10 }] });
  await expect(call('ReleaseAddress', { AllocationId })).rejects.toThrow('InvalidIPAddress.InUse');
  await expect(call('DeleteSubnet', { SubnetId })).rejects.toThrow('DependencyViolation');
  await call('DeleteNatGateway', { NatGatewayId });
  expect((await describe())?.State).toBe('deleting');
  await clock.advance(minutes(2));
  expect((await describe())?.State).toBe('deleted');
  expect(await subnets()).toMatchObject({ Subnets: [{ AvailableIpAddressCount: 11 }] });
  await call('ReleaseAddress', { AllocationId });
  await call('DeleteSubnet', { SubnetId });
  await clock.advance(minutes(90));
  await expect(describe()).rejects.toThrow('NatGatewayNotFound');
});

test('a public NAT gateway fails in a VPC without an internet gateway, a private one needs none', async () => {
  const { call, clock, createSubnet } = await world();
  const SubnetId = await createSubnet('10.0.0.0/24');
  const { AllocationId } = await call('AllocateAddress');
  await call('CreateNatGateway', { SubnetId, AllocationId });
  await call('CreateNatGateway', { SubnetId, ConnectivityType: 'private' });
  await clock.advance(minutes(2));
  const Filter = [{ Name: 'subnet-id', Values: [SubnetId] }];
  expect((await call('DescribeNatGateways', { Filter })).NatGateways).toMatchObject([
    { State: 'failed', FailureCode: 'Gateway.NotAttached' },
    { State: 'available', ConnectivityType: 'private' },
  ]);
});

test('the cluster comes with gateways and tables, and a new subnet of its VPC uses the main one', async () => {
  const { call, own, aws } = await world();
  const Filters = [{ Name: 'vpc-id', Values: [own] }];
  const before = (await call('DescribeRouteTables', { Filters })).RouteTables;
  expect(before).toHaveLength(2 + aws.ec2.network.zones.length);
  await call('CreateSubnet', { VpcId: own, CidrBlock: '192.168.252.0/24' });
  expect((await call('DescribeRouteTables', { Filters })).RouteTables).toEqual(before);
  expect((await call('DescribeAddresses')).Addresses).toMatchObject([
    { NetworkInterfaceId: expect.stringMatching(/^eni-/) },
  ]);
  const gateway = (await call('DescribeInternetGateways')).InternetGateways?.[0] as { InternetGatewayId: string };
  await expect(
    call('DetachInternetGateway', { InternetGatewayId: gateway.InternetGatewayId, VpcId: own }),
  ).rejects.toThrow('has some mapped public address(es)');
});

test('a VPC takes further blocks, and its subnets lie in them', async () => {
  const { call, VpcId, createSubnet, tableWith } = await world();
  await expect(createSubnet('100.64.0.0/24')).rejects.toThrow('InvalidSubnet.Range');
  const added = await call('AssociateVpcCidrBlock', { VpcId, CidrBlock: '100.64.0.0/16' });
  const AssociationId = added.CidrBlockAssociation?.AssociationId;
  await expect(call('AssociateVpcCidrBlock', { VpcId, CidrBlock: '100.64.128.0/20' })).rejects.toThrow('conflicts');
  expect(await tableWith('vpc-id', VpcId)).toMatchObject({
    Routes: [{ DestinationCidrBlock: '10.0.0.0/16' }, { DestinationCidrBlock: '100.64.0.0/16' }],
  });
  const SubnetId = await createSubnet('100.64.0.0/24');
  await expect(call('DisassociateVpcCidrBlock', { AssociationId })).rejects.toThrow('InvalidCidrBlock.InUse');
  await call('DeleteSubnet', { SubnetId });
  await call('DisassociateVpcCidrBlock', { AssociationId });
  await expect(call('DisassociateVpcCidrBlock', { AssociationId })).rejects.toThrow('NotFound');
});

test('subnets take IPv6 blocks of their VPC, and instances addresses of their subnet', async () => {
  const { call, VpcId, createSubnet } = await world();
  const { Ipv6CidrBlockAssociation: block } = await call('AssociateVpcCidrBlock', {
    VpcId,
    AmazonProvidedIpv6CidrBlock: true,
  });
  const whole = block?.Ipv6CidrBlock ?? '';
  expect(whole).toMatch(/^2600:1f18:[0-9a-f]+:[0-9a-f]*00?::\/56$/);
  const Ipv6CidrBlock = whole.replace('/56', '/64');
  const SubnetId = await createSubnet('10.0.0.0/24');
  await expect(call('AssociateSubnetCidrBlock', { SubnetId, Ipv6CidrBlock: whole })).rejects.toThrow(
    'InvalidSubnet.Range',
  );
  const { Ipv6CidrBlockAssociation: own } = await call('AssociateSubnetCidrBlock', { SubnetId, Ipv6CidrBlock });
  expect(await call('DescribeSubnets', { SubnetIds: [SubnetId] })).toMatchObject({
    Subnets: [{ Ipv6CidrBlockAssociationSet: [{ Ipv6CidrBlock, Ipv6CidrBlockState: { State: 'associated' } }] }],
  });
  await expect(call('CreateSubnet', { VpcId, CidrBlock: '10.0.1.0/24', Ipv6CidrBlock })).rejects.toThrow(
    'InvalidSubnet.Conflict',
  );
  await call('ModifySubnetAttribute', { SubnetId, AssignIpv6AddressOnCreation: { Value: true } });
  const launched = await call('RunInstances', {
    ImageId: x86.imageId,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    SubnetId,
  });
  expect(launched).toMatchObject({
    Instances: [
      {
        NetworkInterfaces: [
          { Ipv6Addresses: [{ Ipv6Address: expect.stringContaining(Ipv6CidrBlock.replace('::/64', ':')) }] },
        ],
      },
    ],
  });
  await expect(call('DisassociateVpcCidrBlock', { AssociationId: block?.AssociationId })).rejects.toThrow('InUse');
  await call('DisassociateSubnetCidrBlock', { AssociationId: own?.AssociationId });
  await call('DisassociateVpcCidrBlock', { AssociationId: block?.AssociationId });
});
