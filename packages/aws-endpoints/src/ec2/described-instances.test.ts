import { minutes } from '@nodewright/apis';
import { aRelease, aTestAccount, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

const arm = aRelease({ arch: 'arm64', imageId: 'ami-0aaaaaaaaaaaaaaa2', name: 'arm' });
const windows = aRelease({ family: 'Windows2022', imageId: 'ami-0aaaaaaaaaaaaaaa3', name: 'windows' });
const bottlerocket = aRelease({ family: 'Bottlerocket', imageId: 'ami-0aaaaaaaaaaaaaaa4', name: 'bottlerocket' });
const al2023 = aRelease({ family: 'AL2023', imageId: 'ami-0aaaaaaaaaaaaaaa5', name: 'al2023' });
const ubuntu = aRelease({ family: 'Ubuntu', imageId: 'ami-0aaaaaaaaaaaaaaa6', name: 'ubuntu' });

let account: ReturnType<typeof aTestAccount>;
let call: ReturnType<typeof ec2Caller>['call'];
beforeEach(() => {
  account = aTestAccount({ releases: [x86, arm, windows, bottlerocket, al2023, ubuntu] });
  ({ call } = ec2Caller(account.aws));
});

type Members = Readonly<Record<string, unknown>>;
async function launch(input: object = {}): Promise<Members & { readonly InstanceId: string }> {
  const plain = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  const answer = await call('RunInstances', { ...plain, ...input });
  if (typeof answer === 'string') throw new Error(answer);
  const { Instances } = answer as { Instances: (Members & { InstanceId: string })[] };
  if (Instances[0] === undefined) throw new Error('an instance was launched');
  return Instances[0];
}
const listOf = async (operation: string, member: string, input: object = {}): Promise<readonly Members[]> =>
  ((await call(operation, input)) as Readonly<Record<string, Members[]>>)[member] ?? [];

describe('an instance is described', () => {
  test.each<[fact: string, input: object, shown: object]>([
    [
      'with the platform of Windows, and what that costs',
      { ImageId: windows.imageId },
      { Platform: 'windows', PlatformDetails: 'Windows', UsageOperation: 'RunInstances:0002' },
    ],
    ['as Linux without a platform', {}, { PlatformDetails: 'Linux/UNIX', UsageOperation: 'RunInstances' }],
    [
      'with one thread a core on arm',
      { ImageId: arm.imageId, InstanceType: 'm6g.large' },
      {
        Architecture: 'arm64',
        CpuOptions: { CoreCount: 2, ThreadsPerCore: 1 },
        BootMode: 'uefi',
        CurrentInstanceBootMode: 'uefi',
      },
    ],
    [
      'with two threads a core on x86',
      { InstanceType: 'm5.xlarge' },
      { Architecture: 'x86_64', CpuOptions: { CoreCount: 2, ThreadsPerCore: 2 }, BootMode: 'uefi-preferred' },
    ],
    [
      'with the processors asked for',
      { CpuOptions: { CoreCount: 1, ThreadsPerCore: 1 } },
      { CpuOptions: { CoreCount: 1 } },
    ],
    ['as booted by a BIOS on Xen', { InstanceType: 'm4.large' }, { CurrentInstanceBootMode: 'legacy-bios' }],
    ['with monitoring', { Monitoring: { Enabled: true } }, { Monitoring: { State: 'enabled' } }],
    ['without monitoring', {}, { Monitoring: { State: 'disabled' } }],
    ['with its enclaves', { EnclaveOptions: { Enabled: true } }, { EnclaveOptions: { Enabled: true } }],
    ['with its tenancy', { Placement: { Tenancy: 'dedicated' } }, { Placement: { Tenancy: 'dedicated' } }],
    ['as optimized for volumes', { EbsOptimized: true }, { EbsOptimized: true }],
    [
      'with its options of metadata, and the usual others',
      { MetadataOptions: { HttpTokens: 'optional' } },
      { MetadataOptions: { HttpTokens: 'optional', HttpEndpoint: 'enabled', HttpPutResponseHopLimit: 1 } },
    ],
  ])('%s', async (_, input, shown) => {
    const launched = await launch(input);
    expect(launched).toMatchObject(shown);
    const { Reservations } = (await call('DescribeInstances', { InstanceIds: [launched.InstanceId] })) as {
      Reservations: { Instances: object[] }[];
    };
    expect(Reservations[0]?.Instances[0]).toMatchObject(shown);
  });

  test('with why and when it went, as long as it is listed', async () => {
    const { InstanceId } = await launch();
    await account.clock.advance(minutes(2));
    await call('TerminateInstances', { InstanceIds: [InstanceId] });
    const { Reservations } = (await call('DescribeInstances')) as { Reservations: { Instances: Members[] }[] };
    expect(Reservations[0]?.Instances[0]).toMatchObject({
      State: { Name: 'shutting-down', Code: 32 },
      StateReason: { Code: 'Client.UserInitiatedShutdown' },
      StateTransitionReason: 'User initiated (2024-01-28 16:02:00 GMT)',
    });
  });

  test.each<[attribute: string, value: object]>([
    ['enclaveOptions', { EnclaveOptions: { Enabled: false } }],
    ['userData', { UserData: {} }],
    [
      'blockDeviceMapping',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { DeleteOnTermination: true, Status: 'attached' } }] },
    ],
    ['groupSet', { Groups: [{ GroupName: 'default' }] }],
    ['ebsOptimized', { EbsOptimized: { Value: false } }],
  ])('by its attribute %s', async (Attribute, value) => {
    const { InstanceId } = await launch();
    expect(await call('DescribeInstanceAttribute', { InstanceId, Attribute })).toMatchObject({ InstanceId, ...value });
  });

  test.each(['stop', 'terminate'])('as one that its shutdown lets %s, set by name', async (Value) => {
    const { InstanceId } = await launch();
    const Attribute = 'instanceInitiatedShutdownBehavior';
    await call('ModifyInstanceAttribute', { InstanceId, Attribute, Value });
    expect(await call('DescribeInstanceAttribute', { InstanceId, Attribute })).toMatchObject({
      InstanceInitiatedShutdownBehavior: { Value },
    });
  });

  test('by its console, which there is of instances that there are', async () => {
    const { InstanceId } = await launch();
    expect(await call('GetConsoleOutput', { InstanceId })).toMatchObject({ InstanceId });
    expect(await call('GetConsoleOutput', { InstanceId: 'i-0123456789abcdef0' })).toBe('InvalidInstanceID.NotFound');
  });
});

