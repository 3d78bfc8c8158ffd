import { anEc2, ec2Caller, templateName, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, describe, expect, test } from 'vitest';

let call: ReturnType<typeof ec2Caller>['call'];
const ids = { instance: '', stopped: '', image: '', reservation: '', group: '', subnet: '' };

beforeAll(async () => {
  const { aws, clock, subnetIn } = await anEc2();
  ({ call } = ec2Caller(aws));
  await call('RunInstances', { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 2, MaxCount: 2 });
  await clock.advance(60_000);
  const [first, second] = aws.ec2.instances.all();
  [ids.instance, ids.stopped] = [first?.id ?? '', second?.id ?? ''];
  await call('StopInstances', { InstanceIds: [ids.stopped] });
  await clock.advance(60_000);
  const image = (await call('RegisterImage', { Name: 'own', Architecture: 'x86_64' })) as { readonly ImageId: string };
  ids.image = image.ImageId;
  await call('CreateCapacityReservation', reservation);
  ids.reservation = aws.ec2.reservations.all()[0]?.id ?? '';
  await call('CreatePlacementGroup', { GroupName: 'close' });
  await call('CreatePlacementGroup', { GroupName: 'taken' });
  const inGroup = { ImageId: x86.imageId, InstanceType: 'c5.large', MinCount: 1, MaxCount: 1 };
  await call('RunInstances', { ...inGroup, Placement: { GroupName: 'taken' } });
  await call('CreateKeyPair', { KeyName: 'me' });
  const group = (await call('CreateSecurityGroup', { GroupName: 'web', Description: 'web' })) as {
    readonly GroupId: string;
  };
  ids.group = group.GroupId;
  ids.subnet = subnetIn('us-east-1a');
  await call('CreateLaunchTemplateVersion', {
    LaunchTemplateName: templateName,
    LaunchTemplateData: { InstanceType: 'm5.large' },
  });
});

const reservation = {
  InstanceType: 'm5.large',
  InstancePlatform: 'Linux/UNIX',
  InstanceCount: 1,
  AvailabilityZone: 'us-east-1a',
};
const rule = { IpPermissions: [{ IpProtocol: 'tcp', FromPort: 80, ToPort: 80, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }] };
const everythingOut = { IpPermissions: [{ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] }] };

/** What a call would change, as far as operations tell. */
async function readEverything(): Promise<readonly unknown[]> {
  const reads = [
    'DescribeInstances',
    'DescribeImages',
    'DescribeCapacityReservations',
    'DescribePlacementGroups',
    'DescribeKeyPairs',
    'DescribeSecurityGroups',
    'DescribeSubnets',
    'DescribeLaunchTemplates',
    'DescribeTags',
  ];
  const answers: unknown[] = [];
  for (const operation of reads)
    answers.push(await call(operation, operation === 'DescribeImages' ? { Owners: ['self'] } : {}));
  answers.push(await call('DescribeLaunchTemplateVersions', { LaunchTemplateName: templateName }));
  return answers;
}

