import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateCommand,
  DeleteLaunchTemplateVersionsCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type DescribeLaunchTemplateVersionsCommandInput,
  EC2Client,
  ModifyLaunchTemplateCommand,
} from '@aws-sdk/client-ec2';
import { aTestAccount, inProcess } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const LaunchTemplateName = 'web';

/** A template `web` with four versions, of which the second is the default. */
async function world() {
  const { aws, clock } = aTestAccount();
  const client = new EC2Client(inProcess(aws.handle));
  const create = (name: string, different: object = {}) =>
    client.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: name,
        LaunchTemplateData: { InstanceType: 'm5.large' },
        ...different,
      }),
    );
  await create(LaunchTemplateName);
  for (const InstanceType of ['m5.xlarge', 'c5.large', 'c5.xlarge'] as const) {
    const LaunchTemplateData = { InstanceType };
    await client.send(new CreateLaunchTemplateVersionCommand({ LaunchTemplateName, LaunchTemplateData }));
  }
  await client.send(new ModifyLaunchTemplateCommand({ LaunchTemplateName, DefaultVersion: '2' }));
  const numbers = async (request: DescribeLaunchTemplateVersionsCommandInput) =>
    (await client.send(new DescribeLaunchTemplateVersionsCommand(request))).LaunchTemplateVersions?.map(
      ({ VersionNumber }) => VersionNumber,
    );
  const remove = (...Versions: string[]) =>
    client.send(new DeleteLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions }));
  const id = aws.ec2.templates.find({ LaunchTemplateName }).id;
  return { aws, client, clock, create, id, numbers, remove };
}

describe('the name of a launch template', () => {
  test.each([['abc'], ['a'.repeat(128)], ['karpenter.k8s.aws/1_(a)-b']])('may be %s', async (name) => {
    const { create } = await world();
    expect((await create(name)).LaunchTemplate).toMatchObject({ LaunchTemplateName: name, LatestVersionNumber: 1 });
  });

  test.each([['ab'], ['a'.repeat(129)], ['with space'], ['colon:'], ['ümlaut']])('may not be %s', async (name) => {
    const { create } = await world();
    await expect(create(name)).rejects.toMatchObject({ name: 'InvalidLaunchTemplateName.MalformedException' });
  });
});

describe('CreateLaunchTemplate', () => {
  test.each<[fact: string, different: object, code: string]>([
    ['without data', { LaunchTemplateData: undefined }, 'MissingParameter'],
    [
      'with user data of more than 16 KB',
      { LaunchTemplateData: { UserData: Buffer.alloc(16_385).toString('base64') } },
      'InvalidUserData.Malformed',
    ],
    [
      'with tags of what no launch creates',
      { LaunchTemplateData: { TagSpecifications: [{ ResourceType: 'subnet', Tags: [{ Key: 'a', Value: 'b' }] }] } },
      'InvalidParameterValue',
    ],
    [
      'with both forms of the protection against spot prices',
      {
        LaunchTemplateData: {
          InstanceRequirements: {
            VCpuCount: { Min: 1 },
            MemoryMiB: { Min: 1 },
            SpotMaxPricePercentageOverLowestPrice: 10,
            MaxSpotPriceAsPercentageOfOptimalOnDemandPrice: 10,
          },
        },
      },
      'InvalidParameterCombination',
    ],
    ['as a dry run', { DryRun: true }, 'DryRunOperation'],
  ])('%s is refused, and makes nothing', async (_, different, name) => {
    const { aws, create } = await world();
    await expect(create('new', different)).rejects.toMatchObject({ name });
    expect(aws.ec2.templates.all().map((each) => each.name)).toEqual([LaunchTemplateName]);
  });

  test('with the same token gives the same template', async () => {
    const { create } = await world();
    const first = await create('new', { ClientToken: 'a' });
    expect((await create('new', { ClientToken: 'a' })).LaunchTemplate).toEqual(first.LaunchTemplate);
    await expect(create('other', { ClientToken: 'a' })).rejects.toMatchObject({ name: 'IdempotentParameterMismatch' });
  });

  test('tags the template', async () => {
    const { create } = await world();
    const TagSpecifications = [{ ResourceType: 'launch-template', Tags: [{ Key: 'b' }, { Key: 'a', Value: '1' }] }];
    expect((await create('new', { TagSpecifications })).LaunchTemplate?.Tags).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '' },
    ]);
  });
});

