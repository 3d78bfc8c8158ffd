import { minutes, seconds } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

type Snapshot = { readonly SnapshotId: string; readonly State: string; readonly Progress: string };

const createVolume = async (more: object = {}) =>
  (await call('CreateVolume', { AvailabilityZone: 'us-east-1a', Size: 30, ...more })) as {
    readonly VolumeId: string;
    readonly Size: number;
    readonly Encrypted: boolean;
  };

const createSnapshot = async (VolumeId: string, more: object = {}) =>
  (await call('CreateSnapshot', { VolumeId, ...more })) as Snapshot;

const describeSnapshot = async (SnapshotId: string) => {
  const { Snapshots } = (await call('DescribeSnapshots', { SnapshotIds: [SnapshotId] })) as {
    readonly Snapshots: readonly Snapshot[];
  };
  return Snapshots[0];
};

describe('a snapshot', () => {
  test('of a volume is pending until it is stored', async () => {
    const { VolumeId } = await createVolume();
    const Tags = [{ Key: 'a', Value: 'b' }];
    const TagSpecifications = [{ ResourceType: 'snapshot', Tags }];
    const { SnapshotId } = await createSnapshot(VolumeId, { Description: 'mine', TagSpecifications });
    expect(await describeSnapshot(SnapshotId)).toMatchObject({
      VolumeId,
      VolumeSize: 30,
      State: 'pending',
      Progress: '0%',
      Encrypted: false,
      Description: 'mine',
      OwnerId: account.aws.ec2.account.id,
      Tags,
    });
    await account.clock.advance(seconds(15));
    expect(await describeSnapshot(SnapshotId)).toMatchObject({ State: 'pending', Progress: '50%' });
    await account.clock.advance(seconds(15));
    expect(await describeSnapshot(SnapshotId)).toMatchObject({ State: 'completed', Progress: '100%' });
  });

  test('of a volume of an instance has the size of that volume', async () => {
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
    await call('RunInstances', launch);
    await account.clock.advance(minutes(1));
    const { Volumes } = (await call('DescribeVolumes')) as { readonly Volumes: readonly { VolumeId: string }[] };
    const { SnapshotId } = await createSnapshot(Volumes[0]?.VolumeId ?? '');
    expect(await describeSnapshot(SnapshotId)).toMatchObject({ VolumeSize: 20, VolumeId: Volumes[0]?.VolumeId });
  });

  test('is copied, encrypted where it is asked for, and the copy names no volume', async () => {
    const { VolumeId } = await createVolume();
    const { SnapshotId } = await createSnapshot(VolumeId);
    const source = { SourceRegion: 'us-east-1', SourceSnapshotId: SnapshotId };
    const copy = (await call('CopySnapshot', { ...source, Encrypted: true })) as Snapshot;
    expect(await describeSnapshot(copy.SnapshotId)).toMatchObject({
      VolumeId: 'vol-ffffffff',
      VolumeSize: 30,
      Encrypted: true,
      Description: `[Copied ${SnapshotId} from us-east-1]`,
    });
    expect(await call('CopySnapshot', { ...source, SourceRegion: 'eu-west-1' })).toBe('InvalidSnapshot.NotFound');
    expect(await call('CopySnapshot', { ...source, SourceRegion: 'eu-nowhere-1' })).toBe('InvalidParameterValue');
  });

  test('is copied from another region, with the usual key of this one unless the request names a key', async () => {
    const { id } = account.aws.ec2.inRegion('eu-west-1').snapshots.add({
      volumeId: 'vol-1',
      sizeGib: 9,
      encrypted: true,
      kmsKeyId: 'alias/theirs',
      description: '',
      startedAt: account.clock.now(),
    });
    const source = { SourceRegion: 'eu-west-1', SourceSnapshotId: id };
    const copy = (await call('CopySnapshot', source)) as Snapshot;
    expect(await describeSnapshot(copy.SnapshotId)).toMatchObject({
      VolumeSize: 9,
      Encrypted: true,
      Description: `[Copied ${id} from eu-west-1]`,
      KmsKeyId: expect.stringMatching(/^arn:aws:kms:us-east-1:111122223333:key\/[0-9a-f]{8}-[0-9a-f-]{27}$/),
    });
    const named = (await call('CopySnapshot', { ...source, KmsKeyId: 'alias/ours' })) as Snapshot;
    expect(await describeSnapshot(named.SnapshotId)).toMatchObject({
      KmsKeyId: 'arn:aws:kms:us-east-1:111122223333:alias/ours',
    });
  });

  test('gives its size and its encryption to volumes that are made of it', async () => {
    const { SnapshotId } = await createSnapshot((await createVolume({ Encrypted: true })).VolumeId);
    expect(await createVolume({ SnapshotId, Size: undefined })).toMatchObject({
      Size: 30,
      Encrypted: true,
      SnapshotId,
    });
    expect(await createVolume({ SnapshotId, Size: 40 })).toMatchObject({ Size: 40 });
    expect(await refusalOf('CreateVolume', { AvailabilityZone: 'us-east-1a', SnapshotId, Size: 20 })).toBe(
      `InvalidParameterValue: Volume of 20GiB is smaller than snapshot '${SnapshotId}', expect size >= 30GiB`,
    );
  });

  test('gives its size to a volume of a launch', async () => {
    const { SnapshotId } = await createSnapshot((await createVolume()).VolumeId);
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
    const withDisk = (Ebs: object) => ({ ...launch, BlockDeviceMappings: [{ DeviceName: '/dev/xvdf', Ebs }] });
    await call('RunInstances', withDisk({ SnapshotId }));
    await account.clock.advance(minutes(1));
    const Filters = [{ Name: 'attachment.device', Values: ['/dev/xvdf'] }];
    expect(await call('DescribeVolumes', { Filters })).toMatchObject({ Volumes: [{ Size: 30, SnapshotId }] });
    expect(await refusalOf('RunInstances', withDisk({ SnapshotId: 'snap-0123456789abcdef0' }))).toBe(
      "InvalidSnapshot.NotFound: The snapshot 'snap-0123456789abcdef0' does not exist.",
    );
    expect(await refusalOf('RunInstances', withDisk({ SnapshotId, VolumeSize: 8 }))).toBe(
      `InvalidBlockDeviceMapping: Volume of size 8GB is smaller than snapshot '${SnapshotId}', expect size>= 30GB`,
    );
  });

  test('is taken of each volume of an instance at once, with the tags of its volume where that is asked for', async () => {
    const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
    const { Instances } = (await call('RunInstances', {
      ...launch,
      BlockDeviceMappings: [{ DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 5 } }],
      TagSpecifications: [{ ResourceType: 'volume', Tags: [{ Key: 'team', Value: 'red' }] }],
    })) as { readonly Instances: readonly { readonly InstanceId: string }[] };
    const { InstanceId } = Instances[0] ?? {};
    await account.clock.advance(minutes(1));
    const take = async (more: object, copied: object = {}) =>
      call('CreateSnapshots', { InstanceSpecification: { InstanceId, ...more }, ...copied });
    const all = (await take({}, { CopyTagsFromSource: 'volume', Description: 'both' })) as {
      readonly Snapshots: readonly (Snapshot & { readonly VolumeId: string })[];
    };
    expect(all).toMatchObject({
      Snapshots: [20, 5].map((VolumeSize) => ({
        VolumeSize,
        Description: 'both',
        State: 'pending',
        Tags: [{ Key: 'team', Value: 'red' }],
      })),
    });
    const [root, data] = all.Snapshots;
    expect(await take({ ExcludeBootVolume: true })).toMatchObject({ Snapshots: [{ VolumeId: data?.VolumeId }] });
    expect(await take({ ExcludeDataVolumeIds: [data?.VolumeId] })).toMatchObject({
      Snapshots: [{ VolumeId: root?.VolumeId, Tags: [] }],
    });
    const before = account.aws.ec2.snapshots.all().length;
    expect(await take({ ExcludeDataVolumeIds: [root?.VolumeId] })).toBe('InvalidParameterValue');
    expect(await take({}, { DryRun: true })).toBe('DryRunOperation');
    expect(await take({ InstanceId: 'i-0123456789abcdef0' })).toBe('InvalidInstanceID.NotFound');
    expect(account.aws.ec2.snapshots.all()).toHaveLength(before);
  });

  test('is deleted once no image is made of it', async () => {
    const { SnapshotId } = await createSnapshot((await createVolume()).VolumeId);
    const BlockDeviceMappings = [{ DeviceName: '/dev/xvda', Ebs: { SnapshotId } }];
    const { ImageId } = (await call('RegisterImage', { Name: 'mine', BlockDeviceMappings })) as { ImageId: string };
    expect(await call('DescribeImages', { ImageIds: [ImageId] })).toMatchObject({
      Images: [{ BlockDeviceMappings: [{ Ebs: { SnapshotId, VolumeSize: 30 } }] }],
    });
    expect(await refusalOf('DeleteSnapshot', { SnapshotId })).toBe(
      `InvalidSnapshot.InUse: The snapshot ${SnapshotId} is currently in use by ${ImageId}`,
    );
    await call('DeregisterImage', { ImageId });
    expect(await call('DeleteSnapshot', { SnapshotId })).toEqual({});
    expect(await call('DescribeSnapshots', { SnapshotIds: [SnapshotId] })).toBe('InvalidSnapshot.NotFound');
  });

  test('of an image of Amazon is not deleted', async () => {
    const { Images } = (await call('DescribeImages', { ImageIds: [x86.imageId] })) as {
      readonly Images: readonly { readonly BlockDeviceMappings: readonly { readonly Ebs: Snapshot }[] }[];
    };
    const SnapshotId = Images[0]?.BlockDeviceMappings[0]?.Ebs.SnapshotId;
    expect(await call('DeleteSnapshot', { SnapshotId })).toBe('OperationNotPermitted');
  });

  test('that is not there is refused everywhere', async () => {
    const SnapshotId = 'snap-0123456789abcdef0';
    expect([
      await call('DeleteSnapshot', { SnapshotId }),
      await call('CopySnapshot', { SourceRegion: 'us-east-1', SourceSnapshotId: SnapshotId }),
      await call('CreateVolume', { AvailabilityZone: 'us-east-1a', SnapshotId }),
      await call('RegisterImage', { Name: 'mine', BlockDeviceMappings: [{ Ebs: { SnapshotId } }] }),
      await call('CreateTags', { Resources: [SnapshotId], Tags: [{ Key: 'a', Value: 'b' }] }),
    ]).toEqual(Array.from({ length: 5 }, () => 'InvalidSnapshot.NotFound'));
    expect(await call('CreateSnapshot', { VolumeId: 'vol-0123456789abcdef0' })).toBe('InvalidVolume.NotFound');
  });

  test('is not made by a dry run', async () => {
    const { VolumeId } = await createVolume();
    expect(await call('CreateSnapshot', { VolumeId, DryRun: true })).toBe('DryRunOperation');
    expect(account.aws.ec2.snapshots.all()).toEqual([]);
  });
});
