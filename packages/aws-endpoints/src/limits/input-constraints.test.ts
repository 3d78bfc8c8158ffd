import { beforeAll, describe, expect, test } from 'vitest';
import { never } from '@nodewright/testkit/worlds';
import { anEc2, templateName, x86 } from '@nodewright/testkit/worlds';

type Account = Awaited<ReturnType<typeof anEc2>>;
let account: Account;
beforeAll(async () => {
  account = await anEc2();
});

const call = async (service: string, operation: string, input: object) => {
  const answer = await account.aws.answer(
    { service, operation, input },
    { signal: never, serving: { wait: (work) => work() } },
  );
  return answer.kind === 'answered' ? 'answered' : `${answer.code}: ${answer.message}`;
};

type Refusal = readonly [fact: string, operation: string, input: object, says: string];

const trust = (statement: object) => JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
const aRole = { RoleName: 'r', AssumeRolePolicyDocument: '{}' };
const aParameter = { Name: '/a', Value: 'x', Type: 'String' };
const aRule = { Name: 'r', EventPattern: '{}' };

const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  iam: [
    [
      'a name of a role with a blank',
      'CreateRole',
      { ...aRole, RoleName: 'a b' },
      "ValidationError: 1 validation error detected: Value 'a b' at 'roleName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]+",
    ],
    [
      'two wrong members',
      'CreateRole',
      { RoleName: 'r'.repeat(65) },
      'ValidationError: 2 validation errors detected: ',
    ],
    ['a required member left out', 'CreateRole', { RoleName: 'r' }, "Value null at 'assumeRolePolicyDocument'"],
    ['an empty tag key', 'CreateRole', { ...aRole, Tags: [{ Key: '', Value: '' }] }, "at 'tags.1.member.key'"],
    ['a trust policy that is no JSON', 'CreateRole', { ...aRole, AssumeRolePolicyDocument: 'x' }, 'invalid Json'],
    [
      'a trust policy without statements',
      'CreateRole',
      aRole,
      'MalformedPolicyDocumentException: Syntax errors in policy.',
    ],
    [
      'a trust policy with a resource',
      'CreateRole',
      {
        ...aRole,
        AssumeRolePolicyDocument: trust({
          Effect: 'Allow',
          Principal: '*',
          Action: 'sts:AssumeRole',
          Resource: '*',
        }),
      },
      'MalformedPolicyDocumentException: Has prohibited field Resource',
    ],
    [
      'a trust policy for something that is no service',
      'CreateRole',
      {
        ...aRole,
        AssumeRolePolicyDocument: trust({ Effect: 'Allow', Principal: { Service: 'ec2' }, Action: 'sts:AssumeRole' }),
      },
      'Invalid principal in policy: "SERVICE":"ec2"',
    ],
    [
      'a trust policy for a kind of principals that there is not',
      'CreateRole',
      {
        ...aRole,
        AssumeRolePolicyDocument: trust({ Effect: 'Allow', Principal: { Everybody: '*' }, Action: 'sts:AssumeRole' }),
      },
      'Invalid principal in policy: "EVERYBODY":"*"',
    ],
    [
      'a trust policy for other actions',
      'CreateRole',
      { ...aRole, AssumeRolePolicyDocument: trust({ Effect: 'Allow', Principal: '*', Action: 's3:GetObject' }) },
      'AssumeRole policy may only specify STS AssumeRole actions.',
    ],
  ],
  ssm: [
    ['an unknown type', 'PutParameter', { ...aParameter, Type: 'Number' }, 'enum value set: [String, StringList'],
    ['too many names', 'GetParameters', { Names: Array.from({ length: 11 }, () => 'a') }, 'less than or equal to 10'],
    ['an empty name', 'GetParameters', { Names: ['a', ''] }, "at 'names.2.member'"],
    ['a long value', 'PutParameter', { ...aParameter, Value: 'x'.repeat(4097) }, 'Standard tier parameters support'],
    ['a value against its pattern', 'PutParameter', { ...aParameter, AllowedPattern: '\\d+' }, 'ParameterPatternMis'],
    ['an image that is none', 'PutParameter', { ...aParameter, DataType: 'aws:ec2:image' }, 'ValidationException'],
    [
      'tags of an old parameter',
      'PutParameter',
      { ...aParameter, Overwrite: true, Tags: [{ Key: 'a', Value: 'b' }] },
      "can't be used together",
    ],
  ],
  autoscaling: [
    [
      'a group without sizes',
      'CreateAutoScalingGroup',
      { AutoScalingGroupName: 'g' },
      "ValidationError: 2 validation errors detected: Value null at 'minSize' failed to satisfy constraint: Member must not be null; Value null at 'maxSize'",
    ],
    [
      'a name of nothing',
      'DescribeAutoScalingGroups',
      { AutoScalingGroupNames: [''] },
      "'autoScalingGroupNames.1.member'",
    ],
  ],
  events: [['a state that is none', 'PutRule', { ...aRule, State: 'ON' }, 'ValidationException: 1 validation error']],
  pricing: [
    [
      'a filter of no type',
      'GetProducts',
      { ServiceCode: 'AmazonEC2', Filters: [{ Type: 'X', Field: 'a', Value: 'b' }] },
      'InvalidParameterException: 1 validation',
    ],
  ],
  eks: [
    ['a cluster without a role', 'CreateCluster', { name: 'a' }, 'InvalidParameterException: The parameter roleArn is'],
    [
      'a name with a dot',
      'CreateCluster',
      { name: 'a.b', roleArn: 'r', resourcesVpcConfig: {} },
      'name contains invalid characters',
    ],
    [
      'a tag key of nothing',
      'TagResource',
      { resourceArn: 'arn', tags: { '': 'x' } },
      'tags: keys must have from 1 to 128 characters',
    ],
  ],
  ec2: [
    [
      'no counts',
      'RunInstances',
      { ImageId: x86.imageId },
      'MissingParameter: The request must contain the parameter M',
    ],
    ['no ids', 'TerminateInstances', {}, 'InvalidParameterCombination: No instances specified'],
    [
      'a fleet of no kind',
      'CreateFleet',
      aFleetOf({ Type: 'eternal' }),
      'InvalidParameterValue: Value (eternal) for parameter type is invalid. Valid values are: request, maintain, instant.',
    ],
    [
      'a strategy that is none',
      'CreateFleet',
      aFleetOf({ SpotOptions: { AllocationStrategy: 'luck' } }),
      'InvalidParameterValue: Value (luck) for parameter allocationStrategy',
    ],
    [
      'a fleet of another strategy',
      'CreateFleet',
      aFleetOf({ OnDemandOptions: { AllocationStrategy: 'diversified' } }),
      'InvalidParameterValue',
    ],
    [
      'one pool twice',
      'CreateFleet',
      aFleetOf({}, [{ InstanceType: 'm5.large' }, { InstanceType: 'm5.large' }]),
      'InvalidFleetConfig: The fleet configuration contains duplicate instance pools.',
    ],
    [
      'type and requirements',
      'CreateFleet',
      aFleetOf({}, [
        { InstanceType: 'm5.large', InstanceRequirements: { VCpuCount: { Min: 1 }, MemoryMiB: { Min: 1 } } },
      ]),
      'InvalidParameterCombination: The parameters InstanceType and InstanceRequirements',
    ],
    [
      'requirements without memory',
      'CreateFleet',
      aFleetOf({}, [{ InstanceRequirements: { VCpuCount: { Min: 1 } } }]),
      'MissingParameter: The request must contain the parameter MemoryMiB',
    ],
    [
      'a price that is none',
      'CreateFleet',
      aFleetOf({}, [{ InstanceType: 'm5.large', MaxPrice: 'cheap' }]),
      'is an invalid spot instance price',
    ],
    [
      'targets beyond the total',
      'CreateFleet',
      aFleetOf({ TargetCapacitySpecification: { TotalTargetCapacity: 1, SpotTargetCapacity: 2 } }),
      'InvalidTargetCapacitySpecification',
    ],
    [
      'a template name with a blank',
      'DescribeLaunchTemplateVersions',
      { LaunchTemplateName: 'a b' },
      'InvalidLaunchTemplateName.MalformedException',
    ],
    [
      'user data that is no base64',
      'CreateLaunchTemplate',
      { LaunchTemplateName: 'abc', LaunchTemplateData: { UserData: '#!/bin/bash' } },
      'InvalidUserData.Malformed: Invalid BASE64 encoding of user data.',
    ],
    [
      'a hop limit of 65',
      'CreateLaunchTemplate',
      { LaunchTemplateName: 'abc', LaunchTemplateData: { MetadataOptions: { HttpPutResponseHopLimit: 65 } } },
      'InvalidParameterValue: Value (65) for parameter HttpPutResponseHopLimit',
    ],
    [
      'operations of gp2',
      'CreateLaunchTemplate',
      {
        LaunchTemplateName: 'abc',
        LaunchTemplateData: { BlockDeviceMappings: [{ Ebs: { VolumeType: 'gp2', Iops: 3000 } }] },
      },
      'InvalidParameterCombination: The parameter iops is not supported for gp2 volumes.',
    ],
    [
      'groups beside interfaces',
      'RunInstances',
      { MinCount: 1, MaxCount: 1, SecurityGroupIds: ['sg-0'], NetworkInterfaces: [{ DeviceIndex: 0 }] },
      'instance-level security groups may not be specified on the same request',
    ],
    [
      'a group id of no form',
      'DescribeSecurityGroups',
      { GroupIds: ['default'] },
      'InvalidGroupId.Malformed: Invalid id: "default" (expecting "sg-...")',
    ],
    ['a VPC id of no form', 'DescribeVpcs', { VpcIds: ['x'] }, 'InvalidVpcID.Malformed'],
  ],
};

