import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreatePlacementGroupCommand,
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
  RunInstancesCommand,
  type Tag,
  type TagSpecification,
} from '@aws-sdk/client-ec2';
import { aFleet, anEc2, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const run = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 } as const;
const numbered = (count: number): Tag[] => Array.from({ length: count }, (_, at) => ({ Key: `k${at}`, Value: '' }));

async function world(specifications?: TagSpecification[]) {
  const account = await anEc2();
  const { Instances } = await account.client.send(
    new RunInstancesCommand({ ...run, ...(specifications && { TagSpecifications: specifications }) }),
  );
  const id = Instances?.[0]?.InstanceId ?? '';
  const create = (Tags: Tag[], Resources: string[] = [id]) =>
    account.client.send(new CreateTagsCommand({ Resources, Tags }));
  const remove = (Tags: Tag[] | undefined, Resources: string[] = [id]) =>
    account.client.send(new DeleteTagsCommand({ Resources, ...(Tags && { Tags }) }));
  const tags = () => account.aws.ec2.tags.of(id);
  return { ...account, id, create, remove, tags };
}

describe('CreateTags', () => {
  test('adds tags, and gives existing keys the new value', async () => {
    const { create, tags } = await world();
    await create([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ]);
    await create([
      { Key: 'b', Value: '3' },
      { Key: 'B', Value: '' },
    ]);
    expect(tags()).toEqual({ a: '1', b: '3', B: '' });
  });

  test.each<[fact: string, tags: Tag[], code: string, message: RegExp]>([
    ['a key of EC2 itself', [{ Key: 'aws:x', Value: '' }], 'InvalidParameterValue', /reserved for internal use/],
    ['an empty key', [{ Key: '', Value: 'a' }], 'InvalidParameterValue', /cannot be empty/],
    [
      'a key that comes twice',
      [
        { Key: 'a', Value: '1' },
        { Key: 'a', Value: '2' },
      ],
      'InvalidParameterValue',
      /Duplicate tag key 'a'/,
    ],
    [
      'a key of 128 characters',
      [{ Key: 'k'.repeat(128), Value: '' }],
      'InvalidParameterValue',
      /key exceeds the maximum length of 127/,
    ],
    [
      'a value of 256 characters',
      [{ Key: 'a', Value: 'v'.repeat(256) }],
      'InvalidParameterValue',
      /value exceeds the maximum length of 255/,
    ],
    ['51 tags', numbered(51), 'TagLimitExceeded', /50/],
    ['no tags', [], 'MissingParameter', /Tag/],
  ])('refuses %s and changes nothing', async (_, tags, code, message) => {
    const account = await world();
    await expect(account.create(tags)).rejects.toMatchObject({ name: code, message: expect.stringMatching(message) });
    expect(account.tags()).toEqual({});
  });

  test('takes the longest key and value, and 50 tags', async () => {
    const { create, tags } = await world();
    await create([...numbered(49), { Key: 'k'.repeat(127), Value: 'v'.repeat(255) }]);
    expect(Object.keys(tags())).toHaveLength(50);
  });

  test('counts the tags that a resource has already, but not those of EC2 itself', async () => {
    const { aws, create, id, tags } = await world();
    aws.ec2.tags.add(id, { 'aws:ec2:fleet-id': 'fleet-1' });
    await create(numbered(50));
    await create(numbered(50));
    await expect(create([{ Key: 'more', Value: '' }])).rejects.toMatchObject({ name: 'TagLimitExceeded' });
    expect(Object.keys(tags())).toHaveLength(51);
  });

  test.each([
    ['i-0123456789abcdef0', 'InvalidInstanceID.NotFound'],
    ['ami-0123456789abcdef0', 'InvalidAMIID.NotFound'],
    ['lt-0123456789abcdef0', 'InvalidLaunchTemplateId.NotFound'],
    ['subnet-0123456789abcdef0', 'InvalidSubnetID.NotFound'],
    ['sg-0123456789abcdef0', 'InvalidGroup.NotFound'],
    ['vpc-0123456789abcdef0', 'InvalidVpcID.NotFound'],
    ['vol-0123456789abcdef0', 'InvalidVolume.NotFound'],
    ['eni-0123456789abcdef0', 'InvalidNetworkInterfaceID.NotFound'],
    ['cr-0123456789abcdef0', 'InvalidCapacityReservationId.NotFound'],
    ['pg-0123456789abcdef0', 'InvalidPlacementGroup.Unknown'],
    ['sir-01234567', 'InvalidSpotInstanceRequestID.NotFound'],
    ['fleet-0123', 'InvalidFleetId.NotFound'],
    ['node-1', 'InvalidID'],
  ])('refuses %s, which does not exist, with %s, and tags none of the others', async (missing, code) => {
    const { create, id, remove, tags } = await world();
    await expect(create([{ Key: 'a', Value: '1' }], [id, missing])).rejects.toMatchObject({ name: code });
    await expect(remove([{ Key: 'a' }], [missing])).rejects.toMatchObject({ name: code });
    expect(tags()).toEqual({});
  });

  test('takes every kind of resource that exists', async () => {
    const { aws, client, create } = await world();
    const { PlacementGroup } = await client.send(new CreatePlacementGroupCommand({ GroupName: 'near' }));
    const fleet = await client.send(new CreateFleetCommand(aFleet([{ InstanceType: 'm5.large' }])));
    const spot = aws.ec2.instances.all().find(({ spotRequestId }) => spotRequestId !== undefined);
    const ids = [
      x86.imageId,
      aws.ec2.templates.all()[0]?.id,
      aws.ec2.network.subnets[0]?.id,
      aws.ec2.network.securityGroups[0]?.id,
      aws.ec2.network.vpcId,
      spot?.root.volumeId,
      spot?.networkInterfaceId,
      spot?.spotRequestId,
      PlacementGroup?.GroupId,
      fleet.FleetId,
    ].map((id) => id ?? 'none');
    await create([{ Key: 'a', Value: '1' }], ids);
    const { Tags } = await client.send(new DescribeTagsCommand({ Filters: [{ Name: 'tag:a', Values: ['1'] }] }));
    expect(Tags?.map(({ ResourceType }) => ResourceType).toSorted()).toEqual([
      'fleet',
      'image',
      'launch-template',
      'network-interface',
      'placement-group',
      'security-group',
      'spot-instances-request',
      'subnet',
      'volume',
      'vpc',
    ]);
  });

  test('without resources is refused', async () => {
    const { create, remove } = await world();
    await expect(create([{ Key: 'a', Value: '' }], [])).rejects.toMatchObject({ name: 'MissingParameter' });
    await expect(remove(undefined, [])).rejects.toMatchObject({ name: 'MissingParameter' });
  });

  test('as a dry run changes nothing, and is refused for what is wrong', async () => {
    const { client, id, tags } = await world();
    const dry = (Key: string, Resources: string[]) =>
      client.send(new CreateTagsCommand({ Resources, Tags: [{ Key, Value: '' }], DryRun: true }));
    await expect(dry('a', [id])).rejects.toMatchObject({ name: 'DryRunOperation' });
    await expect(dry('aws:a', [id])).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await expect(dry('a', ['i-0123456789abcdef0'])).rejects.toMatchObject({ name: 'InvalidInstanceID.NotFound' });
    expect(tags()).toEqual({});
  });
});

