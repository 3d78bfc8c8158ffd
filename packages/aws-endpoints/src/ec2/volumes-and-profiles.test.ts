import type { IamInstanceProfileAssociation, Image, Instance, Volume } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const { call } = ec2Caller(account.aws);
  const ask = async <Answer>(operation: string, input: object = {}) => (await call(operation, input)) as Answer;
  const launch = async (more: object = {}): Promise<string> => {
    const { Instances } = await ask<{ Instances: readonly Instance[] }>('RunInstances', {
      ImageId: x86.imageId,
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SubnetId: account.subnetIn('us-east-1a'),
      ...more,
    });
    await account.clock.advance(minutes(1));
    return Instances[0]?.InstanceId ?? '';
  };
  return {
    ...account,
    ask,
    launch,
    instance: async (id: string) => {
      const { Reservations } = await ask<{ Reservations: readonly { Instances: readonly Instance[] }[] }>(
        'DescribeInstances',
        { InstanceIds: [id] },
      );
      return Reservations[0]?.Instances[0];
    },
    volume: async (id: string) => {
      const told = await ask<{ Volumes: readonly Volume[] } | string>('DescribeVolumes', { VolumeIds: [id] });
      return typeof told === 'string' ? told : told.Volumes[0];
    },
    end: async (id: string) => {
      await ask('TerminateInstances', { InstanceIds: [id] });
      await account.clock.advance(minutes(1));
    },
  };
}

test('an instance that is launched without groups is in the default group of the VPC', async () => {
  const { aws, launch, instance } = await world();
  const found = await instance(await launch());
  const group = aws.ec2.network.securityGroups.find(({ name }) => name === 'default');
  expect(found?.SecurityGroups).toEqual([{ GroupId: group?.id, GroupName: 'default' }]);
  expect(aws.ec2.tags.of(group?.id ?? '')).toEqual({});
});

test('an image tells of which instance it was made', async () => {
  const { ask, launch } = await world();
  const InstanceId = await launch();
  await ask('CreateImage', { InstanceId, Name: 'mine' });
  const { Images } = await ask<{ Images: readonly Image[] }>('DescribeImages', { Owners: ['self'] });
  expect(Images[0]?.SourceInstanceId).toBe(InstanceId);
  const Filters = [{ Name: 'source-instance-id', Values: [InstanceId] }];
  expect((await ask<{ Images: readonly Image[] }>('DescribeImages', { Filters })).Images).toHaveLength(1);
});

