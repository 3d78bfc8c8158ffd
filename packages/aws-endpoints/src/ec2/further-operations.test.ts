import { expect, test } from 'vitest';
import { anEc2, never, x86 } from '@nodewright/testkit/worlds';

async function world() {
  const account = await anEc2();
  const call = async (operation: string, input: object): Promise<unknown> => {
    const answer = await account.aws.answer(
      { service: 'ec2', operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : answer.code;
  };
  const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  await call('RunInstances', launch);
  const [instance] = account.aws.ec2.instances.all();
  if (instance === undefined) throw new Error('nothing was launched');
  return { ...account, call, launch, instance };
}

test('an instance has its volume, its interface and their records', async () => {
  const { call, instance } = await world();
  expect(await call('DescribeVolumes', { VolumeIds: [instance.root.volumeId] })).toMatchObject({
    Volumes: [{ Size: 20, VolumeType: 'gp2', State: 'in-use', Attachments: [{ InstanceId: instance.id }] }],
  });
  expect(await call('DescribeVolumes', { VolumeIds: ['vol-0123'] })).toBe('InvalidVolume.NotFound');
  const byInstance = { Filters: [{ Name: 'attachment.instance-id', Values: [instance.id] }] };
  expect(await call('DescribeNetworkInterfaces', byInstance)).toMatchObject({
    NetworkInterfaces: [
      {
        NetworkInterfaceId: instance.networkInterfaceId,
        PrivateIpAddresses: [{ PrivateIpAddress: instance.privateIp }],
      },
    ],
  });
});

test('a volume smaller than the snapshot of its image is refused', async () => {
  const { call, launch } = await world();
  const BlockDeviceMappings = [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 8 } }];
  expect(await call('RunInstances', { ...launch, BlockDeviceMappings })).toBe('InvalidBlockDeviceMapping');
});

test('instances stop and start, and answer with their states', async () => {
  const { call, clock, instance } = await world();
  const ids = { InstanceIds: [instance.id] };
  expect(await call('StopInstances', ids)).toBe('IncorrectInstanceState');
  await clock.advance(60_000);
  expect(await call('StopInstances', ids)).toMatchObject({
    StoppingInstances: [{ PreviousState: { Name: 'running' }, CurrentState: { Name: 'stopping' } }],
  });
  await clock.advance(60_000);
  expect(await call('StartInstances', ids)).toMatchObject({
    StartingInstances: [{ PreviousState: { Name: 'stopped' }, CurrentState: { Name: 'pending' } }],
  });
});

test('a spot instance of a one-time request does not stop, and its request is told', async () => {
  const { call, launch, aws, clock } = await world();
  const TagSpecifications = [{ ResourceType: 'spot-instances-request', Tags: [{ Key: 'team', Value: 'web' }] }];
  await call('RunInstances', { ...launch, TagSpecifications, InstanceMarketOptions: { MarketType: 'spot' } });
  await clock.advance(60_000);
  const spot = aws.ec2.instances.all().at(-1);
  expect(await call('StopInstances', { InstanceIds: [spot?.id] })).toBe('UnsupportedOperation');
  expect(await call('DescribeSpotInstanceRequests', {})).toMatchObject({
    SpotInstanceRequests: [
      {
        InstanceId: spot?.id,
        State: 'active',
        Status: { Code: 'fulfilled' },
        Tags: [{ Key: 'team', Value: 'web' }],
      },
    ],
  });
});

test('metadata options, groups and other attributes of an instance change', async () => {
  const { call, instance, aws } = await world();
  const InstanceId = instance.id;
  expect(await call('ModifyInstanceMetadataOptions', { InstanceId, HttpPutResponseHopLimit: 3 })).toMatchObject({
    InstanceMetadataOptions: { HttpPutResponseHopLimit: 3, HttpTokens: 'required', State: 'applied' },
  });
  const [group] = aws.ec2.network.securityGroups;
  await call('ModifyInstanceAttribute', { InstanceId, Groups: [group?.id] });
  await call('ModifyInstanceAttribute', { InstanceId, SourceDestCheck: { Value: false } });
  expect(await call('DescribeInstances', { InstanceIds: [InstanceId] })).toMatchObject({
    Reservations: [{ Instances: [{ SourceDestCheck: false, SecurityGroups: [{ GroupId: group?.id }] }] }],
  });
  expect(await call('ModifyInstanceAttribute', { InstanceId })).toBe('MissingParameter');
});

test('key pairs are made, imported and named by launches', async () => {
  const { call, launch } = await world();
  expect(await call('RunInstances', { ...launch, KeyName: 'me' })).toBe('InvalidKeyPair.NotFound');
  expect(await call('CreateKeyPair', { KeyName: 'me' })).toMatchObject({
    KeyMaterial: expect.stringContaining('BEGIN'),
  });
  expect(await call('CreateKeyPair', { KeyName: 'me' })).toBe('InvalidKeyPair.Duplicate');
  expect(await call('CreateKeyPair', { KeyName: ' me' })).toBe('InvalidParameterValue');
  expect(await call('ImportKeyPair', { KeyName: 'you', PublicKeyMaterial: Buffer.from('x') })).toBe(
    'InvalidKey.Format',
  );
  expect(await call('RunInstances', { ...launch, KeyName: 'me' })).toMatchObject({ Instances: [{ KeyName: 'me' }] });
  await call('DeleteKeyPair', { KeyName: 'me' });
  expect(await call('DescribeKeyPairs', {})).toEqual({ KeyPairs: [] });
});