describe('DeleteTags', () => {
  test.each<[fact: string, tags: Tag[] | undefined, left: object]>([
    ['a key deletes the tag with any value', [{ Key: 'a' }], { b: '2', c: '' }],
    ['a key with the value of the tag deletes it', [{ Key: 'b', Value: '2' }], { a: '1', c: '' }],
    ['a key with another value deletes nothing', [{ Key: 'b', Value: '9' }], { a: '1', b: '2', c: '' }],
    ['an empty value deletes a tag with an empty value', [{ Key: 'c', Value: '' }], { a: '1', b: '2' }],
    ['an empty value deletes no tag with a value', [{ Key: 'a', Value: '' }], { a: '1', b: '2', c: '' }],
    ['an unknown key deletes nothing', [{ Key: 'z' }], { a: '1', b: '2', c: '' }],
    ['no list of tags deletes all', undefined, {}],
  ])('%s', async (_, tags, left) => {
    const account = await world();
    await account.create([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
      { Key: 'c', Value: '' },
    ]);
    await account.remove(tags);
    expect(account.tags()).toEqual(left);
  });

  test('leaves the tags of EC2 itself, and is refused where they are named', async () => {
    const { aws, id, remove, tags } = await world();
    aws.ec2.tags.add(id, { 'aws:ec2:fleet-id': 'fleet-1', a: '1' });
    await expect(remove([{ Key: 'aws:ec2:fleet-id' }])).rejects.toMatchObject({ name: 'InvalidParameterValue' });
    await remove(undefined);
    expect(tags()).toEqual({ 'aws:ec2:fleet-id': 'fleet-1' });
  });
});

