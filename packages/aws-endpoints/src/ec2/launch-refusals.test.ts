import {
  CreateSecurityGroupCommand,
  DescribeRouteTablesCommand,
  DescribeVpcsCommand,
  EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { anEc2, ec2Caller, inProcess, templateName, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'];
let refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
});

const plain = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
const spotFor = (MaxPrice: string) => ({ MarketType: 'spot', SpotOptions: { MaxPrice } });
const launchedCount = (): number => account.aws.ec2.instances.all().length;

describe('RunInstances is refused', () => {
  test.each<[fact: string, input: object, code: string]>([
    ['for two of one role', { IamInstanceProfile: { Arn: 'a', Name: 'b' } }, 'InvalidParameterCombination'],
    ['with no price for spot', { InstanceMarketOptions: spotFor('0') }, 'InvalidParameterValue'],
    ['with a price that is no number', { InstanceMarketOptions: spotFor('cheap') }, 'InvalidParameterValue'],
    ['with a price below that of spot', { InstanceMarketOptions: spotFor('0.0001') }, 'SpotMaxPriceTooLow'],
    [
      'with operations that its volume does not take',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp2', Iops: 100 } }] },
      'InvalidParameterCombination',
    ],
    [
      'with more operations than its volume takes',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', Iops: 80_001 } }] },
      'InvalidParameterValue',
    ],
    [
      'with a throughput that its volume does not reach',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', Throughput: 2_001 } }] },
      'InvalidParameterValue',
    ],
    [
      'with a volume too large for its type',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp2', VolumeSize: 16_385 } }] },
      'InvalidParameterValue',
    ],
    [
      'with groups beside interfaces',
      { NetworkInterfaces: [{ DeviceIndex: 0 }], SecurityGroupIds: ['sg-0a'] },
      'InvalidParameterCombination',
    ],
    [
      'with names of groups beside interfaces',
      { NetworkInterfaces: [{ DeviceIndex: 0 }], SecurityGroups: ['default'] },
      'InvalidParameterCombination',
    ],
    [
      'with a subnet beside interfaces',
      { NetworkInterfaces: [{ DeviceIndex: 0 }], SubnetId: 'subnet-0a' },
      'InvalidParameterCombination',
    ],
    ['with a group name that there is not', { SecurityGroups: ['none'] }, 'InvalidGroup.NotFound'],
    ['with a group that there is not', { SecurityGroupIds: ['sg-0a'] }, 'InvalidGroup.NotFound'],
    ['in a zone that there is not', { Placement: { AvailabilityZone: 'us-east-1z' } }, 'InvalidParameterValue'],
    ['with a key that there is not', { KeyName: 'none' }, 'InvalidKeyPair.NotFound'],
    ['with a role that there is not', { IamInstanceProfile: { Name: 'none' } }, 'InvalidParameterValue'],
    ['in a group of placement that there is not', { Placement: { GroupName: 'x' } }, 'InvalidPlacementGroup.Unknown'],
    [
      'in a group of placement by id and name',
      { Placement: { GroupName: 'a', GroupId: 'pg-0a' } },
      'InvalidParameterCombination',
    ],
    ['for none', { MinCount: 0 }, 'InvalidParameterValue'],
    ['for fewer at most than at least', { MinCount: 2, MaxCount: 1 }, 'InvalidParameterValue'],
  ])('%s', async (_, input, code) => {
    expect(await call('RunInstances', { ...plain, ...input })).toBe(code);
    expect(launchedCount()).toBe(0);
  });

  test('in a zone that does not have the type, and names the zones that have it', async () => {
    account = await anEc2('us-east-1', { catalogue: 'current' });
    ({ call, refusalOf } = ec2Caller(account.aws));
    const { InstanceTypeOfferings } = (await call('DescribeInstanceTypeOfferings', {
      LocationType: 'availability-zone',
      Filters: [{ Name: 'instance-type', Values: ['p4d.24xlarge'] }],
    })) as { InstanceTypeOfferings: { Location: string }[] };
    const zones = InstanceTypeOfferings.map(({ Location }) => Location).toSorted();
    const missing = ['us-east-1a', 'us-east-1b', 'us-east-1c'].find((zone) => !zones.includes(zone)) ?? '';
    const launch = { ...plain, InstanceType: 'p4d.24xlarge', SubnetId: account.subnetIn(missing) };
    expect(await refusalOf('RunInstances', launch)).toBe(
      `Unsupported: Your requested instance type (p4d.24xlarge) is not supported in your requested Availability Zone (${missing}). Please retry your request by not specifying an Availability Zone or choosing ${zones.join(', ')}.`,
    );
    const there = { ...launch, SubnetId: account.subnetIn(zones[0] ?? '') };
    expect(await refusalOf('RunInstances', there)).toBe('it was answered');
  });
});