describe('a launch template is asked for', () => {
  test.each<[fact: string, by: object, code: string]>([
    ['by no id and no name', {}, 'MissingParameter'],
    ['by an unknown name', { LaunchTemplateName: 'none' }, 'InvalidLaunchTemplateName.NotFoundException'],
    ['by an unknown id', { LaunchTemplateId: 'lt-0123456789abcdef0' }, 'InvalidLaunchTemplateId.NotFound'],
    ['by a malformed id', { LaunchTemplateId: 'web' }, 'InvalidLaunchTemplateId.Malformed'],
    ['by both', { LaunchTemplateId: 'lt-0123456789abcdef0', LaunchTemplateName }, 'InvalidParameterCombination'],
  ])('%s: every operation refuses it alike', async (_, by, name) => {
    const { client } = await world();
    const LaunchTemplateData = { EbsOptimized: true };
    const calls = [
      client.send(new DescribeLaunchTemplateVersionsCommand(by)),
      client.send(new CreateLaunchTemplateVersionCommand({ ...by, LaunchTemplateData })),
      client.send(new ModifyLaunchTemplateCommand({ ...by, DefaultVersion: '1' })),
      client.send(new DeleteLaunchTemplateCommand(by)),
      client.send(new DeleteLaunchTemplateVersionsCommand({ ...by, Versions: ['1'] })),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.name : outcome))).toEqual(
      calls.map(() => name),
    );
  });
});

describe('DescribeLaunchTemplateVersions finds', () => {
  test.each<[fact: string, request: DescribeLaunchTemplateVersionsCommandInput, numbers: readonly number[]]>([
    ['all, the newest first', { LaunchTemplateName }, [4, 3, 2, 1]],
    ['the latest', { LaunchTemplateName, Versions: ['$Latest'] }, [4]],
    ['the default', { LaunchTemplateName, Versions: ['$Default'] }, [2]],
    ['a number', { LaunchTemplateName, Versions: ['3'] }, [3]],
    ['each version once', { LaunchTemplateName, Versions: ['$Default', '2', '$Latest', '4'] }, [2, 4]],
    ['those from a version on', { LaunchTemplateName, MinVersion: '3' }, [4, 3]],
    ['those up to a version', { LaunchTemplateName, MaxVersion: '2' }, [2, 1]],
    ['those between two', { LaunchTemplateName, MinVersion: '2', MaxVersion: '3' }, [3, 2]],
    ['none beyond the last', { LaunchTemplateName, MinVersion: '9' }, []],
    ['those of a type', { LaunchTemplateName, Filters: [{ Name: 'instance-type', Values: ['c5.*'] }] }, [4, 3]],
    [
      'the default by a filter',
      { LaunchTemplateName, Filters: [{ Name: 'is-default-version', Values: ['true'] }] },
      [2],
    ],
    ['the latest of all templates', { Versions: ['$Latest'] }, [1, 4]],
    ['the default of all templates', { Versions: ['$Default'] }, [1, 2]],
  ])('%s', async (_, request, numbers) => {
    const account = await world();
    await account.create('api');
    expect(await account.numbers(request)).toEqual(numbers);
  });

  test.each<[fact: string, request: DescribeLaunchTemplateVersionsCommandInput, code: string]>([
    ['an unknown number', { Versions: ['9'] }, 'InvalidLaunchTemplateId.VersionNotFound'],
    ['an unknown alias', { Versions: ['$Newest'] }, 'InvalidLaunchTemplateId.VersionNotFound'],
    ['a number in another notation', { Versions: ['0x1'] }, 'InvalidLaunchTemplateId.VersionNotFound'],
    ['a fraction', { Versions: ['1.0'] }, 'InvalidLaunchTemplateId.VersionNotFound'],
    ['a range that is no number', { MinVersion: '$Latest' }, 'InvalidParameterValue'],
    ['a range that ends before it begins', { MinVersion: '3', MaxVersion: '2' }, 'InvalidParameterCombination'],
    ['an unknown filter', { Filters: [{ Name: 'colour', Values: ['red'] }] }, 'InvalidParameterValue'],
  ])('nothing for %s, which is refused', async (_, request, name) => {
    const { client } = await world();
    const command = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, ...request });
    await expect(client.send(command)).rejects.toMatchObject({ name });
  });
});

