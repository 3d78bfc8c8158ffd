import { instant, minutes, toTimestamp } from '@nodewright/apis';
import { LineLedger } from '@nodewright/runtime';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { arm, aTestAccount, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

const anAccount = (journal: MemoryJournal, begins: { readonly start?: string; readonly seed?: number } = {}) => {
  const ledger = new LineLedger({ kept: keptIn(journal.lines), now: () => instant(0), journal });
  const account = aTestAccount({ releases: [x86, arm], ledger, ...begins });
  return { ...account, ...ec2Caller(account.aws) };
};
type Account = ReturnType<typeof anAccount>;

const tagged = (ResourceType: string, name = 'a') => ({
  TagSpecifications: [{ ResourceType, Tags: [{ Key: 'Name', Value: name }] }],
});

/** Asks for something, and takes from the answer what lies at a path: `Vpc.VpcId`, `Instances.0.InstanceId`. */
async function make({ call }: Account, operation: string, input: object, path = ''): Promise<string> {
  const answer = await call(operation, input);
  if (typeof answer === 'string') throw new Error(`${operation} ${JSON.stringify(input)}: ${answer}`);
  const found = path
    .split('.')
    .reduce((object: unknown, key) => (key === '' ? object : Reflect.get(Object(object), key)), answer);
  return String(found);
}

/** One of everything, some of it under way. */
async function fill(account: Account): Promise<void> {
  const made = (operation: string, input: object, path?: string) => make(account, operation, input, path);
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  await made('CreateKeyPair', { KeyName: 'mine', ...tagged('key-pair') });
  await made('CreatePlacementGroup', { GroupName: 'racks', Strategy: 'partition', PartitionCount: 2 });
  const VpcId = await made('CreateVpc', { CidrBlock: '10.1.0.0/16', ...tagged('vpc') }, 'Vpc.VpcId');
  await made('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: { Value: true } });
  await made('AssociateVpcCidrBlock', { VpcId, CidrBlock: '10.2.0.0/16' });
  const subnet = { VpcId, CidrBlock: '10.1.1.0/24', AvailabilityZone: 'us-east-1b', ...tagged('subnet') };
  const SubnetId = await made('CreateSubnet', subnet, 'Subnet.SubnetId');
  await made('ModifySubnetAttribute', { SubnetId, MapPublicIpOnLaunch: { Value: true } });
  const GroupId = await made('CreateSecurityGroup', { GroupName: 'web', Description: 'web', VpcId }, 'GroupId');
  await made('AuthorizeSecurityGroupIngress', {
    GroupId,
    IpPermissions: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: '10.0.0.0/8' }] }],
  });
  const InternetGatewayId = await made('CreateInternetGateway', {}, 'InternetGateway.InternetGatewayId');
  await made('AttachInternetGateway', { InternetGatewayId, VpcId });
  const RouteTableId = await made('CreateRouteTable', { VpcId }, 'RouteTable.RouteTableId');
  await made('CreateRoute', { RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId: InternetGatewayId });
  await made('AssociateRouteTable', { RouteTableId, SubnetId });
  await made('CreateEgressOnlyInternetGateway', { VpcId });
  const NetworkAclId = await made('CreateNetworkAcl', { VpcId }, 'NetworkAcl.NetworkAclId');
  const entry = { RuleNumber: 7, Protocol: '-1', RuleAction: 'allow', Egress: false, CidrBlock: '10.0.0.0/8' };
  await made('CreateNetworkAclEntry', { NetworkAclId, ...entry });
  await made('CreateVpcEndpoint', { VpcId, ServiceName: 'com.amazonaws.us-east-1.s3', RouteTableIds: [RouteTableId] });
  const AllocationId = await made('AllocateAddress', { Domain: 'vpc' }, 'AllocationId');
  await made('AllocateAddress', { Domain: 'vpc', ...tagged('elastic-ip', 'spare') });
  await made('CreateNatGateway', { SubnetId, AllocationId });
  await made('CreateNetworkInterface', { SubnetId, Description: 'spare', Groups: [GroupId] });
  const template = {
    LaunchTemplateName: 'nodes',
    LaunchTemplateData: { ImageId: x86.imageId, InstanceType: 'm5.large' },
  };
  const LaunchTemplateId = await made('CreateLaunchTemplate', template, 'LaunchTemplate.LaunchTemplateId');
  await made('CreateLaunchTemplateVersion', { LaunchTemplateId, LaunchTemplateData: { InstanceType: 'c5.large' } });
  await made('ModifyLaunchTemplate', { LaunchTemplateId, DefaultVersion: '2' });
  await made('CreateCapacityReservation', {
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    InstanceCount: 2,
    AvailabilityZone: 'us-east-1a',
  });
  const InstanceId = await made(
    'RunInstances',
    {
      ...launch,
      KeyName: 'mine',
      SubnetId,
      SecurityGroupIds: [GroupId],
      BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 10, VolumeType: 'gp3', Iops: 4_000 } }],
      ...tagged('instance', 'web'),
    },
    'Instances.0.InstanceId',
  );
  await made('ModifyInstanceAttribute', { InstanceId, DisableApiTermination: { Value: true } });
  await made('RunInstances', { ...launch, Placement: { GroupName: 'racks' } });
  await made('RunInstances', { ...launch, InstanceMarketOptions: { MarketType: 'spot' }, ClientToken: 'once' });
  const leaving = await made('RunInstances', { ...launch, ...tagged('instance', 'leaving') }, 'Instances.0.InstanceId');
  await account.clock.advance(minutes(2));
  await made('CreateImage', { InstanceId, Name: 'mine', Description: 'of web' });
  await made('StopInstances', { InstanceIds: [InstanceId] });
  await made('TerminateInstances', { InstanceIds: [leaving] });
  await made('CreateTags', { Resources: [VpcId, InstanceId], Tags: [{ Key: 'team', Value: 'blue' }] });
}