describe('RunInstances launches', () => {
  test('a spot instance where its template says so, and pays no more than that says', async () => {
    const data = { ImageId: x86.imageId, InstanceType: 'm5.large' };
    const launch = (InstanceMarketOptions: object, LaunchTemplateName: string) =>
      call('CreateLaunchTemplate', { LaunchTemplateName, LaunchTemplateData: { ...data, InstanceMarketOptions } });
    await launch({ MarketType: 'spot' }, 'spot');
    await launch(spotFor('0.0001'), 'cheap');
    const run = (LaunchTemplateName: string, more: object = {}) =>
      call('RunInstances', { MinCount: 1, MaxCount: 1, LaunchTemplate: { LaunchTemplateName }, ...more });
    expect(await run('spot')).toMatchObject({ Instances: [{ InstanceLifecycle: 'spot' }] });
    expect(await run('cheap')).toBe('SpotMaxPriceTooLow');
    expect(await run('cheap', { InstanceMarketOptions: spotFor('10') })).toMatchObject({
      Instances: [{ InstanceLifecycle: 'spot' }],
    });
  });

  test('in the zone that it names', async () => {
    const launched = await call('RunInstances', { ...plain, Placement: { AvailabilityZone: 'us-east-1c' } });
    expect(launched).toMatchObject({ Instances: [{ Placement: { AvailabilityZone: 'us-east-1c' } }] });
  });

  test('with groups by their names, each once', async () => {
    const names = account.aws.ec2.network.securityGroups.map(({ name }) => name);
    const launched = await call('RunInstances', { ...plain, SecurityGroups: [...names, ...names] });
    expect(launched).toMatchObject({ Instances: [{ SecurityGroups: names.map((GroupName) => ({ GroupName })) }] });
  });
});

