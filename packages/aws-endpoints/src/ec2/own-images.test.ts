import {
  CopyImageCommand,
  CreateImageCommand,
  DeregisterImageCommand,
  DescribeImageAttributeCommand,
  DescribeImagesCommand,
  DisableImageDeprecationCommand,
  EnableImageDeprecationCommand,
  ModifyImageAttributeCommand,
  RegisterImageCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { anEc2, x86 } from '@nodewright/testkit/worlds';

async function anAccount() {
  const ec2 = await anEc2();
  const { client } = ec2;
  const copy = (Name: string) =>
    client.send(
      new CopyImageCommand({
        Name,
        SourceImageId: x86.imageId,
        SourceRegion: 'us-east-1',
        TagSpecifications: [{ ResourceType: 'image', Tags: [{ Key: 'team', Value: 'a' }] }],
      }),
    );
  return {
    ...ec2,
    copy,
    mine: async () => (await client.send(new DescribeImagesCommand({ Owners: ['self'] }))).Images ?? [],
  };
}

describe('an image of the account itself', () => {
  test('is owned by self, carries its tags, and never becomes deprecated by itself', async () => {
    const { copy, mine } = await anAccount();
    const { ImageId } = await copy('golden 1');
    const [image] = await mine();
    expect(image).toMatchObject({
      ImageId,
      Name: 'golden 1',
      OwnerId: '111122223333',
      Architecture: 'x86_64',
      CreationDate: '2024-01-28T16:00:00.000Z',
      Public: false,
      State: 'available',
      Tags: [{ Key: 'team', Value: 'a' }],
    });
    expect(image).not.toHaveProperty('ImageOwnerAlias');
    expect(image).not.toHaveProperty('DeprecationTime');
  });

  test('is made of a running instance, and its nodes are like those of the image that the instance boots', async () => {
    const { client, launched } = await anAccount();
    const run = async (ImageId: string | undefined) =>
      (await client.send(new RunInstancesCommand({ ImageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 })))
        .Instances?.[0]?.InstanceId;
    const { ImageId } = await client.send(
      new CreateImageCommand({ InstanceId: await run(x86.imageId), Name: 'of an instance' }),
    );
    await run(ImageId);
    expect(launched.at(-1)?.release).toMatchObject({ kubeletVersion: x86.kubeletVersion, name: 'of an instance' });
  });

  test('that is registered from a snapshot is taken for what its user data is written for', async () => {
    const { client, launched } = await anAccount();
    const { ImageId } = await client.send(
      new RegisterImageCommand({ Name: 'from a snapshot', Architecture: 'x86_64' }),
    );
    for (const { text, family } of [
      { text: '#!/bin/bash\n/etc/eks/bootstrap.sh demo', family: 'AL2' },
      { text: '[settings.kubernetes]\ncluster-name = "demo"', family: 'Bottlerocket' },
      { text: 'apiVersion: node.eks.aws/v1alpha1', family: 'AL2023' },
    ]) {
      const UserData = Buffer.from(text).toString('base64');
      const size = { InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 } as const;
      await client.send(new RunInstancesCommand({ ImageId, UserData, ...size }));
      expect(launched.at(-1)?.release?.family).toBe(family);
    }
  });

  test('is gone when it is deregistered, and its name is free', async () => {
    const { client, copy, mine } = await anAccount();
    const { ImageId } = await copy('golden');
    await expect(copy('golden')).rejects.toMatchObject({ name: 'InvalidAMIName.Duplicate' });
    await client.send(new DeregisterImageCommand({ ImageId }));
    expect(await mine()).toEqual([]);
    await expect(client.send(new DeregisterImageCommand({ ImageId }))).rejects.toMatchObject({
      name: 'InvalidAMIID.NotFound',
    });
    await copy('golden');
    expect(await mine()).toHaveLength(1);
  });

  test('is deprecated when its owner says so, and shown to its owner all the same', async () => {
    const { client, copy, mine, clock } = await anAccount();
    const { ImageId } = await copy('golden');
    const DeprecateAt = new Date(clock.now() + 60_000);
    await client.send(new EnableImageDeprecationCommand({ ImageId, DeprecateAt }));
    await clock.advance(60_000);
    expect((await mine()).map(({ DeprecationTime }) => DeprecationTime)).toEqual([DeprecateAt.toISOString()]);
    await client.send(new DisableImageDeprecationCommand({ ImageId }));
    expect((await mine())[0]).not.toHaveProperty('DeprecationTime');
    await clock.advance(60_000);
    await expect(client.send(new EnableImageDeprecationCommand({ ImageId, DeprecateAt }))).rejects.toThrow(/future/);
  });

  test('is shared with everybody, and described', async () => {
    const { client, copy, mine } = await anAccount();
    const { ImageId } = await copy('golden');
    await client.send(new ModifyImageAttributeCommand({ ImageId, LaunchPermission: { Add: [{ Group: 'all' }] } }));
    await client.send(new ModifyImageAttributeCommand({ ImageId, Description: { Value: 'ours' } }));
    expect(await mine()).toMatchObject([{ Public: true, Description: 'ours' }]);
    const permission = await client.send(new DescribeImageAttributeCommand({ ImageId, Attribute: 'launchPermission' }));
    expect(permission.LaunchPermissions).toEqual([{ Group: 'all' }]);
  });
});

test("nobody changes another's image", async () => {
  const { client } = await anAccount();
  const { imageId: ImageId } = x86;
  await expect(client.send(new DeregisterImageCommand({ ImageId }))).rejects.toMatchObject({ name: 'AuthFailure' });
});