describe('volumes', () => {
  test('one is made, attached, detached and deleted', async () => {
    const { ask, launch, instance, volume } = await world();
    const InstanceId = await launch();
    const made = await ask<Volume>('CreateVolume', {
      AvailabilityZone: 'us-east-1a',
      Size: 10,
      VolumeType: 'gp3',
      TagSpecifications: [{ ResourceType: 'volume', Tags: [{ Key: 'team', Value: 'red' }] }],
    });
    const VolumeId = made.VolumeId ?? '';
    expect(made).toMatchObject({ State: 'available', Size: 10, Iops: 3000, Throughput: 125, Attachments: [] });
    const attachment = await ask('AttachVolume', { VolumeId, InstanceId, Device: '/dev/sdf' });
    expect(attachment).toMatchObject({ VolumeId, InstanceId, Device: '/dev/sdf', State: 'attaching' });
    expect(await volume(VolumeId)).toMatchObject({ State: 'in-use' });
    const device = { DeviceName: '/dev/sdf', Ebs: { VolumeId, DeleteOnTermination: false } };
    expect((await instance(InstanceId))?.BlockDeviceMappings?.at(-1)).toMatchObject(device);
    expect(await ask('DeleteVolume', { VolumeId })).toBe('VolumeInUse');
    expect(await ask('DetachVolume', { VolumeId })).toMatchObject({ State: 'detaching', InstanceId });
    await ask('DeleteVolume', { VolumeId });
    expect(await volume(VolumeId)).toBe('InvalidVolume.NotFound');
  });

  test('attached ones outlive their instance, unless the attribute of the device says otherwise', async () => {
    const { ask, launch, volume, end } = await world();
    const InstanceId = await launch();
    const ids: string[] = [];
    for (const Device of ['/dev/sdf', '/dev/sdg']) {
      const { VolumeId = '' } = await ask<Volume>('CreateVolume', { AvailabilityZone: 'us-east-1a', Size: 1 });
      await ask('AttachVolume', { VolumeId, InstanceId, Device });
      ids.push(VolumeId);
    }
    const BlockDeviceMappings = [{ DeviceName: '/dev/sdg', Ebs: { DeleteOnTermination: true } }];
    await ask('ModifyInstanceAttribute', { InstanceId, BlockDeviceMappings });
    await end(InstanceId);
    const [stays = '', ends = ''] = ids;
    expect(await volume(stays)).toMatchObject({ State: 'available', Attachments: [] });
    expect(await volume(ends)).toBe('InvalidVolume.NotFound');
  });

  test('a refused ModifyInstanceAttribute changes no device, also none that it names before the wrong one', async () => {
    const { ask, launch, instance } = await world();
    const InstanceId = await launch();
    const { VolumeId = '' } = await ask<Volume>('CreateVolume', { AvailabilityZone: 'us-east-1a', Size: 1 });
    await ask('AttachVolume', { VolumeId, InstanceId, Device: '/dev/sdf' });
    const deleteAt = (DeviceName: string) => ({ DeviceName, Ebs: { DeleteOnTermination: true } });
    const modify = (request: object) => ask('ModifyInstanceAttribute', { InstanceId, ...request });
    const BlockDeviceMappings = [deleteAt('/dev/sdf')];
    expect(await modify({ BlockDeviceMappings: [...BlockDeviceMappings, deleteAt('/dev/sdx')] })).toBe(
      'InvalidInstanceAttributeValue',
    );
    expect(await modify({ BlockDeviceMappings, SourceDestCheck: { Value: false } })).toBe(
      'InvalidParameterCombination',
    );
    expect(await modify({ BlockDeviceMappings, DryRun: true })).toBe('DryRunOperation');
    const kept = { DeviceName: '/dev/sdf', Ebs: { VolumeId, DeleteOnTermination: false } };
    expect((await instance(InstanceId))?.BlockDeviceMappings?.at(-1)).toMatchObject(kept);
  });

  test('the root volume stays, with its tags, where DeleteOnTermination was changed', async () => {
    const { ask, launch, instance, volume, end } = await world();
    const InstanceId = await launch({
      TagSpecifications: [{ ResourceType: 'volume', Tags: [{ Key: 'team', Value: 'red' }] }],
    });
    const [root] = (await instance(InstanceId))?.BlockDeviceMappings ?? [];
    const BlockDeviceMappings = [{ DeviceName: root?.DeviceName, Ebs: { DeleteOnTermination: false } }];
    await ask('ModifyInstanceAttribute', { InstanceId, BlockDeviceMappings });
    const changed = (await instance(InstanceId))?.BlockDeviceMappings?.[0];
    expect(changed?.Ebs?.DeleteOnTermination).toBe(false);
    await end(InstanceId);
    expect(await volume(root?.Ebs?.VolumeId ?? '')).toMatchObject({
      State: 'available',
      Size: 20,
      Tags: [{ Key: 'team', Value: 'red' }],
    });
  });

  test('a data volume of the launch leaves its instance, the root volume does not', async () => {
    const { ask, launch, instance, volume } = await world();
    const InstanceId = await launch({ BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 5 } }] });
    const [root, data] = (await instance(InstanceId))?.BlockDeviceMappings ?? [];
    expect(await ask('DetachVolume', { VolumeId: root?.Ebs?.VolumeId })).toBe('OperationNotPermitted');
    await ask('DetachVolume', { VolumeId: data?.Ebs?.VolumeId });
    expect((await instance(InstanceId))?.BlockDeviceMappings).toHaveLength(1);
    expect(await volume(data?.Ebs?.VolumeId ?? '')).toMatchObject({ State: 'available', Size: 5 });
  });

  for (const { fact, operation, input, name } of [
    {
      fact: 'a zone that there is not',
      operation: 'CreateVolume',
      input: { AvailabilityZone: 'us-east-1z', Size: 1 },
      name: 'InvalidZone.NotFound',
    },
    { fact: 'no size', operation: 'CreateVolume', input: { AvailabilityZone: 'us-east-1a' }, name: 'MissingParameter' },
    {
      fact: 'a size beyond the type',
      operation: 'CreateVolume',
      input: { AvailabilityZone: 'us-east-1a', Size: 100, VolumeType: 'st1' },
      name: 'InvalidParameterValue',
    },
    {
      fact: 'a volume of another zone',
      operation: 'AttachVolume',
      input: { AvailabilityZone: 'us-east-1b', Device: '/dev/sdf' },
      name: 'InvalidVolume.ZoneMismatch',
    },
    {
      fact: 'a device that is taken',
      operation: 'AttachVolume',
      input: { AvailabilityZone: 'us-east-1a', Device: '/dev/xvda' },
      name: 'InvalidParameterValue',
    },
    {
      fact: 'a volume that hangs nowhere',
      operation: 'DetachVolume',
      input: { AvailabilityZone: 'us-east-1a' },
      name: 'IncorrectState',
    },
  ]) {
    test(`${operation} refuses ${fact}`, async () => {
      const { ask, launch } = await world();
      if (operation === 'CreateVolume') return expect(await ask(operation, input)).toBe(name);
      const { AvailabilityZone, ...rest } = input;
      const { VolumeId } = await ask<Volume>('CreateVolume', { AvailabilityZone, Size: 1 });
      const InstanceId = await launch();
      expect(await ask(operation, { VolumeId, InstanceId, ...rest })).toBe(name);
    });
  }
});

