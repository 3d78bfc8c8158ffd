import type { Instance, Volume } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

const AvailabilityZone = 'us-east-1a';
let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
/** An instance, its root volume, and a volume of its own in the same zone. */
let InstanceId: string, root: string, VolumeId: string;

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  InstanceId = await launch();
  const { Volumes } = (await call('DescribeVolumes')) as { readonly Volumes: readonly Volume[] };
  root = Volumes[0]?.VolumeId ?? '';
  VolumeId = await make();
});

async function launch(): Promise<string> {
  const SubnetId = account.subnetIn(AvailabilityZone);
  const request = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, SubnetId };
  const { Instances } = (await call('RunInstances', request)) as { readonly Instances: readonly Instance[] };
  await account.clock.advance(minutes(1));
  return Instances[0]?.InstanceId ?? '';
}

async function make(more: object = {}): Promise<string> {
  const made = (await call('CreateVolume', { AvailabilityZone, Size: 4, ...more })) as Volume;
  return made.VolumeId ?? '';
}

/** Volumes, instances and tags: the same before and after what is refused. */
const readState = async () => [
  await call('DescribeVolumes'),
  await call('DescribeInstances'),
  await call('DescribeTags'),
];

describe('the size of a volume', () => {
  test.each([
    ['standard', 1, 1_024],
    ['gp2', 1, 16_384],
    ['gp3', 1, 65_536],
    ['io1', 4, 16_384],
    ['io2', 4, 65_536],
    ['st1', 125, 16_384],
    ['sc1', 125, 16_384],
  ])('of type %s is from %i to %i GiB', async (VolumeType, least, most) => {
    const Iops = VolumeType.startsWith('io') ? 200 : undefined;
    const ask = (Size: number) => call('CreateVolume', { AvailabilityZone, VolumeType, Size, Iops });
    for (const Size of [least, most]) expect(await ask(Size)).toMatchObject({ Size, VolumeType });
    for (const Size of [least - 1, most + 1]) expect(await ask(Size)).toBe('InvalidParameterValue');
  });
});

describe('the operations and the throughput of a volume', () => {
  test.each([
    [{ VolumeType: 'io1' }, 'MissingParameter: The parameter iops must be specified for io1 volumes.'],
    [{ VolumeType: 'io2' }, 'MissingParameter: The parameter iops must be specified for io2 volumes.'],
    [{ Iops: 300 }, 'InvalidParameterCombination: The parameter iops is not supported for gp2 volumes.'],
    [
      { VolumeType: 'st1', Size: 500, Iops: 300 },
      'InvalidParameterCombination: The parameter iops is not supported for st1 volumes.',
    ],
    [
      { VolumeType: 'io2', Iops: 300, Throughput: 125 },
      'InvalidParameterCombination: The parameter throughput is not supported for io2 volumes.',
    ],
  ])('are refused as %j', async (more, refusal) => {
    const before = await readState();
    expect(await refusalOf('CreateVolume', { AvailabilityZone, Size: 4, ...more })).toBe(refusal);
    expect(await readState()).toEqual(before);
  });

  test.each([
    [{ VolumeType: 'gp3' }, { Iops: 3_000, Throughput: 125 }],
    [
      { VolumeType: 'gp3', Size: 12, Iops: 6_000, Throughput: 500 },
      { Iops: 6_000, Throughput: 500 },
    ],
    [
      { VolumeType: 'io1', Iops: 200 },
      { Iops: 200, Throughput: undefined },
    ],
    [{}, { VolumeType: 'gp2', Iops: 100, Throughput: undefined }],
    [{ VolumeType: 'standard' }, { Iops: undefined }],
  ])('of %j are %j', async (more, told) => {
    const made = (await call('CreateVolume', { AvailabilityZone, Size: 4, ...more })) as Volume;
    expect({ ...made, Iops: made.Iops, Throughput: made.Throughput }).toMatchObject(told);
  });
});

test('a zone may be named by its id', async () => {
  const request = { AvailabilityZoneId: 'use1-az1', Size: 1, Encrypted: true };
  expect(await call('CreateVolume', request)).toMatchObject({ AvailabilityZone, Encrypted: true });
  expect(await refusalOf('CreateVolume', { AvailabilityZoneId: 'use1-az99', Size: 1 })).toBe(
    "InvalidZone.NotFound: The zone 'use1-az99' does not exist.",
  );
});