describe('the status of an instance', () => {
  const status = async (input: object = {}) =>
    listOf('DescribeInstanceStatus', 'InstanceStatuses', { IncludeAllInstances: true, ...input });

  test('is one of running instances', async () => {
    await launch();
    expect(await status()).toMatchObject([
      { InstanceState: { Name: 'pending' }, InstanceStatus: { Status: 'not-applicable' } },
    ]);
    await account.clock.advance(minutes(5));
    expect(await status()).toMatchObject([
      {
        InstanceStatus: { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] },
        SystemStatus: { Status: 'ok' },
        AttachedEbsStatus: { Status: 'ok' },
        Events: [],
      },
    ]);
  });

  test.each<[check: 'instance' | 'system', member: string, other: string]>([
    ['instance', 'InstanceStatus', 'SystemStatus'],
    ['system', 'SystemStatus', 'InstanceStatus'],
  ])('is impaired by a failing %s check', async (check, member, other) => {
    const { InstanceId: instanceId } = await launch();
    await launch();
    await account.clock.advance(minutes(5));
    account.aws.faults.add({ kind: 'impaired-instance', instanceId, check, since: '2024-01-28T16:05:00Z' });
    const Filters = [{ Name: `${check}-status.status`, Values: ['impaired'] }];
    expect(await status({ Filters })).toMatchObject([
      {
        InstanceId: instanceId,
        [member]: {
          Status: 'impaired',
          Details: [{ Status: 'failed', ImpairedSince: new Date('2024-01-28T16:05:00Z') }],
        },
        [other]: { Status: 'ok' },
      },
    ]);
    const failed = [{ Name: `${check}-status.reachability`, Values: ['failed'] }];
    expect(await status({ Filters: failed })).toHaveLength(1);
  });

  test('tells of an event in two weeks, and is found by it', async () => {
    const { InstanceId: instanceId } = await launch();
    await account.clock.advance(minutes(5));
    account.aws.faults.add({ kind: 'scheduled-change', instanceId });
    for (const [Name, value] of [
      ['event.code', 'instance-retirement'],
      ['event.description', '*instance retirement'],
      ['event.not-before', '2024-02-11*'],
    ] as const)
      expect(await status({ Filters: [{ Name, Values: [value] }] })).toMatchObject([
        {
          InstanceId: instanceId,
          Events: [{ Code: 'instance-retirement', NotBefore: new Date('2024-02-11T16:05:00Z') }],
        },
      ]);
    expect(await status({ Filters: [{ Name: 'event.code', Values: ['system-reboot'] }] })).toEqual([]);
  });
});