describe('DeleteLaunchTemplateVersions', () => {
  test.each<
    [asked: readonly string[], gone: readonly number[], kept: readonly (readonly [string, number | undefined])[]]
  >([
    [['1', '3'], [1, 3], []],
    [['1', '9'], [1], [['launchTemplateVersionDoesNotExist', 9]]],
    [['2'], [], [['unexpectedError', 2]]],
    [['$Default'], [], [['launchTemplateVersionDoesNotExist', undefined]]],
    [['$Latest', '4'], [4], [['launchTemplateVersionDoesNotExist', undefined]]],
    [['3', '3'], [3], [['launchTemplateVersionDoesNotExist', 3]]],
  ])('of %j deletes %j', async (asked, gone, kept) => {
    const { numbers, remove } = await world();
    const answer = await remove(...asked);
    const { SuccessfullyDeletedLaunchTemplateVersions: done, UnsuccessfullyDeletedLaunchTemplateVersions: failed } =
      answer;
    expect(done?.map(({ VersionNumber }) => VersionNumber)).toEqual(gone);
    expect(failed?.map(({ ResponseError, VersionNumber }) => [ResponseError?.Code, VersionNumber])).toEqual(kept);
    expect(await numbers({ LaunchTemplateName })).toEqual([4, 3, 2, 1].filter((each) => !gone.includes(each)));
  });

  test('without versions is refused', async () => {
    const { remove } = await world();
    await expect(remove()).rejects.toMatchObject({ name: 'MissingParameter' });
  });

  test('$Latest is the greatest number that is left', async () => {
    const { client, numbers, remove } = await world();
    await remove('4');
    expect(await numbers({ LaunchTemplateName, Versions: ['$Latest'] })).toEqual([3]);
    const { LaunchTemplates } = await client.send(new DescribeLaunchTemplatesCommand({}));
    expect(LaunchTemplates).toMatchObject([{ DefaultVersionNumber: 2, LatestVersionNumber: 3 }]);
  });
});

describe('ModifyLaunchTemplate', () => {
  test.each<[fact: string, different: object, code: string]>([
    ['no version', {}, 'MissingParameter'],
    ['an unknown version', { DefaultVersion: '9' }, 'InvalidLaunchTemplateId.VersionNotFound'],
    [
      'an unknown version as a dry run',
      { DefaultVersion: '9', DryRun: true },
      'InvalidLaunchTemplateId.VersionNotFound',
    ],
    ['a dry run', { DefaultVersion: '1', DryRun: true }, 'DryRunOperation'],
  ])('refuses %s', async (_, different, name) => {
    const { client, numbers } = await world();
    await expect(
      client.send(new ModifyLaunchTemplateCommand({ LaunchTemplateName, ...different })),
    ).rejects.toMatchObject({ name });
    expect(await numbers({ LaunchTemplateName, Versions: ['$Default'] })).toEqual([2]);
  });
});

describe('DescribeLaunchTemplates', () => {
  test.each<[fact: string, request: (id: string) => object, names: readonly string[]]>([
    ['all by name', () => ({}), ['api', 'web']],
    ['by id', (id) => ({ LaunchTemplateIds: [id] }), ['web']],
    ['by names, in their order', () => ({ LaunchTemplateNames: ['web', 'api'] }), ['web', 'api']],
    ['by a filter', () => ({ Filters: [{ Name: 'launch-template-name', Values: ['a*'] }] }), ['api']],
    ['by a tag', () => ({ Filters: [{ Name: 'tag:team', Values: ['x'] }] }), ['api']],
  ])('finds %s', async (_, requestFor, names) => {
    const { client, create, id } = await world();
    await create('api', {
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: 'team', Value: 'x' }] }],
    });
    const { LaunchTemplates } = await client.send(new DescribeLaunchTemplatesCommand(requestFor(id)));
    expect(LaunchTemplates?.map((each) => each.LaunchTemplateName)).toEqual(names);
  });
});

test('a template that is deleted leaves its name free, and no tags', async () => {
  const { aws, client, create, id } = await world();
  aws.ec2.tags.add(id, { a: '1' });
  await client.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: id }));
  expect(aws.ec2.tags.of(id)).toEqual({});
  expect((await create(LaunchTemplateName)).LaunchTemplate?.LaunchTemplateId).not.toBe(id);
});