function aFleetOf(different: object, Overrides: readonly object[] = [{ InstanceType: 'm5.large' }]): object {
  return {
    Type: 'instant',
    LaunchTemplateConfigs: [
      { LaunchTemplateSpecification: { LaunchTemplateName: templateName, Version: '$Latest' }, Overrides },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'spot' },
    ...different,
  };
}

for (const [service, cases] of Object.entries(refusals)) {
  describe(service, () => {
    test.each(cases)('refuses %s', async (_fact, operation, input, says) => {
      expect(await call(service, operation, input)).toContain(says);
    });
  });
}

test('a reservation is cancelled twice', async () => {
  const wanted = {
    InstanceType: 'm5.large',
    InstancePlatform: 'Linux/UNIX',
    AvailabilityZone: 'us-east-1a',
    InstanceCount: 1,
  };
  expect(await call('ec2', 'CreateCapacityReservation', wanted)).toBe('answered');
  const [{ id: CapacityReservationId } = { id: '' }] = account.aws.ec2.reservations.all();
  for (const _ of [1, 2])
    expect(await call('ec2', 'CancelCapacityReservation', { CapacityReservationId })).toBe('answered');
});

test('a pool above the most that the fleet pays is an error of the fleet', async () => {
  const input = aFleetOf({}, [{ InstanceType: 'm5.large', MaxPrice: '0.001' }, { InstanceType: 'm5.xlarge' }]);
  const answer = await account.aws.answer(
    { service: 'ec2', operation: 'CreateFleet', input },
    { signal: never, serving: { wait: (work) => work() } },
  );
  expect(answer).toMatchObject({
    output: { Errors: [{ ErrorCode: 'SpotMaxPriceTooLow' }], Instances: [{ InstanceType: 'm5.xlarge' }] },
  });
});

test('a fleet of both capacity types gets some of each', async () => {
  const TargetCapacitySpecification = {
    TotalTargetCapacity: 3,
    OnDemandTargetCapacity: 1,
    DefaultTargetCapacityType: 'spot',
  };
  const answer = await account.aws.answer(
    { service: 'ec2', operation: 'CreateFleet', input: aFleetOf({ TargetCapacitySpecification }) },
    { signal: never, serving: { wait: (work) => work() } },
  );
  expect(answer).toMatchObject({
    output: {
      Instances: [
        { Lifecycle: 'on-demand', InstanceIds: [expect.anything()] },
        { Lifecycle: 'spot', InstanceIds: [expect.anything(), expect.anything()] },
      ],
    },
  });
});
