import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  ModifyLaunchTemplateCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { aRelease, inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const LaunchTemplateName = 'web';

async function world() {
  const { aws } = aTestAccount();
  const ec2 = new EC2Client(inProcess(aws.handle));
  const LaunchTemplateData = { InstanceType: 'm5.large' as const, UserData: 'YQ==' };
  await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData }));
  const add = async (data: object, SourceVersion?: string) =>
    (
      await ec2.send(
        new CreateLaunchTemplateVersionCommand({
          LaunchTemplateName,
          LaunchTemplateData: data,
          ...(SourceVersion !== undefined && { SourceVersion }),
        }),
      )
    ).LaunchTemplateVersion;
  const remove = (...Versions: string[]) =>
    ec2.send(new DeleteLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions }));
  const versions = async (...Versions: string[]) =>
    (await ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions })))
      .LaunchTemplateVersions;
  return { ec2, add, remove, versions };
}

test('LT-1: a version is copied from its source with what is given over it, and gets a number that none had before', async () => {
  const { add, remove, versions } = await world();
  expect(await add({ InstanceType: 'm5.xlarge' }, '1')).toMatchObject({
    VersionNumber: 2,
    LaunchTemplateData: { InstanceType: 'm5.xlarge', UserData: 'YQ==' },
  });
  expect((await add({ ImageId: 'ami-0aaaaaaaaaaaaaaa1' }))?.LaunchTemplateData?.InstanceType).toBeUndefined();
  await remove('3');
  expect((await add({ EbsOptimized: true }, '1'))?.VersionNumber).toBe(4);
  expect((await versions())?.map(({ VersionNumber }) => VersionNumber)).toEqual([4, 2, 1]);
});

test('LT-2, LT-3: what is changed of a template is its default; versions are asked for by number and by alias', async () => {
  const { add, ec2, versions } = await world();
  await add({ EbsOptimized: true }, '1');
  await add({ EbsOptimized: true }, '1');
  await ec2.send(new ModifyLaunchTemplateCommand({ LaunchTemplateName, DefaultVersion: '2' }));
  expect((await versions('$Latest', '$Default', '1'))?.map(({ VersionNumber }) => VersionNumber).toSorted()).toEqual([
    1, 2, 3,
  ]);
  expect((await versions('$Default'))?.[0]).toMatchObject({ VersionNumber: 2, DefaultVersion: true });
});

test('LT-5: the default version is not deleted, and no more than 200 at once', async () => {
  const { add, remove, versions } = await world();
  await add({ EbsOptimized: true }, '1');
  const answer = await remove('1');
  expect(answer.UnsuccessfullyDeletedLaunchTemplateVersions).toMatchObject([{ VersionNumber: 1 }]);
  expect(await versions('1')).toHaveLength(1);
  await expect(remove(...Array.from({ length: 201 }, (_, at) => String(at + 1)))).rejects.toMatchObject({
    name: 'InvalidParameterValue',
  });
});

test('LT-6: user data is at most 16 KB before it is encoded', async () => {
  const { add } = await world();
  const data = (bytes: number) => ({ UserData: Buffer.alloc(bytes, 'x').toString('base64') });
  expect((await add(data(16_384)))?.VersionNumber).toBe(2);
  await expect(add(data(16_385))).rejects.toMatchObject({
    name: 'InvalidUserData.Malformed',
    message: expect.stringContaining('16384'),
  });
});

test('LT-7: what is not there is refused with the code that fits how it was asked for', async () => {
  const { ec2, versions } = await world();
  const describeOne = (by: object) => ec2.send(new DescribeLaunchTemplateVersionsCommand(by));
  await expect(describeOne({ LaunchTemplateId: 'lt-0123456789abcdef0' })).rejects.toMatchObject({
    name: 'InvalidLaunchTemplateId.NotFound',
  });
  await expect(describeOne({ LaunchTemplateName: 'none' })).rejects.toMatchObject({
    name: 'InvalidLaunchTemplateName.NotFoundException',
  });
  await expect(versions('9')).rejects.toMatchObject({ name: 'InvalidLaunchTemplateId.VersionNotFound' });
  await expect(
    ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData: { EbsOptimized: true } })),
  ).rejects.toMatchObject({ name: 'InvalidLaunchTemplateName.AlreadyExistsException' });
});

describe('LT-4: an image named by a parameter', () => {
  const reference = 'resolve:ssm:/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id';

  async function launched(ImageId: string) {
    const { aws } = aTestAccount({ releases: [aRelease()] });
    const ec2 = new EC2Client(inProcess(aws.handle));
    await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData: { ImageId } }));
    const described = async (ResolveAlias: boolean) =>
      (await ec2.send(new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, ResolveAlias })))
        .LaunchTemplateVersions?.[0]?.LaunchTemplateData?.ImageId;
    const shown = [await described(false), await described(true)];
    const run = { LaunchTemplate: { LaunchTemplateName }, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 } as const;
    return { shown, image: (await ec2.send(new RunInstancesCommand(run))).Instances?.[0]?.ImageId };
  }

  test('is what the parameter holds at the launch, and is shown so to those who ask', async () => {
    const { imageId } = aRelease();
    expect(await launched(reference)).toEqual({ shown: [reference, imageId], image: imageId });
    expect((await launched(`${reference}:1`)).image).toBe(imageId);
  });

  test('is refused where there is no such parameter', async () => {
    await expect(launched('resolve:ssm:/none')).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });
});