describe('a dry run and a refusal change nothing', () => {
  const nowhere = 'vol-0123456789abcdef0';
  const Device = '/dev/sdf';
  test.each<readonly [operation: string, fact: string, request: () => object, answer: string]>([
    ['CreateVolume', 'a dry run', () => ({ AvailabilityZone, Size: 1, DryRun: true }), 'DryRunOperation'],
    ['CreateVolume', 'no zone', () => ({ Size: 1 }), 'MissingParameter'],
    [
      'CreateVolume',
      'a type that there is not',
      () => ({ AvailabilityZone, Size: 1, VolumeType: 'ssd' }),
      'InvalidParameterValue',
    ],
    [
      'CreateVolume',
      'tags of something else',
      () => ({
        AvailabilityZone,
        Size: 1,
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'a', Value: 'b' }] }],
      }),
      'InvalidParameterValue',
    ],
    ['DeleteVolume', 'a dry run', () => ({ VolumeId, DryRun: true }), 'DryRunOperation'],
    ['DeleteVolume', 'one that there is not', () => ({ VolumeId: nowhere }), 'InvalidVolume.NotFound'],
    ['DeleteVolume', 'the root volume of an instance', () => ({ VolumeId: root }), 'VolumeInUse'],
    ['AttachVolume', 'a dry run', () => ({ VolumeId, InstanceId, Device, DryRun: true }), 'DryRunOperation'],
    ['AttachVolume', 'no device', () => ({ VolumeId, InstanceId }), 'MissingParameter'],
    [
      'AttachVolume',
      'one that there is not',
      () => ({ VolumeId: nowhere, InstanceId, Device }),
      'InvalidVolume.NotFound',
    ],
    ['AttachVolume', 'a root volume', () => ({ VolumeId: root, InstanceId, Device }), 'VolumeInUse'],
    [
      'AttachVolume',
      'an instance that there is not',
      () => ({ VolumeId, InstanceId: 'i-0123456789abcdef0', Device }),
      'InvalidInstanceID.NotFound',
    ],
    ['DetachVolume', 'one that there is not', () => ({ VolumeId: nowhere }), 'InvalidVolume.NotFound'],
    ['DetachVolume', 'one that is on no instance', () => ({ VolumeId }), 'IncorrectState'],
    [
      'DetachVolume',
      'another instance',
      () => ({ VolumeId: root, InstanceId: 'i-0123456789abcdef0' }),
      'IncorrectState',
    ],
  ])('%s with %s', async (operation, _, request, answer) => {
    const before = await readState();
    expect(await call(operation, request())).toBe(answer);
    expect(await readState()).toEqual(before);
  });

  test('DetachVolume and a second AttachVolume of one that is attached', async () => {
    const other = await launch();
    await call('AttachVolume', { VolumeId, InstanceId, Device });
    const before = await readState();
    expect(await call('DetachVolume', { VolumeId, DryRun: true })).toBe('DryRunOperation');
    expect(await call('AttachVolume', { VolumeId, InstanceId: other, Device: '/dev/sdz' })).toBe('VolumeInUse');
    expect(await call('AttachVolume', { VolumeId: await make(), InstanceId, Device })).toBe('InvalidParameterValue');
    expect((await readState())[1]).toEqual(before[1]);
  });

  test('AttachVolume to an instance that has ended', async () => {
    await call('TerminateInstances', { InstanceIds: [InstanceId] });
    expect(await call('AttachVolume', { VolumeId, InstanceId, Device })).toBe('IncorrectState');
  });
});

test('a volume that has left an instance may go to a stopped one, and keeps its tags', async () => {
  const other = await launch();
  await call('CreateTags', { Resources: [VolumeId], Tags: [{ Key: 'team', Value: 'red' }] });
  await call('AttachVolume', { VolumeId, InstanceId, Device: '/dev/sdf' });
  await call('DetachVolume', { VolumeId, InstanceId });
  await call('StopInstances', { InstanceIds: [other] });
  await account.clock.advance(minutes(2));
  await call('AttachVolume', { VolumeId, InstanceId: other, Device: '/dev/sdf' });
  expect(await call('DescribeVolumes', { VolumeIds: [VolumeId] })).toMatchObject({
    Volumes: [{ State: 'in-use', Attachments: [{ InstanceId: other }], Tags: [{ Key: 'team', Value: 'red' }] }],
  });
});

describe('the profile of an instance', () => {
  const associate = (profile: object | undefined, id = InstanceId) =>
    call('AssociateIamInstanceProfile', { InstanceId: id, IamInstanceProfile: profile });

  test('may be named by its ARN', async () => {
    const Arn = 'arn:aws:iam::111122223333:instance-profile/node-profile';
    expect(await associate({ Arn })).toMatchObject({ IamInstanceProfileAssociation: { InstanceId } });
  });

  test.each<readonly [string, () => Promise<unknown>, string]>([
    ['no profile', () => associate(undefined), 'MissingParameter'],
    ['an empty one', () => associate({}), 'MissingParameter'],
    [
      'an instance that there is not',
      () => associate({ Name: 'node-profile' }, 'i-0123456789abcdef0'),
      'InvalidInstanceID.NotFound',
    ],
    [
      'an association that there is not',
      () =>
        call('ReplaceIamInstanceProfileAssociation', {
          AssociationId: 'iip-assoc-0123456789abcdef0',
          IamInstanceProfile: { Name: 'node-profile' },
        }),
      'InvalidAssociationID.NotFound',
    ],
  ])('is not set by a request with %s', async (_, ask, code) => {
    const before = await readState();
    expect(await ask()).toBe(code);
    expect(await readState()).toEqual(before);
  });

  test('stays when another one that there is not is to replace it', async () => {
    await associate({ Name: 'node-profile' });
    const listed = (await call('DescribeIamInstanceProfileAssociations')) as {
      readonly IamInstanceProfileAssociations: readonly { readonly AssociationId: string }[];
    };
    const [found] = listed.IamInstanceProfileAssociations;
    const replaced = { AssociationId: found?.AssociationId, IamInstanceProfile: { Name: 'none' } };
    expect(await call('ReplaceIamInstanceProfileAssociation', replaced)).toBe('InvalidParameterValue');
    expect(await call('DescribeIamInstanceProfileAssociations')).toEqual(listed);
    const AssociationIds = [found?.AssociationId];
    expect(await call('DescribeIamInstanceProfileAssociations', { AssociationIds })).toEqual(listed);
  });

  test('is not set for an instance that has ended', async () => {
    await call('TerminateInstances', { InstanceIds: [InstanceId] });
    expect(await associate({ Name: 'node-profile' })).toBe('IncorrectInstanceState');
  });
});