describe('the request of a spot instance', () => {
  const spot = { InstanceMarketOptions: { MarketType: 'spot' } };
  const requests = (input: object = {}) => listOf('DescribeSpotInstanceRequests', 'SpotInstanceRequests', input);

  test('says what was launched', async () => {
    await call('CreateKeyPair', { KeyName: 'me' });
    const [group] = account.aws.ec2.network.securityGroups;
    const { InstanceId } = await launch({ ...spot, KeyName: 'me', SecurityGroupIds: [group?.id] });
    expect(await requests()).toMatchObject([
      {
        InstanceId,
        ProductDescription: 'Linux/UNIX',
        LaunchSpecification: {
          ImageId: x86.imageId,
          InstanceType: 'm5.large',
          KeyName: 'me',
          SecurityGroups: [{ GroupId: group?.id, GroupName: group?.name }],
          BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 20, VolumeType: 'gp2' } }],
        },
      },
    ]);
  });

  test('of Windows says so', async () => {
    await launch({ ...spot, ImageId: windows.imageId });
    expect(await requests()).toMatchObject([{ ProductDescription: 'Windows' }]);
  });

  test('is found by id, tag and what it launched', async () => {
    const tags = [{ ResourceType: 'spot-instances-request', Tags: [{ Key: 'team', Value: 'a' }] }];
    const { SpotInstanceRequestId: id } = await launch({ ...spot, TagSpecifications: tags });
    await launch({ ...spot, InstanceType: 'c5.large' });
    await launch();
    expect(await requests()).toHaveLength(2);
    expect(await requests({ SpotInstanceRequestIds: [id] })).toMatchObject([{ SpotInstanceRequestId: id }]);
    for (const [Name, value] of [
      ['tag:team', 'a'],
      ['launch.instance-type', 'm5.large'],
      ['spot-instance-request-id', String(id)],
    ] as const)
      expect(await requests({ Filters: [{ Name, Values: [value] }] })).toMatchObject([{ SpotInstanceRequestId: id }]);
    expect(await requests({ Filters: [{ Name: 'state', Values: ['closed'] }] })).toEqual([]);
    expect(await call('DescribeSpotInstanceRequests', { SpotInstanceRequestIds: ['sir-0a'] })).toBe(
      'InvalidSpotInstanceRequestID.NotFound',
    );
  });
});

