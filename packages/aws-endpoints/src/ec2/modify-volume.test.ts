import { hours, minutes, seconds } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
let VolumeId: string;

const createVolume = async (more: object) =>
  ((await call('CreateVolume', { AvailabilityZone: 'us-east-1a', ...more })) as { readonly VolumeId: string }).VolumeId;

const modify = (change: object) => call('ModifyVolume', { VolumeId, ...change });
const refusal = (change: object) => refusalOf('ModifyVolume', { VolumeId, ...change });
const volumeNow = async () =>
  ((await call('DescribeVolumes', { VolumeIds: [VolumeId] })) as { readonly Volumes: readonly object[] }).Volumes[0];
const changeNow = async () =>
  ((await call('DescribeVolumesModifications', { VolumeIds: [VolumeId] })) as VolumesModifications)
    .VolumesModifications[0];

type VolumesModifications = { readonly VolumesModifications: readonly object[] };

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  VolumeId = await createVolume({ Size: 10, VolumeType: 'gp2' });
});

describe('a change of a volume', () => {
  test('is in effect while EC2 optimizes the volume, and completed later', async () => {
    expect(await modify({ Size: 20, VolumeType: 'gp3', Iops: 4_000 })).toMatchObject({
      VolumeModification: {
        VolumeId,
        ModificationState: 'modifying',
        Progress: 0,
        OriginalSize: 10,
        OriginalVolumeType: 'gp2',
        OriginalIops: 100,
        TargetSize: 20,
        TargetVolumeType: 'gp3',
        TargetIops: 4_000,
        TargetThroughput: 125,
      },
    });
    expect(await volumeNow()).toMatchObject({ Size: 10, VolumeType: 'gp2' });
    await account.clock.advance(seconds(10));
    expect(await changeNow()).toMatchObject({ ModificationState: 'optimizing', Progress: 0 });
    expect(await volumeNow()).toMatchObject({ Size: 20, VolumeType: 'gp3', Iops: 4_000, Throughput: 125 });
    await account.clock.advance(minutes(5));
    expect(await changeNow()).toMatchObject({ ModificationState: 'optimizing', Progress: 50 });
    await account.clock.advance(minutes(5));
    expect(await changeNow()).toMatchObject({
      ModificationState: 'completed',
      Progress: 100,
      EndTime: new Date(account.clock.now()),
    });
  });

  test('holds for a volume of an instance, whose snapshots have the new size, too', async () => {
    await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 });
    await account.clock.advance(minutes(1));
    VolumeId = account.aws.ec2.instances.all()[0]?.root.volumeId ?? '';
    await modify({ Size: 50 });
    await account.clock.advance(seconds(10));
    expect(await volumeNow()).toMatchObject({ Size: 50, Iops: 150, State: 'in-use' });
    expect(await call('CreateSnapshot', { VolumeId })).toMatchObject({ VolumeSize: 50 });
    await call('TerminateInstances', { InstanceIds: account.aws.ec2.instances.all().map(({ id }) => id) });
    await account.clock.advance(minutes(5));
    expect(await call('DescribeVolumesModifications')).toEqual({ VolumesModifications: [] });
  });

  test.each<readonly [fact: string, from: object, change: object, target: object]>([
    [
      'keeps the speed of gp3',
      { VolumeType: 'gp3', Iops: 5_000, Throughput: 200 },
      { Size: 20 },
      { TargetIops: 5_000, TargetThroughput: 200 },
    ],
    ['raises the speed of gp2 with its size', { VolumeType: 'gp2' }, { Size: 1_000 }, { TargetIops: 3_000 }],
    ['to io2 has 3,000 operations a second', { VolumeType: 'gp2' }, { VolumeType: 'io2' }, { TargetIops: 3_000 }],
    [
      'to gp2 takes the throughput away',
      { VolumeType: 'gp3' },
      { VolumeType: 'gp2' },
      { TargetIops: 100, OriginalThroughput: 125 },
    ],
  ])('%s', async (_, from, change, target) => {
    VolumeId = await createVolume({ Size: 10, ...from });
    expect(await modify(change)).toMatchObject({ VolumeModification: target });
  });

  test('waits for the one before it, and is the fifth of a day never', async () => {
    for (const Size of [11, 12, 13, 14]) {
      await modify({ Size });
      expect(await refusal({ Size: 99 })).toBe(
        `IncorrectModificationState: Volume ${VolumeId} cannot be modified in modification state MODIFYING`,
      );
      await account.clock.advance(minutes(11));
    }
    const first = account.clock.now() - minutes(44);
    expect(await refusal({ Size: 15 })).toBe(
      `VolumeModificationRateExceeded: You've reached the maximum modification rate per volume limit: four in 24 hours. The next modification is possible at ${new Date(first + hours(24)).toISOString()}.`,
    );
    await account.clock.advance(hours(24) - minutes(44));
    expect(await modify({ Size: 15 })).toMatchObject({ VolumeModification: { OriginalSize: 14 } });
  });

  test.each<readonly [change: object, says: string]>([
    [{ Size: 9 }, 'InvalidParameterValue: New size cannot be smaller than existing size'],
    [{}, 'MissingParameter: The request must contain the parameter size, volumeType, iops or throughput'],
    [{ Iops: 4_000 }, 'InvalidParameterCombination: The parameter iops is not supported for gp2 volumes.'],
    [{ Throughput: 200 }, 'InvalidParameterCombination: The parameter throughput is not supported for gp2 volumes.'],
    [{ VolumeType: 'gp3', Iops: 100 }, 'InvalidParameterValue: Volume iops of 100 is too low; minimum is 3000.'],
    [
      { VolumeType: 'io1', Iops: 501 },
      'InvalidParameterValue: Iops to volume size ratio of 50.100000 is too high; maximum is 50.000000',
    ],
    [
      { VolumeType: 'gp3', Throughput: 2_001 },
      'InvalidParameterValue: Volume throughput of 2001 is too high; maximum is 2000.',
    ],
    [
      { VolumeType: 'gp3', Throughput: 1_000 },
      'InvalidParameterValue: Throughput (MiBps) to iops ratio of 0.333333 is too high; maximum is 0.250000 MiBps per iops.',
    ],
    [
      { VolumeType: 'st1' },
      'InvalidParameterValue: Volume of 10GiB is invalid for type st1; it must be from 125 to 16384GiB.',
    ],
    [
      { MultiAttachEnabled: true },
      'UnsupportedOperation: The sandbox has no volumes that several instances share (Multi-Attach).',
    ],
    [
      { VolumeId: 'vol-0123456789abcdef0', Size: 20 },
      "InvalidVolume.NotFound: The volume 'vol-0123456789abcdef0' does not exist.",
    ],
    [{ Size: 20, DryRun: true }, 'DryRunOperation: Request would have succeeded, but DryRun flag is set.'],
  ])('%j is refused and changes nothing', async (change, says) => {
    expect(await refusal(change)).toBe(says);
    expect(await volumeNow()).toMatchObject({ Size: 10, VolumeType: 'gp2' });
    expect(await refusalOf('DescribeVolumesModifications', { VolumeIds: [VolumeId] })).toBe(
      `InvalidVolumeModification.NotFound: Modification for volume '${VolumeId}' does not exist.`,
    );
  });

  test('is found by its filters, and goes with its volume', async () => {
    await modify({ Size: 20 });
    const found = (Name: string, Value: string) =>
      call('DescribeVolumesModifications', { Filters: [{ Name, Values: [Value] }] });
    expect(await found('target-size', '20')).toMatchObject({ VolumesModifications: [{ VolumeId }] });
    expect(await found('modification-state', 'completed')).toEqual({ VolumesModifications: [] });
    await call('DeleteVolume', { VolumeId });
    expect(await call('DescribeVolumesModifications')).toEqual({ VolumesModifications: [] });
  });
});

