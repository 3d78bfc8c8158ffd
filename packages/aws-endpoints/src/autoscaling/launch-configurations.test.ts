import { minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { anAutoScalingGroup, never } from '@nodewright/testkit/worlds';
import { imageArchitecture } from '../ec2/images.ts';

const sizes = { MinSize: 0, MaxSize: 0, DesiredCapacity: 0 };

async function anAccount() {
  const world = await anAutoScalingGroup(sizes);
  const call = async (operation: string, input: object = {}, service = 'autoscaling'): Promise<unknown> => {
    const answer = await world.aws.answer(
      { service, operation, input },
      { signal: never, serving: { wait: (work) => work() } },
    );
    return answer.kind === 'answered' ? answer.output : answer.code;
  };
  const ImageId = world.aws.ec2.images.at(world.clock.now()).find((image) => imageArchitecture(image) === 'x86_64')?.id;
  const old = { LaunchConfigurationName: 'old', ImageId, InstanceType: 'm5.large' };
  return { ...world, call, old };
}

const name = 'old-style';

async function aGroupOnConfiguration(more: object = {}) {
  const account = await anAccount();
  const { call, old, clock, subnetIn } = account;
  await call('CreateLaunchConfiguration', { ...old, ...more });
  await call('CreateAutoScalingGroup', {
    AutoScalingGroupName: name,
    MinSize: 2,
    MaxSize: 4,
    LaunchConfigurationName: 'old',
    VPCZoneIdentifier: subnetIn('us-east-1a'),
  });
  await clock.advance(minutes(1));
  return account;
}

test('a launch configuration is told as it was written, with what Auto Scaling adds', async () => {
  const { call, old } = await anAccount();
  const written = { ...old, EbsOptimized: true, SpotPrice: '0.2', AssociatePublicIpAddress: true, UserData: 'IyE=' };
  await call('CreateLaunchConfiguration', {
    ...written,
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 30 } }],
  });
  expect(await call('DescribeLaunchConfigurations')).toMatchObject({
    LaunchConfigurations: [
      {
        ...written,
        LaunchConfigurationARN: expect.stringMatching(
          /^arn:aws:autoscaling:us-east-1:\d{12}:launchConfiguration:[0-9a-f-]+:launchConfigurationName\/old$/,
        ),
        KeyName: '',
        KernelId: '',
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 30 } }],
        InstanceMonitoring: { Enabled: true },
      },
    ],
  });
});

test('a group launches from its launch configuration, which stays as long as the group has it', async () => {
  const { call, aws } = await aGroupOnConfiguration();
  const told = await call('DescribeAutoScalingGroups', { AutoScalingGroupNames: [name] });
  expect(told).toMatchObject({
    AutoScalingGroups: [
      {
        LaunchConfigurationName: 'old',
        Instances: [
          { LifecycleState: 'InService', LaunchConfigurationName: 'old', InstanceType: 'm5.large' },
          { LifecycleState: 'InService', LaunchConfigurationName: 'old' },
        ],
      },
    ],
  });
  expect(told).not.toMatchObject({ AutoScalingGroups: [{ LaunchTemplate: expect.anything() }] });
  const [group] = aws.autoScaling.all().filter((each) => each.name === name);
  expect(Object.keys(aws.ec2.tags.of(group?.instances[0]?.id ?? ''))).toEqual(['aws:autoscaling:groupName']);
  expect(await call('DeleteLaunchConfiguration', { LaunchConfigurationName: 'old' })).toBe('ResourceInUseFault');
});

