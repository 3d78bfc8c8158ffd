import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

type Answer = Readonly<Record<string, unknown>>;
type NetworkAcl = { readonly NetworkAclId: string; readonly IsDefault: boolean; readonly VpcId: string };

let call: ReturnType<typeof ec2Caller>['call'];
const ids = {
  vpc: '',
  emptyVpc: '',
  subnet: '',
  gateway: '',
  attached: '',
  egress: '',
  address: '',
  nat: '',
  table: '',
  emptyTable: '',
  association: '',
  acl: '',
  emptyAcl: '',
  aclAssociation: '',
  endpoint: '',
};
const s3 = 'com.amazonaws.us-east-1.s3';
const rule = {
  RuleNumber: 100,
  Egress: false,
  Protocol: 'tcp',
  RuleAction: 'allow',
  CidrBlock: '10.0.0.0/8',
  PortRange: { From: 80, To: 80 },
};

/** The member of an answer that holds what was made. */
const made = async (operation: string, input: object, member: string): Promise<Answer> => {
  const answer = await call(operation, input);
  if (typeof answer === 'string') throw new Error(`${operation}: ${answer}`);
  return (answer as Readonly<Record<string, Answer>>)[member] ?? {};
};

async function layNetwork(): Promise<void> {
  const { aws, clock } = await anEc2();
  ({ call } = ec2Caller(aws));
  const idOf = async (operation: string, input: object, [member, id]: readonly [string, string]) =>
    String((await made(operation, input, member))[id]);
  ids.vpc = await idOf('CreateVpc', { CidrBlock: '10.0.0.0/16' }, ['Vpc', 'VpcId']);
  ids.emptyVpc = await idOf('CreateVpc', { CidrBlock: '10.1.0.0/16' }, ['Vpc', 'VpcId']);
  const VpcId = ids.vpc;
  ids.subnet = await idOf('CreateSubnet', { VpcId, CidrBlock: '10.0.0.0/24' }, ['Subnet', 'SubnetId']);
  ids.attached = await idOf('CreateInternetGateway', {}, ['InternetGateway', 'InternetGatewayId']);
  await call('AttachInternetGateway', { VpcId, InternetGatewayId: ids.attached });
  ids.gateway = await idOf('CreateInternetGateway', {}, ['InternetGateway', 'InternetGatewayId']);
  ids.egress = await idOf('CreateEgressOnlyInternetGateway', { VpcId }, [
    'EgressOnlyInternetGateway',
    'EgressOnlyInternetGatewayId',
  ]);
  ids.address = ((await call('AllocateAddress')) as { AllocationId: string }).AllocationId;
  ids.nat = await idOf('CreateNatGateway', { SubnetId: ids.subnet, ConnectivityType: 'private' }, [
    'NatGateway',
    'NatGatewayId',
  ]);
  ids.table = await idOf('CreateRouteTable', { VpcId }, ['RouteTable', 'RouteTableId']);
  ids.emptyTable = await idOf('CreateRouteTable', { VpcId }, ['RouteTable', 'RouteTableId']);
  await call('CreateRoute', { RouteTableId: ids.table, DestinationCidrBlock: '0.0.0.0/0', GatewayId: ids.attached });
  const association = await call('AssociateRouteTable', { RouteTableId: ids.table, SubnetId: ids.subnet });
  ids.association = (association as { AssociationId: string }).AssociationId;
  ids.acl = await idOf('CreateNetworkAcl', { VpcId }, ['NetworkAcl', 'NetworkAclId']);
  ids.emptyAcl = await idOf('CreateNetworkAcl', { VpcId }, ['NetworkAcl', 'NetworkAclId']);
  await call('CreateNetworkAclEntry', { NetworkAclId: ids.acl, ...rule });
  const { NetworkAcls } = (await call('DescribeNetworkAcls')) as {
    NetworkAcls: (NetworkAcl & { Associations: { NetworkAclAssociationId: string }[] })[];
  };
  const held = NetworkAcls.find((acl) => acl.IsDefault && acl.VpcId === VpcId)?.Associations[0];
  ids.aclAssociation = held?.NetworkAclAssociationId ?? '';
  ids.endpoint = await idOf('CreateVpcEndpoint', { VpcId, ServiceName: s3 }, ['VpcEndpoint', 'VpcEndpointId']);
  await clock.advance(minutes(5));
}