describe('DescribeTags', () => {
  test.each<[filter: string, value: string, keys: readonly string[]]>([
    ['key', 'a*', ['a', 'ab']],
    ['value', '1', ['a', 'b']],
    ['tag:a', '1', ['a']],
    ['tag:a', '2', []],
    ['resource-type', 'instance', ['a', 'ab', 'b']],
  ])('finds by %s %s', async (Name, value, keys) => {
    const { client, create, id } = await world();
    await create([
      { Key: 'b', Value: '1' },
      { Key: 'a', Value: '1' },
      { Key: 'ab', Value: '2' },
    ]);
    const Filters = [
      { Name, Values: [value] },
      { Name: 'resource-id', Values: [id] },
    ];
    const { Tags } = await client.send(new DescribeTagsCommand({ Filters }));
    expect(Tags?.map(({ Key }) => Key)).toEqual(keys);
  });
});

describe('tag specifications', () => {
  const tagged = (ResourceType: TagSpecification['ResourceType'], Tags: Tag[] = [{ Key: 'a', Value: '1' }]) => [
    { ResourceType, Tags },
  ];

  test('of RunInstances tag instances and volumes', async () => {
    const { aws, id, tags } = await world([...tagged('instance'), ...tagged('volume', [{ Key: 'v', Value: '2' }])]);
    expect(tags()).toEqual({ a: '1' });
    expect(aws.ec2.tags.of(aws.ec2.instances.get(id)?.root.volumeId ?? '')).toEqual({ v: '2' });
  });

  test.each<[operation: string, type: TagSpecification['ResourceType']]>([
    ['RunInstances', 'launch-template'],
    ['CreateFleet', 'launch-template'],
    ['CreateLaunchTemplate', 'instance'],
    ['CreatePlacementGroup', 'instance'],
  ])('of %s for a %s are refused', async (operation, type) => {
    const { client } = await anEc2();
    const TagSpecifications = tagged(type);
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      RunInstances: () => client.send(new RunInstancesCommand({ ...run, TagSpecifications })),
      CreateFleet: () => client.send(new CreateFleetCommand(aFleet([], { TagSpecifications }))),
      CreateLaunchTemplate: () =>
        client.send(
          new CreateLaunchTemplateCommand({
            LaunchTemplateName: 'new',
            LaunchTemplateData: { EbsOptimized: true },
            TagSpecifications,
          }),
        ),
      CreatePlacementGroup: () => client.send(new CreatePlacementGroupCommand({ GroupName: 'new', TagSpecifications })),
    };
    await expect(calls[operation]?.()).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      message: `'${type}' is not a valid taggable resource type for this operation.`,
    });
  });

  test.each<[fact: string, tags: Tag[], code: string]>([
    ['a key of EC2 itself', [{ Key: 'aws:a', Value: '' }], 'InvalidParameterValue'],
    ['51 tags', numbered(51), 'TagLimitExceeded'],
    [
      'a key that comes twice',
      [
        { Key: 'a', Value: '' },
        { Key: 'a', Value: '' },
      ],
      'InvalidParameterValue',
    ],
  ])('with %s are refused, and nothing is launched', async (_, tags, code) => {
    const { client, launched } = await anEc2();
    const TagSpecifications = tagged('instance', tags);
    await expect(client.send(new RunInstancesCommand({ ...run, TagSpecifications }))).rejects.toMatchObject({
      name: code,
    });
    const fleet = new CreateFleetCommand(aFleet([{ InstanceType: 'm5.large' }], { TagSpecifications }));
    await expect(client.send(fleet)).rejects.toMatchObject({ name: code });
    expect(launched).toEqual([]);
  });
});