const described = [
  'DescribeAddresses',
  'DescribeCapacityReservations',
  'DescribeEgressOnlyInternetGateways',
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeInternetGateways',
  'DescribeKeyPairs',
  'DescribeLaunchTemplates',
  'DescribeNatGateways',
  'DescribeNetworkAcls',
  'DescribeNetworkInterfaces',
  'DescribePlacementGroups',
  'DescribeRouteTables',
  'DescribeSecurityGroups',
  'DescribeSecurityGroupRules',
  'DescribeSpotInstanceRequests',
  'DescribeSubnets',
  'DescribeTags',
  'DescribeVolumes',
  'DescribeVpcEndpoints',
  'DescribeVpcs',
].map((operation) => [operation, {}] as const);
const describedBy: readonly (readonly [operation: string, input: object])[] = [
  ...described,
  ['DescribeImages', { Owners: ['self'] }],
  ['DescribeLaunchTemplateVersions', { LaunchTemplateName: 'nodes' }],
];

/** An account that has lived on, and one whose process ended and began again at the same instant. */
let living: Account, restarted: Account;
beforeAll(async () => {
  const journal = new MemoryJournal();
  living = anAccount(journal);
  await fill(living);
  restarted = anAccount(new MemoryJournal(journal.lines), { start: toTimestamp(living.clock.now()), seed: 2 });
  restarted.aws.resume();
});

const comparable = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'NextToken' ? undefined : value)));

describe.each(describedBy)('after a restart %s %j', (operation, input) => {
  test('answers as before', async () => {
    const [before, after] = [await living.call(operation, input), await restarted.call(operation, input)];
    expect(typeof before).toBe('object');
    expect(comparable(after)).toEqual(comparable(before));
  });
});