test('security groups are made, and their rules come and go', async () => {
  const { call, aws } = await world();
  const made = (await call('CreateSecurityGroup', { GroupName: 'web', Description: 'web' })) as { GroupId: string };
  const { GroupId } = made;
  expect(await call('CreateSecurityGroup', { GroupName: 'web', Description: 'web' })).toBe('InvalidGroup.Duplicate');
  const IpPermissions = [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: '10.0.0.0/8' }] }];
  expect(await call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions })).toMatchObject({
    SecurityGroupRules: [{ CidrIpv4: '10.0.0.0/8', IsEgress: false }],
  });
  expect(await call('AuthorizeSecurityGroupIngress', { GroupId, IpPermissions })).toBe('InvalidPermission.Duplicate');
  const byPort = { Filters: [{ Name: 'ip-permission.from-port', Values: ['443'] }] };
  expect(await call('DescribeSecurityGroups', byPort)).toMatchObject({
    SecurityGroups: [{ GroupId, IpPermissions: [{ FromPort: 443 }], IpPermissionsEgress: [{ IpProtocol: '-1' }] }],
  });
  await call('RevokeSecurityGroupIngress', { GroupId, IpPermissions });
  expect(await call('RevokeSecurityGroupIngress', { GroupId, IpPermissions })).toBe('InvalidPermission.NotFound');
  expect(aws.ec2.network.securityGroups.at(-1)?.rules).toHaveLength(1);
});

test('instances of a subnet with resource names are named by their ids, unless their launch says otherwise', async () => {
  const { call, launch, aws } = await world();
  const SubnetId = aws.ec2.network.subnets[0]?.id;
  await call('ModifySubnetAttribute', { SubnetId, PrivateDnsHostnameTypeOnLaunch: 'resource-name' });
  await call('ModifySubnetAttribute', { SubnetId, EnableResourceNameDnsARecordOnLaunch: { Value: true } });
  const options = {
    HostnameType: 'resource-name',
    EnableResourceNameDnsARecord: true,
    EnableResourceNameDnsAAAARecord: false,
  };
  expect(await call('DescribeSubnets', { SubnetIds: [SubnetId] })).toMatchObject({
    Subnets: [{ PrivateDnsNameOptionsOnLaunch: options }],
  });
  await call('RunInstances', { ...launch, SubnetId });
  const named = aws.ec2.instances.all().at(-1);
  expect(await call('DescribeInstances', { InstanceIds: [named?.id] })).toMatchObject({
    Reservations: [{ Instances: [{ PrivateDnsName: `${named?.id}.ec2.internal`, PrivateDnsNameOptions: options }] }],
  });
  await call('RunInstances', { ...launch, SubnetId, PrivateDnsNameOptions: { HostnameType: 'ip-name' } });
  expect(aws.ec2.instances.all().at(-1)?.privateDnsName).toMatch(/^ip-192-168-/);
  expect(await call('ModifySubnetAttribute', { SubnetId })).toBe('MissingParameter');
});

test('a subnet that maps public addresses no more gives none', async () => {
  const { call, launch, aws } = await world();
  const SubnetId = aws.ec2.network.subnets.find((each) => each.public)?.id;
  await call('ModifySubnetAttribute', { SubnetId, MapPublicIpOnLaunch: { Value: false } });
  expect(await call('DescribeSubnets', { SubnetIds: [SubnetId] })).toMatchObject({
    Subnets: [{ MapPublicIpOnLaunch: false }],
  });
  await call('RunInstances', { ...launch, SubnetId });
  expect(await call('DescribeInstances', { Filters: [{ Name: 'ip-address', Values: ['*'] }] })).toMatchObject({
    Reservations: [{}],
  });
});

test.each([
  ['two to four vCPUs', { VCpuCount: { Min: 2, Max: 4 }, MemoryMiB: { Min: 0 } }, 'm5.large', 'm5.2xlarge'],
  [
    'an accelerator',
    { VCpuCount: { Min: 0 }, MemoryMiB: { Min: 0 }, AcceleratorTypes: ['gpu'] },
    'g5.xlarge',
    'm5.large',
  ],
  [
    'allowed types',
    { VCpuCount: { Min: 0 }, MemoryMiB: { Min: 0 }, AllowedInstanceTypes: ['c5.*'] },
    'c5.large',
    'm5.large',
  ],
])('types are found by requirements: %s', async (_fact, InstanceRequirements, has, lacks) => {
  const { call } = await world();
  const found = await call('GetInstanceTypesFromInstanceRequirements', {
    ArchitectureTypes: ['x86_64'],
    VirtualizationTypes: ['hvm'],
    InstanceRequirements,
  });
  const names = (found as { InstanceTypes: { InstanceType: string }[] }).InstanceTypes.map((each) => each.InstanceType);
  expect([names.includes(has), names.includes(lacks)]).toEqual([true, false]);
});

test('routes and gateways follow from the subnets', async () => {
  const { call, aws } = await world();
  const subnet = aws.ec2.network.subnets.find((each) => !each.public);
  const bySubnet = { Filters: [{ Name: 'association.subnet-id', Values: [subnet?.id] }] };
  expect(await call('DescribeRouteTables', bySubnet)).toMatchObject({
    RouteTables: [{ Routes: [{ GatewayId: 'local' }, { NatGatewayId: expect.stringMatching(/^nat-/) }] }],
  });
  expect(await call('DescribeVpcEndpoints', {})).toEqual({ VpcEndpoints: [] });
  expect(await call('DescribeRegions', { RegionNames: ['mars-1'] })).toBe('InvalidParameterValue');
});