test('an instance gets a profile, another one, and none', async () => {
  const { aws, ask, launch, instance } = await world();
  for (const name of ['one', 'two']) aws.iam.createProfile({ name, path: '/', tags: {} });
  const InstanceId = await launch();
  const associate = (operation: string, input: object) =>
    ask<{ IamInstanceProfileAssociation: IamInstanceProfileAssociation }>(operation, input).then(
      (answer) => answer.IamInstanceProfileAssociation,
    );
  const first = await associate('AssociateIamInstanceProfile', { InstanceId, IamInstanceProfile: { Name: 'one' } });
  expect(first).toMatchObject({ InstanceId, State: 'associating' });
  expect((await instance(InstanceId))?.IamInstanceProfile?.Arn).toMatch(/instance-profile\/one$/);
  expect(await ask('AssociateIamInstanceProfile', { InstanceId, IamInstanceProfile: { Name: 'two' } })).toBe(
    'IncorrectState',
  );
  const second = await associate('ReplaceIamInstanceProfileAssociation', {
    AssociationId: first.AssociationId,
    IamInstanceProfile: { Name: 'two' },
  });
  expect(second.AssociationId).not.toBe(first.AssociationId);
  expect((await instance(InstanceId))?.IamInstanceProfile?.Arn).toMatch(/instance-profile\/two$/);
  const gone = { AssociationId: first.AssociationId };
  expect(await ask('DisassociateIamInstanceProfile', gone)).toBe('InvalidAssociationID.NotFound');
  await ask('DisassociateIamInstanceProfile', { AssociationId: second.AssociationId });
  expect((await instance(InstanceId))?.IamInstanceProfile).toBeUndefined();
  expect(await ask('AssociateIamInstanceProfile', { InstanceId, IamInstanceProfile: { Name: 'none' } })).toBe(
    'InvalidParameterValue',
  );
});
