import { anEc2, ec2Caller, templateName, x86 } from '@nodewright/testkit/worlds';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
const renew = async (): Promise<void> => {
  account = await anEc2();
  ({ call } = ec2Caller(account.aws));
};
const launch = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };

describe('an attribute of an instance', () => {
  let InstanceId: string, spotId: string, group: string;
  beforeAll(async () => {
    await renew();
    await call('RunInstances', { ...launch, UserData: 'IyEvYmluL2Jhc2g=' });
    await call('RunInstances', { ...launch, InstanceMarketOptions: { MarketType: 'spot' } });
    const [first, second] = account.aws.ec2.instances.all();
    [InstanceId, spotId] = [first?.id ?? '', second?.id ?? ''];
    group = account.aws.ec2.network.securityGroups[0]?.id ?? '';
  });
  const read = (Attribute: string) => call('DescribeInstanceAttribute', { InstanceId, Attribute });

  test.each<readonly [string, object]>([
    ['disableApiStop', { DisableApiStop: { Value: false } }],
    ['disableApiTermination', { DisableApiTermination: { Value: false } }],
    ['enaSupport', { EnaSupport: { Value: true } }],
    ['instanceInitiatedShutdownBehavior', { InstanceInitiatedShutdownBehavior: { Value: 'stop' } }],
    ['instanceType', { InstanceType: { Value: 'm5.large' } }],
    ['productCodes', { ProductCodes: [] }],
    ['rootDeviceName', { RootDeviceName: { Value: '/dev/xvda' } }],
    ['sourceDestCheck', { SourceDestCheck: { Value: true } }],
    ['sriovNetSupport', { SriovNetSupport: { Value: 'simple' } }],
    ['userData', { UserData: { Value: 'IyEvYmluL2Jhc2g=' } }],
    ['kernel', { KernelId: {} }],
    ['ramdisk', { RamdiskId: {} }],
  ])('%s is told', async (attribute, value) => {
    expect(await read(attribute)).toEqual({ InstanceId, ...value });
  });

  test.each<readonly [string, object, string, object]>([
    ['by its member', { SourceDestCheck: { Value: false } }, 'sourceDestCheck', { SourceDestCheck: { Value: false } }],
    [
      'by its name',
      { Attribute: 'sourceDestCheck', Value: 'true' },
      'sourceDestCheck',
      { SourceDestCheck: { Value: true } },
    ],
    [
      'for the end',
      { InstanceInitiatedShutdownBehavior: { Value: 'terminate' } },
      'instanceInitiatedShutdownBehavior',
      { InstanceInitiatedShutdownBehavior: { Value: 'terminate' } },
    ],
    [
      'for protection',
      { DisableApiTermination: { Value: true } },
      'disableApiTermination',
      { DisableApiTermination: { Value: true } },
    ],
    ['for volumes', { EbsOptimized: { Value: true } }, 'ebsOptimized', { EbsOptimized: { Value: true } }],
  ])('changes %s', async (_, change, attribute, value) => {
    expect(await call('ModifyInstanceAttribute', { InstanceId, ...change })).toEqual({});
    expect(await read(attribute)).toMatchObject(value);
  });

  test('of groups names each once', async () => {
    await call('ModifyInstanceAttribute', { InstanceId, Groups: [group, group] });
    expect(await read('groupSet')).toMatchObject({ Groups: [{ GroupId: group }] });
  });

  test.each<readonly [string, () => object, string]>([
    ['nothing', () => ({ InstanceId }), 'MissingParameter'],
    [
      'two at once',
      () => ({ InstanceId, SourceDestCheck: { Value: true }, EbsOptimized: { Value: true } }),
      'InvalidParameterCombination',
    ],
    [
      'an unknown instance',
      () => ({ InstanceId: 'i-0123456789abcdef0', SourceDestCheck: { Value: true } }),
      'InvalidInstanceID.NotFound',
    ],
    ['an unknown group', () => ({ InstanceId, Groups: ['sg-0123'] }), 'InvalidGroup.NotFound'],
    [
      'an unknown end',
      () => ({ InstanceId, InstanceInitiatedShutdownBehavior: { Value: 'sleep' } }),
      'InvalidParameterValue',
    ],
    [
      'a flag that is none',
      () => ({ InstanceId, Attribute: 'sourceDestCheck', Value: 'yes' }),
      'InvalidParameterValue',
    ],
    ['the type while it runs', () => ({ InstanceId, InstanceType: { Value: 'm5.xlarge' } }), 'IncorrectInstanceState'],
    [
      'protection of a spot instance',
      () => ({ InstanceId: spotId, DisableApiTermination: { Value: true } }),
      'UnsupportedOperation',
    ],
  ])('does not change for %s', async (_, request, code) => {
    expect(await call('ModifyInstanceAttribute', request())).toBe(code);
  });

  test.each<readonly [number, string | object]>([
    [0, 'InvalidParameterValue'],
    [1, { InstanceMetadataOptions: { HttpPutResponseHopLimit: 1 } }],
    [64, { InstanceMetadataOptions: { HttpPutResponseHopLimit: 64 } }],
    [65, 'InvalidParameterValue'],
  ])('hop limit %d', async (HttpPutResponseHopLimit, answer) => {
    const given = await call('ModifyInstanceMetadataOptions', { InstanceId, HttpPutResponseHopLimit });
    if (typeof answer === 'string') expect(given).toBe(answer);
    else expect(given).toMatchObject(answer);
  });

  test('options of metadata that are not named stay', async () => {
    await call('ModifyInstanceMetadataOptions', { InstanceId, HttpTokens: 'required' });
    expect(await call('ModifyInstanceMetadataOptions', { InstanceId, HttpPutResponseHopLimit: 2 })).toMatchObject({
      InstanceMetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
    });
  });

  test('monitoring goes on and off, of several at once', async () => {
    const InstanceIds = [InstanceId, spotId];
    for (const [operation, State] of [
      ['MonitorInstances', 'enabled'],
      ['UnmonitorInstances', 'disabled'],
    ] as const)
      expect(await call(operation, { InstanceIds })).toEqual({
        InstanceMonitorings: InstanceIds.map((id) => ({ InstanceId: id, Monitoring: { State } })),
      });
    expect(await call('MonitorInstances', { InstanceIds: [] })).toBe('InvalidParameterCombination');
  });

  test('the request of a spot instance is found by what it launched, and is closed at its end', async () => {
    const byInstance = { Filters: [{ Name: 'instance-id', Values: [spotId] }] };
    expect(await call('DescribeSpotInstanceRequests', byInstance)).toMatchObject({
      SpotInstanceRequests: [{ InstanceId: spotId, State: 'active', Type: 'one-time', Status: { Code: 'fulfilled' } }],
    });
    await call('TerminateInstances', { InstanceIds: [spotId] });
    expect(await call('DescribeSpotInstanceRequests', byInstance)).toMatchObject({
      SpotInstanceRequests: [{ State: 'closed', Status: { Code: 'instance-terminated-by-user' } }],
    });
  });
});