/** Every operation that writes and knows dry runs, with a request that would succeed. */
const writes: readonly (readonly [operation: string, input: () => object])[] = [
  ['RunInstances', () => ({ ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 })],
  ['StartInstances', () => ({ InstanceIds: [ids.stopped] })],
  ['StopInstances', () => ({ InstanceIds: [ids.instance] })],
  ['RebootInstances', () => ({ InstanceIds: [ids.instance] })],
  ['TerminateInstances', () => ({ InstanceIds: [ids.instance] })],
  ['MonitorInstances', () => ({ InstanceIds: [ids.instance] })],
  ['UnmonitorInstances', () => ({ InstanceIds: [ids.instance] })],
  ['ModifyInstanceAttribute', () => ({ InstanceId: ids.instance, DisableApiTermination: { Value: true } })],
  ['ModifyInstanceMetadataOptions', () => ({ InstanceId: ids.instance, HttpPutResponseHopLimit: 2 })],
  ['RegisterImage', () => ({ Name: 'another', Architecture: 'arm64' })],
  ['CreateImage', () => ({ Name: 'another', InstanceId: ids.instance })],
  ['CopyImage', () => ({ Name: 'another', SourceImageId: ids.image, SourceRegion: 'us-east-1' })],
  ['DeregisterImage', () => ({ ImageId: ids.image })],
  ['EnableImageDeprecation', () => ({ ImageId: ids.image, DeprecateAt: new Date('2025-01-01T00:00:00Z') })],
  ['DisableImageDeprecation', () => ({ ImageId: ids.image })],
  ['ModifyImageAttribute', () => ({ ImageId: ids.image, Description: { Value: 'mine' } })],
  ['CreateCapacityReservation', () => reservation],
  ['ModifyCapacityReservation', () => ({ CapacityReservationId: ids.reservation, InstanceCount: 3 })],
  ['CancelCapacityReservation', () => ({ CapacityReservationId: ids.reservation })],
  ['CreatePlacementGroup', () => ({ GroupName: 'other' })],
  ['DeletePlacementGroup', () => ({ GroupName: 'close' })],
  ['CreateKeyPair', () => ({ KeyName: 'you' })],
  [
    'ImportKeyPair',
    () => ({
      KeyName: 'you',
      PublicKeyMaterial: Buffer.from(
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPli933zKrT3EVwxsXb2Yp4svfxMOR0OUwjBdYy2ntVH',
      ),
    }),
  ],
  ['DeleteKeyPair', () => ({ KeyName: 'me' })],
  ['CreateSecurityGroup', () => ({ GroupName: 'other', Description: 'other' })],
  ['AuthorizeSecurityGroupIngress', () => ({ GroupId: ids.group, ...rule })],
  ['AuthorizeSecurityGroupEgress', () => ({ GroupId: ids.group, ...rule })],
  ['RevokeSecurityGroupEgress', () => ({ GroupId: ids.group, ...everythingOut })],
  ['DeleteSecurityGroup', () => ({ GroupId: ids.group })],
  ['CreateLaunchTemplate', () => ({ LaunchTemplateName: 'other', LaunchTemplateData: { InstanceType: 'm5.large' } })],
  [
    'CreateLaunchTemplateVersion',
    () => ({ LaunchTemplateName: templateName, LaunchTemplateData: { InstanceType: 'm5.large' } }),
  ],
  ['ModifyLaunchTemplate', () => ({ LaunchTemplateName: templateName, DefaultVersion: '2' })],
  ['DeleteLaunchTemplateVersions', () => ({ LaunchTemplateName: templateName, Versions: ['2'] })],
  ['DeleteLaunchTemplate', () => ({ LaunchTemplateName: templateName })],
  ['CreateManagedPrefixList', () => ({ PrefixListName: 'mine', AddressFamily: 'IPv4', MaxEntries: 1 })],
  ['CreateTags', () => ({ Resources: [ids.instance], Tags: [{ Key: 'team', Value: 'web' }] })],
  ['DeleteTags', () => ({ Resources: [ids.instance], Tags: [{ Key: 'team' }] })],
];

describe('a dry run that would succeed says so and changes nothing', () => {
  test.each(writes)('%s', async (operation, input) => {
    const before = await readEverything();
    expect(await call(operation, { ...input(), DryRun: true })).toBe('DryRunOperation');
    expect(await readEverything()).toEqual(before);
  });
});