/** What a call would change, as far as operations tell. */
async function readNetwork(): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const what of [
    'Addresses',
    'EgressOnlyInternetGateways',
    'InternetGateways',
    'NatGateways',
    'NetworkAcls',
    'RouteTables',
    'Subnets',
    'Tags',
    'VpcEndpoints',
    'Vpcs',
  ])
    answers.push(await call(`Describe${what}`));
  for (const Attribute of ['enableDnsSupport', 'enableDnsHostnames'])
    answers.push(await call('DescribeVpcAttribute', { VpcId: ids.vpc, Attribute }));
  return answers;
}

/** Every operation that changes a network and knows dry runs, with a request that would succeed. */
const writes: readonly (readonly [operation: string, input: () => object])[] = [
  ['CreateVpc', () => ({ CidrBlock: '10.2.0.0/16' })],
  ['CreateSubnet', () => ({ VpcId: ids.vpc, CidrBlock: '10.0.1.0/24' })],
  ['CreateInternetGateway', () => ({})],
  ['AttachInternetGateway', () => ({ VpcId: ids.emptyVpc, InternetGatewayId: ids.gateway })],
  ['DetachInternetGateway', () => ({ VpcId: ids.vpc, InternetGatewayId: ids.attached })],
  ['DeleteInternetGateway', () => ({ InternetGatewayId: ids.gateway })],
  ['CreateEgressOnlyInternetGateway', () => ({ VpcId: ids.vpc })],
  ['DeleteEgressOnlyInternetGateway', () => ({ EgressOnlyInternetGatewayId: ids.egress })],
  ['AllocateAddress', () => ({})],
  ['ReleaseAddress', () => ({ AllocationId: ids.address })],
  ['CreateNatGateway', () => ({ SubnetId: ids.subnet, AllocationId: ids.address })],
  ['DeleteNatGateway', () => ({ NatGatewayId: ids.nat })],
  ['CreateRouteTable', () => ({ VpcId: ids.vpc })],
  ['DeleteRouteTable', () => ({ RouteTableId: ids.emptyTable })],
  ['AssociateRouteTable', () => ({ RouteTableId: ids.emptyTable, GatewayId: ids.attached })],
  ['DisassociateRouteTable', () => ({ AssociationId: ids.association })],
  ['ReplaceRouteTableAssociation', () => ({ AssociationId: ids.association, RouteTableId: ids.emptyTable })],
  [
    'CreateRoute',
    () => ({ RouteTableId: ids.table, DestinationIpv6CidrBlock: '::/0', EgressOnlyInternetGatewayId: ids.egress }),
  ],
  ['ReplaceRoute', () => ({ RouteTableId: ids.table, DestinationCidrBlock: '0.0.0.0/0', NatGatewayId: ids.nat })],
  ['DeleteRoute', () => ({ RouteTableId: ids.table, DestinationCidrBlock: '0.0.0.0/0' })],
  ['CreateNetworkAcl', () => ({ VpcId: ids.vpc })],
  ['DeleteNetworkAcl', () => ({ NetworkAclId: ids.emptyAcl })],
  ['CreateNetworkAclEntry', () => ({ NetworkAclId: ids.acl, ...rule, RuleNumber: 200 })],
  ['ReplaceNetworkAclEntry', () => ({ NetworkAclId: ids.acl, ...rule, RuleAction: 'deny' })],
  ['DeleteNetworkAclEntry', () => ({ NetworkAclId: ids.acl, RuleNumber: 100, Egress: false })],
  ['ReplaceNetworkAclAssociation', () => ({ AssociationId: ids.aclAssociation, NetworkAclId: ids.acl })],
  ['CreateVpcEndpoint', () => ({ VpcId: ids.vpc, ServiceName: s3 })],
  ['ModifyVpcEndpoint', () => ({ VpcEndpointId: ids.endpoint, AddRouteTableIds: [ids.table] })],
  ['DeleteVpcEndpoints', () => ({ VpcEndpointIds: [ids.endpoint] })],
  ['DeleteVpc', () => ({ VpcId: ids.emptyVpc })],
];

describe('a dry run of a change of the network that would succeed says so and changes nothing', () => {
  beforeAll(layNetwork);

  test.each(writes)('%s', async (operation, input) => {
    const before = await readNetwork();
    expect(await call(operation, { ...input(), DryRun: true })).toBe('DryRunOperation');
    expect(await readNetwork()).toEqual(before);
  });
});

describe('the same call without a dry run changes the network', () => {
  beforeEach(layNetwork);

  test.each(writes)('%s', async (operation, input) => {
    const before = await readNetwork();
    expect(typeof (await call(operation, input()))).toBe('object');
    expect(await readNetwork()).not.toEqual(before);
  });
});