describe('the key of a volume', () => {
  test.each<readonly [request: object, key: unknown]>([
    [{ Encrypted: true, KmsKeyId: 'alias/disks' }, 'arn:aws:kms:us-east-1:111122223333:alias/disks'],
    [{ Encrypted: true, KmsKeyId: 'abc' }, 'arn:aws:kms:us-east-1:111122223333:key/abc'],
    [{ Encrypted: true, KmsKeyId: 'arn:aws:kms:us-east-1:1:key/x' }, 'arn:aws:kms:us-east-1:1:key/x'],
    [{ Encrypted: true }, expect.stringMatching(/^arn:aws:kms:us-east-1:111122223333:key\/[0-9a-f-]{36}$/)],
    [{}, undefined],
  ])('of %j is told by its ARN', async (request, KmsKeyId) => {
    VolumeId = await createVolume({ Size: 1, ...request });
    const volume = (await volumeNow()) as { readonly KmsKeyId?: string };
    expect(volume.KmsKeyId).toEqual(KmsKeyId);
  });

  test('belongs to an encrypted one', async () => {
    expect(await refusalOf('CreateVolume', { AvailabilityZone: 'us-east-1a', Size: 1, KmsKeyId: 'alias/disks' })).toBe(
      'InvalidParameterDependency: The parameter KmsKeyId requires the parameter Encrypted to be set.',
    );
  });

  test('of a launch is that of its mapping, and goes into snapshots and their volumes', async () => {
    const Ebs = { VolumeSize: 5, Encrypted: true, KmsKeyId: 'alias/disks' };
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
    await call('RunInstances', { ...launch, BlockDeviceMappings: [{ DeviceName: '/dev/xvdb', Ebs }] });
    await account.clock.advance(minutes(1));
    const Filters = [{ Name: 'attachment.device', Values: ['/dev/xvdb'] }];
    const { Volumes } = (await call('DescribeVolumes', { Filters })) as {
      readonly Volumes: readonly { VolumeId: string }[];
    };
    const key = { KmsKeyId: 'arn:aws:kms:us-east-1:111122223333:alias/disks' };
    expect(Volumes).toMatchObject([key]);
    const snapshot = (await call('CreateSnapshot', { VolumeId: Volumes[0]?.VolumeId })) as { SnapshotId: string };
    expect(snapshot).toMatchObject(key);
    const { SnapshotId } = snapshot;
    expect(await call('CreateVolume', { AvailabilityZone: 'us-east-1a', SnapshotId })).toMatchObject(key);
  });
});

test('a volume that several instances share is refused in words', async () => {
  const shared = { AvailabilityZone: 'us-east-1a', Size: 4, VolumeType: 'io2', Iops: 100, MultiAttachEnabled: true };
  expect(await call('CreateVolume', shared)).toBe('UnsupportedOperation');
});