describe('a dry run that would fail is refused as the call would be', () => {
  test.each<readonly [string, object, string]>([
    [
      'RunInstances',
      { ImageId: 'ami-0123456789abcdef0', InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 },
      'InvalidAMIID.NotFound',
    ],
    ['StopInstances', { InstanceIds: ['i-0123456789abcdef0'] }, 'InvalidInstanceID.NotFound'],
    ['TerminateInstances', { InstanceIds: ['i-0123456789abcdef0'] }, 'InvalidInstanceID.NotFound'],
    ['DeregisterImage', { ImageId: 'ami-0123456789abcdef0' }, 'InvalidAMIID.NotFound'],
    ['DeregisterImage', { ImageId: x86.imageId }, 'AuthFailure'],
    ['RegisterImage', { Name: 'own', Architecture: 'x86_64' }, 'InvalidAMIName.Duplicate'],
    ['RegisterImage', { Name: 'x', Architecture: 'x86_64' }, 'InvalidAMIName.Malformed'],
    ['CopyImage', { Name: 'own', SourceImageId: x86.imageId, SourceRegion: 'us-east-1' }, 'InvalidAMIName.Duplicate'],
    ['DeletePlacementGroup', { GroupName: 'taken' }, 'InvalidPlacementGroup.InUse'],
    [
      'CopyImage',
      { Name: 'another', SourceImageId: 'ami-0123456789abcdef0', SourceRegion: 'us-east-1' },
      'InvalidAMIID.NotFound',
    ],
    ['CreateCapacityReservation', { ...reservation, InstanceCount: 0 }, 'InvalidParameterValue'],
    ['CreateCapacityReservation', { ...reservation, InstanceType: 'x9.large' }, 'InvalidParameterValue'],
    ['CreateCapacityReservation', { ...reservation, AvailabilityZone: 'us-east-1z' }, 'InvalidParameterValue'],
    ['CreateCapacityReservation', { ...reservation, EndDateType: 'limited' }, 'MissingParameter'],
    [
      'CreateCapacityReservation',
      { ...reservation, EndDate: new Date('2020-01-01T00:00:00Z') },
      'InvalidParameterValue',
    ],
    [
      'CreateCapacityReservation',
      { ...reservation, EndDate: new Date('2030-01-01T00:00:00Z'), EndDateType: 'unlimited' },
      'InvalidParameterCombination',
    ],
    ['CancelCapacityReservation', {}, 'MissingParameter'],
    ['CancelCapacityReservation', { CapacityReservationId: 'cr-0123' }, 'InvalidCapacityReservationId.NotFound'],
    ['CreatePlacementGroup', { GroupName: 'close' }, 'InvalidPlacementGroup.Duplicate'],
    ['CreatePlacementGroup', { GroupName: 'new', PartitionCount: 3 }, 'InvalidParameterCombination'],
    ['CreatePlacementGroup', { GroupName: 'new', Strategy: 'partition', PartitionCount: 8 }, 'InvalidParameterValue'],
    ['CreatePlacementGroup', { GroupName: 'new', SpreadLevel: 'host' }, 'InvalidParameterCombination'],
    ['DeletePlacementGroup', { GroupName: 'x' }, 'InvalidPlacementGroup.Unknown'],
    ['CreateKeyPair', { KeyName: 'me' }, 'InvalidKeyPair.Duplicate'],
    ['ImportKeyPair', { KeyName: 'you', PublicKeyMaterial: Buffer.from('x') }, 'InvalidKey.Format'],
    ['DeleteKeyPair', {}, 'MissingParameter'],
    [
      'CreateLaunchTemplate',
      { LaunchTemplateName: templateName, LaunchTemplateData: { InstanceType: 'm5.large' } },
      'InvalidLaunchTemplateName.AlreadyExistsException',
    ],
    [
      'ModifyLaunchTemplate',
      { LaunchTemplateName: templateName, DefaultVersion: '9' },
      'InvalidLaunchTemplateId.VersionNotFound',
    ],
    ['DeleteLaunchTemplate', { LaunchTemplateName: 'none' }, 'InvalidLaunchTemplateName.NotFoundException'],
    ['DeleteSubnet', { SubnetId: 'subnet-0123' }, 'InvalidSubnetID.NotFound'],
  ])('%s %j', async (operation, input, code) => {
    expect(await call(operation, { ...input, DryRun: true })).toBe(code);
    expect(await call(operation, input)).toBe(code);
  });
});
