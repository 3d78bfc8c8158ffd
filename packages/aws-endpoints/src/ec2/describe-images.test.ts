import {
  CopyImageCommand,
  DeregisterImageCommand,
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
  EnableImageDeprecationCommand,
  ModifyImageAttributeCommand,
} from '@aws-sdk/client-ec2';
import { days, fromTimestamp, instant, minutes } from '@nodewright/apis';
import { anEc2, arm, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

async function world(options: Parameters<typeof anEc2>[1] = {}) {
  const account = await anEc2('us-east-1', options);
  const { client } = account;
  const found = async (request: DescribeImagesCommandInput) =>
    ((await client.send(new DescribeImagesCommand(request))).Images ?? []).map(({ ImageId }) => ImageId);
  const copy = async (Name = 'golden') =>
    (await client.send(new CopyImageCommand({ Name, SourceImageId: x86.imageId, SourceRegion: 'us-east-1' })))
      .ImageId ?? '';
  const deprecate = (ImageId: string, DeprecateAt: Date, DryRun = false) =>
    client.send(new EnableImageDeprecationCommand({ ImageId, DeprecateAt, DryRun }));
  return { ...account, found, copy, deprecate };
}

describe('images are found', () => {
  test.each<[filter: string, value: string, images: readonly string[]]>([
    ['architecture', 'arm64', [arm.imageId]],
    ['image-id', x86.imageId, [x86.imageId]],
    ['image-id', 'ami-*', [x86.imageId, arm.imageId]],
    ['name', '*arm64*', [arm.imageId]],
    ['owner-alias', 'amazon', [x86.imageId, arm.imageId]],
    ['owner-id', '111122223333', []],
    ['state', 'pending', []],
    ['is-public', 'true', [x86.imageId, arm.imageId]],
    ['virtualization-type', 'hvm', [x86.imageId, arm.imageId]],
    ['root-device-name', '/dev/xvda', [x86.imageId, arm.imageId]],
    ['tag-key', '*', []],
  ])('by %s %s', async (Name, value, images) => {
    const { found } = await world();
    expect(await found({ Filters: [{ Name, Values: [value] }] })).toEqual(images);
  });

  test('by ids, each once', async () => {
    const { found } = await world();
    expect(await found({ ImageIds: [arm.imageId, x86.imageId, arm.imageId] })).toEqual([x86.imageId, arm.imageId]);
  });

  test.each<[fact: string, ids: readonly string[], code: string, message: string]>([
    ['an unknown id', ['ami-01234567'], 'InvalidAMIID.NotFound', "The image id '[ami-01234567]' does not exist"],
    [
      'unknown ids, all at once',
      ['ami-01234567', x86.imageId, 'ami-76543210'],
      'InvalidAMIID.NotFound',
      "The image ids '[ami-01234567, ami-76543210]' do not exist",
    ],
    ['a malformed id', [x86.imageId, 'ami-x'], 'InvalidAMIID.Malformed', 'Invalid id: "ami-x" (expecting "ami-...")'],
  ])('but not %s', async (_, ids, name, message) => {
    const { client } = await world();
    const command = new DescribeImagesCommand({ ImageIds: [...ids] });
    await expect(client.send(command)).rejects.toMatchObject({ name, message });
  });
});

describe('the deprecation of an image', () => {
  const inTwoHours = (now: number) => new Date(now + minutes(120));

  test.each<[seconds: number, time: string]>([
    [29, '2024-01-28T18:00:00.000Z'],
    [31, '2024-01-28T18:01:00.000Z'],
  ])('begins at the nearest minute: %i seconds', async (more, time) => {
    const { client, clock, copy, deprecate } = await world();
    const id = await copy();
    await deprecate(id, new Date(clock.now() + minutes(120) + more * 1_000));
    const { Images } = await client.send(new DescribeImagesCommand({ ImageIds: [id] }));
    expect(Images).toMatchObject([{ DeprecationTime: time }]);
  });

  test.each<[fact: string, afterMs: number]>([
    ['in the past', -minutes(1)],
    ['in more than ten years', days(3_660)],
  ])('does not begin %s', async (_, afterMs) => {
    const { clock, copy, deprecate } = await world();
    const call = deprecate(await copy(), new Date(clock.now() + afterMs));
    await expect(call).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  test.each<[whose: string, secondsBehind: number]>([
    ['the clock of EC2', 2],
    ['the clock of a caller that an accelerated clock has left behind', 3_602],
  ])('begins now by %s', async (_, secondsBehind) => {
    const now = fromTimestamp('2024-01-28T16:00:00Z') - secondsBehind * 1_000;
    const { client, copy, deprecate } = await world({ signersClock: { now: () => instant(now + 1_000) } });
    const id = await copy();
    await deprecate(id, new Date(now));
    const { Images } = await client.send(new DescribeImagesCommand({ ImageIds: [id] }));
    expect(Images?.[0]?.DeprecationTime).toMatch(/^2024-01-28T1[56]:00:00/);
  });

  test('of an image of another owner is refused', async () => {
    const { clock, deprecate } = await world();
    await expect(deprecate(x86.imageId, inTwoHours(clock.now()))).rejects.toMatchObject({ name: 'AuthFailure' });
  });
});

describe('a dry run of a change of an image', () => {
  test.each<[fact: string, id: string, code: string]>([
    ['that is not there is refused for that', 'ami-0123456789abcdef0', 'InvalidAMIID.NotFound'],
    ['of another owner is refused for that', x86.imageId, 'AuthFailure'],
  ])('%s', async (_, ImageId, name) => {
    const { client } = await world();
    const calls = [
      client.send(new DeregisterImageCommand({ ImageId, DryRun: true })),
      client.send(new ModifyImageAttributeCommand({ ImageId, Description: { Value: 'a' }, DryRun: true })),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ name });
  });

  test('changes nothing', async () => {
    const { client, copy, found } = await world();
    const id = await copy();
    const dry = client.send(new DeregisterImageCommand({ ImageId: id, DryRun: true }));
    await expect(dry).rejects.toMatchObject({ name: 'DryRunOperation' });
    expect(await found({ Owners: ['self'] })).toEqual([id]);
  });
});