describe('states of instances', () => {
  beforeEach(renew);
  const states: Readonly<Record<string, (id: string) => Promise<void>>> = {
    pending: () => Promise.resolve(),
    running: () => account.clock.advance(60_000),
    stopped: async (id) => {
      await account.clock.advance(60_000);
      await call('StopInstances', { InstanceIds: [id] });
      await account.clock.advance(120_000);
    },
    terminated: async (id) => {
      await call('TerminateInstances', { InstanceIds: [id] });
      await account.clock.advance(120_000);
    },
  };
  test.each<readonly [string, string, string | readonly [string, string]]>([
    ['StopInstances', 'pending', 'IncorrectInstanceState'],
    ['StopInstances', 'running', ['running', 'stopping']],
    ['StopInstances', 'stopped', ['stopped', 'stopped']],
    ['StopInstances', 'terminated', 'IncorrectInstanceState'],
    ['StartInstances', 'running', ['running', 'running']],
    ['StartInstances', 'stopped', ['stopped', 'pending']],
    ['StartInstances', 'terminated', 'IncorrectInstanceState'],
    ['TerminateInstances', 'pending', ['pending', 'shutting-down']],
    ['TerminateInstances', 'stopped', ['stopped', 'shutting-down']],
    ['TerminateInstances', 'terminated', ['terminated', 'terminated']],
  ])('%s of one that is %s', async (operation, state, outcome) => {
    await call('RunInstances', launch);
    const id = account.aws.ec2.instances.all()[0]?.id ?? '';
    await states[state]?.(id);
    const answer = await call(operation, { InstanceIds: [id] });
    if (typeof outcome === 'string') return expect(answer).toBe(outcome);
    const [[change] = []] = Object.values(answer as Record<string, readonly object[]>);
    return expect(change).toMatchObject({ PreviousState: { Name: outcome[0] }, CurrentState: { Name: outcome[1] } });
  });
});