describe('CreateFleet is refused', () => {
  const fleet = (Overrides: readonly object[], more: object = {}) => ({
    Type: 'instant',
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
    LaunchTemplateConfigs: [
      { LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '1' }, Overrides },
    ],
    ...more,
  });
  const requirements = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 1 } };
  const target = (specification: object) => ({
    TargetCapacitySpecification: { TotalTargetCapacity: 1, ...specification },
  });

  test.each<[fact: string, request: object, code: string]>([
    [
      'for parts that are more than the whole',
      fleet([{ InstanceType: 'm5.large' }], target({ OnDemandTargetCapacity: 1, SpotTargetCapacity: 1 })),
      'InvalidTargetCapacitySpecification',
    ],
    ['for more than 10,000', fleet([], target({ TotalTargetCapacity: 10_001 })), 'InvalidParameterValue'],
    ['for less than none', fleet([], target({ SpotTargetCapacity: -1 })), 'InvalidParameterValue'],
    [
      'for a type and requirements in one override',
      fleet([{ InstanceType: 'm5.large', InstanceRequirements: requirements }]),
      'InvalidParameterCombination',
    ],
    ['for a weight of none', fleet([{ InstanceType: 'm5.large', WeightedCapacity: 0 }]), 'InvalidParameterValue'],
    ['for a price of none', fleet([{ InstanceType: 'm5.large', MaxPrice: '0' }]), 'InvalidParameterValue'],
    [
      'for five sets of requirements',
      fleet(Array.from({ length: 5 }, () => ({ InstanceRequirements: requirements }))),
      'InvalidParameterValue',
    ],
    ['as one that keeps its size, as a dry run', { ...fleet([]), Type: 'maintain', DryRun: true }, 'DryRunOperation'],
    [
      'with a policy that there is not, as a dry run',
      { ...fleet([]), ExcessCapacityTerminationPolicy: 'terminate', DryRun: true },
      'DryRunOperation',
    ],
    [
      'with a policy that there is not',
      { ...fleet([]), ExcessCapacityTerminationPolicy: 'terminate' },
      'InvalidParameterValue',
    ],
    ['as one that keeps its size', { ...fleet([]), Type: 'maintain' }, 'Unsupported'],
    [
      'for a template without a version',
      { ...fleet([]), LaunchTemplateConfigs: [{ LaunchTemplateSpecification: { LaunchTemplateName: templateName } }] },
      'MissingParameter',
    ],
    ['for one pool twice', fleet([{ InstanceType: 'm5.large' }, { InstanceType: 'm5.large' }]), 'InvalidFleetConfig'],
  ])('%s', async (_, request, code) => {
    expect(await call('CreateFleet', request)).toBe(code);
    expect(launchedCount()).toBe(0);
  });

  test('for a pool whose spot price is above the most, and goes on in the next one', async () => {
    const spot = { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'spot' };
    const overrides = [
      { InstanceType: 'm5.large', MaxPrice: '0.0001' },
      { InstanceType: 'm5.xlarge', MaxPrice: '9' },
    ];
    const answer = await call('CreateFleet', fleet(overrides, { TargetCapacitySpecification: spot }));
    expect(answer).toMatchObject({
      Errors: [{ ErrorCode: 'SpotMaxPriceTooLow' }],
      Instances: [{ InstanceType: 'm5.xlarge', Lifecycle: 'spot' }],
    });
  });

  test.each([
    { weight: 4, wanted: 8, launched: 2 },
    { weight: 4, wanted: 9, launched: 3 },
    { weight: undefined, wanted: 3, launched: 3 },
  ])('never for weights: $wanted of weight $weight are $launched instances', async ({ weight, wanted, launched }) => {
    const override = { InstanceType: 'm5.xlarge', ...(weight !== undefined && { WeightedCapacity: weight }) };
    const answer = (await call('CreateFleet', fleet([override], target({ TotalTargetCapacity: wanted })))) as {
      Instances: { InstanceIds: string[] }[];
    };
    expect(answer.Instances[0]?.InstanceIds).toHaveLength(launched);
  });
});

describe('another region of the account', () => {
  const elsewhere = () => new EC2Client(inProcess(account.aws.handle, 'eu-west-1'));

  test('has a default VPC, whose main table leads to the internet', async () => {
    const { Vpcs } = await elsewhere().send(new DescribeVpcsCommand({}));
    expect(Vpcs).toMatchObject([{ IsDefault: true, CidrBlock: '172.31.0.0/16' }]);
    const { RouteTables } = await elsewhere().send(new DescribeRouteTablesCommand({}));
    expect(RouteTables).toMatchObject([
      {
        Associations: [{ Main: true }],
        Routes: [
          { DestinationCidrBlock: '172.31.0.0/16', GatewayId: 'local' },
          { DestinationCidrBlock: '0.0.0.0/0', GatewayId: expect.stringMatching(/^igw-/), State: 'active' },
        ],
      },
    ]);
  });

  test('launches into the groups of its default VPC by name', async () => {
    const client = elsewhere();
    await client.send(new CreateSecurityGroupCommand({ GroupName: 'web', Description: 'web' }));
    const named = { ...plain, InstanceType: 'm5.large' as const, SecurityGroups: ['default', 'web'] };
    const { Instances } = await client.send(new RunInstancesCommand(named));
    expect(Instances?.[0]?.SecurityGroups?.map(({ GroupName }) => GroupName)).toEqual(['default', 'web']);
    expect(Instances?.[0]?.PublicIpAddress).toBeDefined();
  });
});