describe('after a restart', () => {
  test('what was under way ends as it would have', async () => {
    for (const account of [living, restarted]) await account.clock.advance(minutes(90));
    for (const [operation, input] of describedBy)
      expect(comparable(await restarted.call(operation, input)), operation).toEqual(
        comparable(await living.call(operation, input)),
      );
    const { Reservations } = (await restarted.call('DescribeInstances')) as {
      readonly Reservations: readonly {
        readonly Instances: readonly { readonly State: { readonly Name: string } }[];
      }[];
    };
    const states = Reservations.flatMap(({ Instances }) => Instances.map(({ State }) => State.Name));
    expect(states.toSorted()).toEqual(['running', 'running', 'stopped']);
  });

  test('a launch with the same token is the same launch', async () => {
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, ClientToken: 'once' };
    const again = { ...launch, InstanceMarketOptions: { MarketType: 'spot' } };
    const ids = [living, restarted].map((account) => make(account, 'RunInstances', again, 'Instances.0.InstanceId'));
    const [first, second] = await Promise.all(ids);
    expect(second).toBe(first);
  });

  test.each<readonly [operation: string, input: object, list: string, id: string]>([
    [
      'RunInstances',
      { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 3, MaxCount: 3 },
      'Instances',
      'InstanceId',
    ],
    ['CreateVpc', { CidrBlock: '10.9.0.0/16' }, 'Vpc', 'VpcId'],
    ['AllocateAddress', { Domain: 'vpc' }, '', 'AllocationId'],
    ['CreateInternetGateway', {}, 'InternetGateway', 'InternetGatewayId'],
    ['CreateKeyPair', { KeyName: 'second' }, '', 'KeyPairId'],
    ['CreatePlacementGroup', { GroupName: 'second' }, 'PlacementGroup', 'GroupId'],
    [
      'CreateLaunchTemplate',
      { LaunchTemplateName: 'second', LaunchTemplateData: { InstanceType: 'm5.large' } },
      'LaunchTemplate',
      'LaunchTemplateId',
    ],
    [
      'CreateCapacityReservation',
      { InstanceType: 'm5.large', InstancePlatform: 'Linux/UNIX', InstanceCount: 1, AvailabilityZone: 'us-east-1a' },
      'CapacityReservation',
      'CapacityReservationId',
    ],
  ])('%s gives an id that nothing has yet', async (operation, input, list, id) => {
    const known = JSON.stringify(await Promise.all(describedBy.map(([each, by]) => restarted.call(each, by))));
    const answer = (await restarted.call(operation, input)) as Readonly<Record<string, unknown>>;
    const found = list === '' ? answer : answer[list];
    const ids = [found].flat().map((each) => String(Reflect.get(Object(each), id)));
    expect(new Set(ids).size).toBe(ids.length);
    for (const each of ids) {
      expect(each).toMatch(/^[a-z]+-0?[0-9a-f]+$/);
      expect(known.includes(each)).toBe(false);
    }
  });

  test('addresses that are taken stay taken', async () => {
    const { Reservations } = (await restarted.call('DescribeInstances')) as {
      readonly Reservations: readonly {
        readonly Instances: readonly { readonly PrivateIpAddress?: string; readonly PublicIpAddress?: string }[];
      }[];
    };
    const instances = Reservations.flatMap(({ Instances }) => Instances);
    for (const addresses of [
      instances.flatMap(({ PrivateIpAddress = [] }) => PrivateIpAddress),
      instances.flatMap(({ PublicIpAddress = [] }) => PublicIpAddress),
    ]) {
      expect(new Set(addresses).size).toBe(addresses.length);
    }
  });

  test('names that are taken stay taken', async () => {
    expect(await restarted.call('CreateKeyPair', { KeyName: 'mine' })).toBe('InvalidKeyPair.Duplicate');
    expect(await restarted.call('CreatePlacementGroup', { GroupName: 'racks' })).toBe(
      'InvalidPlacementGroup.Duplicate',
    );
    const template = { LaunchTemplateName: 'nodes', LaunchTemplateData: { InstanceType: 'm5.large' } };
    expect(await restarted.call('CreateLaunchTemplate', template)).toBe(
      'InvalidLaunchTemplateName.AlreadyExistsException',
    );
  });
});