describe('an image of the account', () => {
  let ImageId: string;
  beforeEach(async () => {
    await renew();
    const made = (await call('RegisterImage', { Name: 'own', Architecture: 'x86_64', Description: 'mine' })) as {
      readonly ImageId: string;
    };
    ({ ImageId } = made);
  });
  const own = async (): Promise<unknown> => {
    const answer = (await call('DescribeImages', { ImageIds: [ImageId] })) as { readonly Images: readonly unknown[] };
    return answer.Images[0];
  };

  test.each<readonly [string, object, object]>([
    ['described by its member', { Description: { Value: 'other' } }, { Description: 'other' }],
    ['described by its name', { Attribute: 'description', Value: 'other' }, { Description: 'other' }],
    ['shared by its member', { LaunchPermission: { Add: [{ Group: 'all' }] } }, { Public: true }],
    ['shared by its name', { OperationType: 'add', UserGroups: ['all'] }, { Public: true }],
    ['taken back', { LaunchPermission: { Remove: [{ Group: 'all' }] } }, { Public: false }],
  ])('is %s', async (_, change, shown) => {
    expect(await call('ModifyImageAttribute', { ImageId, ...change })).toEqual({});
    expect(await own()).toMatchObject(shown);
  });

  test.each<readonly [string, object | string]>([
    ['description', { Description: { Value: 'mine' } }],
    ['launchPermission', { LaunchPermissions: [] }],
    ['blockDeviceMapping', 'InvalidParameterValue'],
  ])('tells its attribute %s', async (Attribute, value) => {
    const answer = await call('DescribeImageAttribute', { ImageId, Attribute });
    expect(answer).toEqual(typeof value === 'string' ? value : { ImageId, ...value });
  });

  test.each<readonly [string, string, string | undefined]>([
    ['in a minute of its own', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00'],
    ['rounded down', '2025-01-01T00:00:29Z', '2025-01-01T00:00:00'],
    ['rounded up', '2025-01-01T00:00:31Z', '2025-01-01T00:01:00'],
    ['not in the past', '2024-01-01T00:00:00Z', undefined],
    ['now', '2024-01-28T15:59:10Z', '2024-01-28T15:59:00'],
    ['not after more than ten years', '2034-06-01T00:00:00Z', undefined],
  ])('is deprecated %s', async (_, at, shown) => {
    const answer = await call('EnableImageDeprecation', { ImageId, DeprecateAt: new Date(at) });
    if (shown === undefined) expect(answer).toBe('InvalidParameterValue');
    else {
      expect(answer).toEqual({ Return: true });
      expect(JSON.stringify(await own())).toContain(shown);
      await call('DisableImageDeprecation', { ImageId });
      expect(JSON.stringify(await own())).not.toContain(shown);
    }
  });

  test.each<readonly [string, string, object, string]>([
    ['without a name', 'RegisterImage', {}, 'MissingParameter'],
    ['of another architecture', 'RegisterImage', { Name: 'new', Architecture: 'i386' }, 'InvalidParameterValue'],
    [
      'of an unknown instance',
      'CreateImage',
      { Name: 'new', InstanceId: 'i-0123456789abcdef0' },
      'InvalidInstanceID.NotFound',
    ],
    [
      'of an unknown image',
      'CopyImage',
      { Name: 'new', SourceImageId: 'ami-0123456789abcdef0', SourceRegion: 'us-east-1' },
      'InvalidAMIID.NotFound',
    ],
    [
      'with tags of another resource',
      'RegisterImage',
      { Name: 'new', TagSpecifications: [{ ResourceType: 'volume', Tags: [] }] },
      'InvalidParameterValue',
    ],
  ])('is not made %s', async (_, operation, input, code) => expect(await call(operation, input)).toBe(code));
});

describe('a version of a launch template', () => {
  beforeEach(renew);
  const named = { LaunchTemplateName: templateName };
  const add = (LaunchTemplateData: object, more: object = {}) =>
    call('CreateLaunchTemplateVersion', { ...named, LaunchTemplateData, ...more });

  test('lies over its source, or over nothing', async () => {
    expect(await add({ InstanceType: 'm5.large' }, { SourceVersion: '1' })).toMatchObject({
      LaunchTemplateVersion: {
        VersionNumber: 2,
        LaunchTemplateData: { ImageId: x86.imageId, InstanceType: 'm5.large' },
      },
    });
    const bare = (await add({ InstanceType: 'm5.large' })) as { LaunchTemplateVersion: { LaunchTemplateData: object } };
    expect(bare.LaunchTemplateVersion.LaunchTemplateData).toEqual({ InstanceType: 'm5.large' });
  });

  test('is the same for the same token, and another request with it is refused', async () => {
    const first = await add({ InstanceType: 'm5.large' }, { ClientToken: 't' });
    expect(await add({ InstanceType: 'm5.large' }, { ClientToken: 't' })).toEqual(first);
    expect(await add({ InstanceType: 'm5.xlarge' }, { ClientToken: 't' })).toBe('IdempotentParameterMismatch');
    expect(await call('DescribeLaunchTemplates', { LaunchTemplateNames: [templateName] })).toMatchObject({
      LaunchTemplates: [{ LatestVersionNumber: 2, DefaultVersionNumber: 1 }],
    });
  });

  test('goes by its number; the default one, aliases and unknown ones stay', async () => {
    await add({ InstanceType: 'm5.large' });
    const answer = await call('DeleteLaunchTemplateVersions', { ...named, Versions: ['1', '2', '9', '$Latest'] });
    expect(answer).toMatchObject({
      SuccessfullyDeletedLaunchTemplateVersions: [{ VersionNumber: 2 }],
      UnsuccessfullyDeletedLaunchTemplateVersions: [
        { VersionNumber: 1, ResponseError: { Code: 'unexpectedError' } },
        { VersionNumber: 9, ResponseError: { Code: 'launchTemplateVersionDoesNotExist' } },
        { ResponseError: { Code: 'launchTemplateVersionDoesNotExist' } },
      ],
    });
  });

  test('a number that went does not come again', async () => {
    await add({ InstanceType: 'm5.large' });
    await call('DeleteLaunchTemplateVersions', { ...named, Versions: ['2'] });
    expect(await add({ InstanceType: 'm5.large' })).toMatchObject({ LaunchTemplateVersion: { VersionNumber: 3 } });
  });

  test.each<readonly [string, string, object, string]>([
    ['no data', 'CreateLaunchTemplateVersion', named, 'MissingParameter'],
    [
      'an unknown source',
      'CreateLaunchTemplateVersion',
      { ...named, LaunchTemplateData: { InstanceType: 'm5.large' }, SourceVersion: '9' },
      'InvalidLaunchTemplateId.VersionNotFound',
    ],
    [
      'an unknown template',
      'CreateLaunchTemplateVersion',
      { LaunchTemplateName: 'none', LaunchTemplateData: { InstanceType: 'm5.large' } },
      'InvalidLaunchTemplateName.NotFoundException',
    ],
    [
      'an unknown default',
      'ModifyLaunchTemplate',
      { ...named, DefaultVersion: '9' },
      'InvalidLaunchTemplateId.VersionNotFound',
    ],
    ['no default', 'ModifyLaunchTemplate', named, 'MissingParameter'],
    ['no versions', 'DeleteLaunchTemplateVersions', named, 'MissingParameter'],
  ])('is refused for %s', async (_, operation, input, code) => expect(await call(operation, input)).toBe(code));
});

describe('key pairs', () => {
  beforeAll(renew);
  const material = (text: string) => Buffer.from(text);
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPli933zKrT3EVwxsXb2Yp4svfxMOR0OUwjBdYy2ntVH';

  test('are made with a key, or from a public one', async () => {
    expect(await call('CreateKeyPair', { KeyName: 'made' })).toMatchObject({
      KeyName: 'made',
      KeyMaterial: expect.stringContaining('BEGIN RSA PRIVATE KEY') as unknown,
    });
    const imported = await call('ImportKeyPair', {
      KeyName: 'own',
      PublicKeyMaterial: material(`${publicKey} me\n`),
    });
    expect(imported).not.toHaveProperty('KeyMaterial');
    expect(await call('DescribeKeyPairs', { KeyNames: ['own'], IncludePublicKey: true })).toMatchObject({
      KeyPairs: [{ KeyName: 'own', KeyType: 'ed25519', PublicKey: `${publicKey} me` }],
    });
    expect(JSON.stringify(await call('DescribeKeyPairs'))).not.toContain('AAAA');
  });

  test.each<readonly [string, boolean]>([
    ['', false],
    ['a', true],
    [' a', false],
    ['a ', false],
    ['a b', true],
    ['k'.repeat(255), true],
    ['k'.repeat(256), false],
    ['schlüssel', false],
  ])('may be called %j: %s', async (KeyName, isTaken) => {
    const answer = await call('CreateKeyPair', { KeyName });
    if (isTaken) expect(answer).toMatchObject({ KeyName });
    else expect(answer).toMatch(/^(InvalidParameterValue|MissingParameter)$/);
  });

  test('that are not there are deleted without an error', async () => {
    expect(await call('DeleteKeyPair', { KeyName: 'never' })).toEqual({ Return: true });
    expect(await call('DeleteKeyPair', {})).toBe('MissingParameter');
  });
});

test('an instance has the options of its processor that its launch asks for', async () => {
  await renew();
  const CpuOptions = { NestedVirtualization: 'enabled' };
  await call('RunInstances', { ...launch, CpuOptions });
  expect(await call('DescribeInstances')).toMatchObject({
    Reservations: [{ Instances: [{ CpuOptions: { CoreCount: 1, ThreadsPerCore: 2, ...CpuOptions } }] }],
  });
});