describe('volumes and snapshots', () => {
  test.each<[fact: string, disk: object, shown: object]>([
    ['of gp2 have three operations a GiB', { VolumeSize: 100, VolumeType: 'gp2' }, { Iops: 300 }],
    ['of gp2 have 100 operations at least', { VolumeSize: 20, VolumeType: 'gp2' }, { Iops: 100 }],
    ['of gp2 have 16,000 operations at most', { VolumeSize: 6_000, VolumeType: 'gp2' }, { Iops: 16_000 }],
    ['of gp3 have what is usual', { VolumeType: 'gp3' }, { Iops: 3_000, Throughput: 125 }],
    [
      'of gp3 have what was asked for',
      { VolumeType: 'gp3', Iops: 4_000, Throughput: 250 },
      { Iops: 4_000, Throughput: 250 },
    ],
    ['of io2 have what was asked for', { VolumeType: 'io2', Iops: 5_000 }, { Iops: 5_000 }],
    ['are encrypted on demand', { Encrypted: true }, { Encrypted: true }],
    [
      'stay after the instance on demand',
      { DeleteOnTermination: false },
      { Attachments: [{ DeleteOnTermination: false }] },
    ],
  ])('%s', async (_, Ebs, shown) => {
    await launch({ BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs }] });
    expect(await listOf('DescribeVolumes', 'Volumes')).toMatchObject([shown]);
  });

  test('come with the image, and one can be left out or added', async () => {
    const [snapshot] = await listOf('DescribeSnapshots', 'Snapshots', {
      Filters: [{ Name: 'description', Values: [`*${x86.imageId}`] }],
    });
    const SnapshotId = snapshot?.['SnapshotId'];
    const { InstanceId } = await launch({
      ImageId: bottlerocket.imageId,
      BlockDeviceMappings: [
        { DeviceName: '/dev/xvdb', NoDevice: '' },
        { DeviceName: '/dev/xvdc', Ebs: { VolumeSize: 30, SnapshotId } },
      ],
    });
    const Filters = [{ Name: 'attachment.instance-id', Values: [InstanceId] }];
    expect(await listOf('DescribeVolumes', 'Volumes', { Filters })).toMatchObject([
      { Size: 2, Attachments: [{ Device: '/dev/xvda' }] },
      { Size: 30, SnapshotId, Attachments: [{ Device: '/dev/xvdc' }] },
    ]);
  });

  test.each<[family: string, imageId: string, device: string, sizes: readonly number[]]>([
    ['AL2', x86.imageId, '/dev/xvda', [20]],
    ['Bottlerocket', bottlerocket.imageId, '/dev/xvda', [2, 20]],
    ['Windows', windows.imageId, '/dev/sda1', [50]],
    ['Ubuntu', ubuntu.imageId, '/dev/sda1', [20]],
  ])('of %s images have their devices and sizes', async (_, ImageId, device, sizes) => {
    const [image] = await listOf('DescribeImages', 'Images', { ImageIds: [ImageId] });
    expect(image?.['RootDeviceName']).toBe(device);
    const Filters = [{ Name: 'description', Values: [`*${ImageId}`] }];
    const snapshots = await listOf('DescribeSnapshots', 'Snapshots', { Filters });
    expect(snapshots.map(({ VolumeSize }) => VolumeSize)).toEqual(sizes);
  });

  test('of images are listed by owner and id', async () => {
    const { ImageId } = (await call('RegisterImage', { Name: 'own', Architecture: 'x86_64' })) as { ImageId: string };
    const mine = await listOf('DescribeSnapshots', 'Snapshots', { OwnerIds: ['self'] });
    expect(mine).toMatchObject([{ OwnerId: '111122223333', Description: expect.stringContaining(ImageId) }]);
    expect(await listOf('DescribeSnapshots', 'Snapshots', { OwnerIds: ['111122223333'] })).toEqual(mine);
    expect(await listOf('DescribeSnapshots', 'Snapshots', { SnapshotIds: [mine[0]?.['SnapshotId']] })).toEqual(mine);
    const ofAmazon = await listOf('DescribeSnapshots', 'Snapshots', { OwnerIds: ['amazon'] });
    expect(ofAmazon.map(({ OwnerAlias }) => OwnerAlias)).toEqual(ofAmazon.map(() => 'amazon'));
    expect(ofAmazon).toHaveLength(6);
    expect(await listOf('DescribeSnapshots', 'Snapshots', { OwnerIds: ['999999999999'] })).toEqual([]);
    expect(await call('DescribeSnapshots', { SnapshotIds: ['snap-0a'] })).toBe('InvalidSnapshot.NotFound');
  });
});

test.each<[family: string, imageId: string, shown: object]>([
  ['AL2023', al2023.imageId, { ImageOwnerAlias: 'amazon', BootMode: 'uefi-preferred', ImdsSupport: 'v2.0' }],
  ['Windows', windows.imageId, { Platform: 'windows', PlatformDetails: 'Windows', OwnerId: '801119661308' }],
  ['Ubuntu', ubuntu.imageId, { OwnerId: '099720109477', ImageLocation: '099720109477/ubuntu' }],
  ['Bottlerocket', bottlerocket.imageId, { OwnerId: '092701018921', PlatformDetails: 'Linux/UNIX' }],
])('an image of %s is shown with its owner and platform', async (_, ImageId, shown) => {
  expect(await listOf('DescribeImages', 'Images', { ImageIds: [ImageId] })).toMatchObject([shown]);
});