test('a group moves to a launch template, and its instances are replaced by a refresh', async () => {
  const { call, clock, aws } = await aGroupOnConfiguration();
  const template = aws.ec2.templates.all()[0];
  await call('StartInstanceRefresh', {
    AutoScalingGroupName: name,
    DesiredConfiguration: { LaunchTemplate: { LaunchTemplateId: template?.id, Version: '1' } },
    Preferences: { MinHealthyPercentage: 0, InstanceWarmup: 0 },
  });
  await clock.advance(minutes(30));
  expect(await call('DescribeInstanceRefreshes', { AutoScalingGroupName: name })).toMatchObject({
    InstanceRefreshes: [{ Status: 'Successful' }],
  });
  expect(await call('DescribeAutoScalingGroups', { AutoScalingGroupNames: [name] })).toMatchObject({
    AutoScalingGroups: [{ LaunchTemplate: { LaunchTemplateId: template?.id }, Instances: [{}, {}] }],
  });
  expect(await call('DeleteLaunchConfiguration', { LaunchConfigurationName: 'old' })).toEqual({});
  expect(await call('DescribeLaunchConfigurations')).toEqual({ LaunchConfigurations: [] });
});

test('a launch configuration with a price launches spot instances', async () => {
  const { aws } = await aGroupOnConfiguration({ SpotPrice: '1' });
  const group = aws.autoScaling.group(name);
  expect(aws.ec2.instances.get(group.instances[0]?.id ?? '')?.settings.capacityType).toBe('spot');
});

test('a group that is made from an instance has a launch configuration of its own name', async () => {
  const { call, aws, subnetIn } = await aGroupOnConfiguration();
  const InstanceId = aws.autoScaling.group(name).instances[0]?.id;
  const VPCZoneIdentifier = subnetIn('us-east-1b');
  await call('CreateAutoScalingGroup', {
    AutoScalingGroupName: 'copy',
    MinSize: 0,
    MaxSize: 1,
    InstanceId,
    VPCZoneIdentifier,
  });
  expect(await call('DescribeLaunchConfigurations', { LaunchConfigurationNames: ['copy'] })).toMatchObject({
    LaunchConfigurations: [{ InstanceType: 'm5.large' }],
  });
});

for (const { what, change, code } of [
  { what: 'without an image', change: { ImageId: undefined }, code: 'ValidationError' },
  { what: 'of a type that is none', change: { InstanceType: 'm5.huge' }, code: 'ValidationError' },
  { what: 'of an image that is not there', change: { ImageId: 'ami-00000000000000000' }, code: 'ValidationError' },
  { what: 'with a key pair that is not there', change: { KeyName: 'none' }, code: 'ValidationError' },
]) {
  test(`a launch configuration ${what} is refused`, async () => {
    const { call, old } = await anAccount();
    expect(await call('CreateLaunchConfiguration', { ...old, ...change })).toBe(code);
  });
}

test('a name is taken once, and a group names one thing to launch from', async () => {
  const { call, old, subnetIn } = await anAccount();
  await call('CreateLaunchConfiguration', old);
  expect(await call('CreateLaunchConfiguration', old)).toBe('AlreadyExistsFault');
  const both = { LaunchConfigurationName: 'old', LaunchTemplate: { LaunchTemplateName: 'workers' } };
  const group = { AutoScalingGroupName: 'g', MinSize: 0, MaxSize: 1, VPCZoneIdentifier: subnetIn('us-east-1a') };
  expect(await call('CreateAutoScalingGroup', { ...group, ...both })).toBe('ValidationError');
  expect(await call('CreateAutoScalingGroup', { ...group, LaunchConfigurationName: 'none' })).toBe('ValidationError');
});

test('the other descriptions tell what Auto Scaling knows, and what the account has none of', async () => {
  const { call } = await anAccount();
  const AutoScalingGroupName = 'workers';
  expect(await call('DescribeAccountLimits')).toMatchObject({
    NumberOfAutoScalingGroups: 1,
    NumberOfLaunchConfigurations: 0,
  });
  expect(await call('DescribeAdjustmentTypes')).toMatchObject({ AdjustmentTypes: [{}, {}, {}] });
  expect(await call('DescribeTerminationPolicyTypes')).toMatchObject({
    TerminationPolicyTypes: expect.arrayContaining(['Default', 'OldestLaunchTemplate']),
  });
  expect(await call('DescribeScalingProcessTypes')).toMatchObject({
    Processes: expect.arrayContaining([{ ProcessName: 'Launch' }]),
  });
  expect(await call('DescribeMetricCollectionTypes')).toMatchObject({ Granularities: [{ Granularity: '1Minute' }] });
  expect(await call('DescribeAutoScalingNotificationTypes')).toMatchObject({
    AutoScalingNotificationTypes: expect.arrayContaining(['autoscaling:TEST_NOTIFICATION']),
  });
  expect(await call('DescribeLoadBalancers', { AutoScalingGroupName })).toEqual({ LoadBalancers: [] });
  expect(await call('DescribeLoadBalancerTargetGroups', { AutoScalingGroupName })).toEqual({
    LoadBalancerTargetGroups: [],
  });
  expect(await call('DescribeTrafficSources', { AutoScalingGroupName })).toEqual({ TrafficSources: [] });
  expect(await call('DescribeNotificationConfigurations')).toEqual({ NotificationConfigurations: [] });
  expect(await call('DescribeScheduledActions')).toEqual({ ScheduledUpdateGroupActions: [] });
  expect(await call('DescribeLoadBalancers', { AutoScalingGroupName: 'none' })).toBe('ValidationError');
});

test('a mixed instances policy is told as it was sent, with what Auto Scaling chooses', async () => {
  const { aws, call, subnetIn } = await anAccount();
  const group = { MinSize: 0, MaxSize: 1, VPCZoneIdentifier: subnetIn('us-east-1a') };
  const LaunchTemplateSpecification = { LaunchTemplateId: aws.ec2.templates.all()[0]?.id };
  const Overrides = [{ InstanceType: 'm5.large', WeightedCapacity: '2' }];
  const mixed = { LaunchTemplate: { LaunchTemplateSpecification, Overrides } };
  const told = async (AutoScalingGroupName: string, InstancesDistribution?: object) => {
    const MixedInstancesPolicy = { ...mixed, InstancesDistribution };
    await call('CreateAutoScalingGroup', { ...group, AutoScalingGroupName, MixedInstancesPolicy });
    return call('DescribeAutoScalingGroups', { AutoScalingGroupNames: [AutoScalingGroupName] });
  };
  const usual = { OnDemandAllocationStrategy: 'prioritized', OnDemandBaseCapacity: 0, SpotInstancePools: 2 };
  expect(await told('plain')).toMatchObject({
    AutoScalingGroups: [
      {
        MixedInstancesPolicy: {
          LaunchTemplate: { LaunchTemplateSpecification, Overrides },
          InstancesDistribution: { ...usual, OnDemandPercentageAboveBaseCapacity: 100 },
        },
      },
    ],
  });
  const sent = { OnDemandBaseCapacity: 3, OnDemandPercentageAboveBaseCapacity: 50, SpotMaxPrice: '0.05' };
  expect(await told('half', sent)).toMatchObject({
    AutoScalingGroups: [{ MixedInstancesPolicy: { InstancesDistribution: { ...usual, ...sent } } }],
  });
});

test('a template without a version is told without one', async () => {
  const { aws, call, subnetIn } = await anAccount();
  const group = { AutoScalingGroupName: 'g', MinSize: 0, MaxSize: 1, VPCZoneIdentifier: subnetIn('us-east-1a') };
  expect(await call('CreateAutoScalingGroup', { ...group, LaunchTemplate: { Version: '1' } })).toBe('ValidationError');
  const LaunchTemplateId = aws.ec2.templates.all()[0]?.id;
  await call('CreateAutoScalingGroup', { ...group, LaunchTemplate: { LaunchTemplateId } });
  const { AutoScalingGroups: [told] = [] } = (await call('DescribeAutoScalingGroups', {
    AutoScalingGroupNames: ['g'],
  })) as { readonly AutoScalingGroups?: readonly { readonly LaunchTemplate?: object }[] };
  expect(told?.LaunchTemplate).toMatchObject({ LaunchTemplateId });
  expect(told?.LaunchTemplate).not.toHaveProperty('Version');
});
