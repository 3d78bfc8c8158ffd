import { minutes } from '@nodewright/apis';
import { aTestAccount, never, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { adjustCapacity, type AdjustmentKind, findStep } from './group/scaling-policy.ts';

for (const { capacity, kind, amount, least, after } of [
  { capacity: 4, kind: 'ChangeInCapacity', amount: -1, after: 3 },
  { capacity: 4, kind: 'ExactCapacity', amount: 7, after: 7 },
  { capacity: 10, kind: 'PercentChangeInCapacity', amount: 25, after: 12 },
  { capacity: 10, kind: 'PercentChangeInCapacity', amount: -66, after: 4 },
  { capacity: 3, kind: 'PercentChangeInCapacity', amount: 10, after: 4 },
  { capacity: 3, kind: 'PercentChangeInCapacity', amount: -10, after: 2 },
  { capacity: 10, kind: 'PercentChangeInCapacity', amount: 10, least: 3, after: 13 },
] satisfies { capacity: number; kind: AdjustmentKind; amount: number; least?: number; after: number }[]) {
  test(`${kind} by ${amount} makes ${capacity} instances ${after}`, () => {
    expect(adjustCapacity(capacity, { kind, ...(least !== undefined && { leastChange: least }) }, amount)).toBe(after);
  });
}

test('a step is found by how far a metric is from its threshold', () => {
  const steps = [
    { MetricIntervalUpperBound: -10, ScalingAdjustment: -2 },
    { MetricIntervalLowerBound: -10, MetricIntervalUpperBound: 0, ScalingAdjustment: -1 },
    { MetricIntervalLowerBound: 0, MetricIntervalUpperBound: 10, ScalingAdjustment: 1 },
    { MetricIntervalLowerBound: 10, ScalingAdjustment: 2 },
  ];
  const found = [-11, -10, -9, 0, 9, 10].map((distance) => findStep(steps, distance)?.ScalingAdjustment);
  expect(found).toEqual([-2, -2, -1, 1, 1, 2]);
});

async function world() {
  const { aws, clock } = aTestAccount();
  const call = async (operation: string, input: object, service = 'autoscaling'): Promise<Answer> => {
    const serving = { wait: <T>(work: () => T) => work() };
    const answer = await aws.answer({ service, operation, input }, { signal: never, serving });
    if (answer.kind === 'refused') throw new Error(`${answer.code}: ${answer.message}`);
    return answer.output;
  };
  const LaunchTemplateName = 'web';
  const LaunchTemplateData = { ImageId: x86.imageId, InstanceType: 'm5.large' };
  await call('CreateLaunchTemplate', { LaunchTemplateName, LaunchTemplateData }, 'ec2');
  await call('CreateAutoScalingGroup', {
    AutoScalingGroupName: 'g',
    MinSize: 0,
    MaxSize: 5,
    DesiredCapacity: 2,
    LaunchTemplate: { LaunchTemplateName },
    VPCZoneIdentifier: aws.ec2.network.subnets[0]?.id,
  });
  const put = (PolicyName: string, input: object) =>
    call('PutScalingPolicy', { AutoScalingGroupName: 'g', PolicyName, ...input });
  const execute = (PolicyName: string, input: object = {}) =>
    call('ExecutePolicy', { AutoScalingGroupName: 'g', PolicyName, ...input });
  return { aws, clock, call, put, execute, desired: () => aws.autoScaling.group('g').desired };
}

type Answer = { readonly PolicyARN?: string; readonly ScalingPolicies?: readonly object[] };

const oneMore = { AdjustmentType: 'ChangeInCapacity', ScalingAdjustment: 1, Cooldown: 60 };

test('a simple policy changes the capacity within the limits of its group, and keeps its cooldown when asked', async () => {
  const { clock, put, execute, desired } = await world();
  await put('up', oneMore);
  await execute('up', { HonorCooldown: true });
  expect(desired()).toBe(3);
  await expect(execute('up', { HonorCooldown: true })).rejects.toThrow('ScalingActivityInProgress');
  await execute('up');
  await clock.advance(minutes(2));
  await execute('up', { HonorCooldown: true });
  await execute('up');
  expect(desired()).toBe(5);
});

test('a step policy needs a metric and its threshold', async () => {
  const { put, execute, desired } = await world();
  const StepAdjustments = [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 2 }];
  const PolicyType = 'StepScaling';
  await put('steps', { PolicyType, AdjustmentType: 'ChangeInCapacity', StepAdjustments });
  await expect(execute('steps')).rejects.toThrow('MetricValue and BreachThreshold');
  await expect(execute('steps', { MetricValue: 10, BreachThreshold: 50 })).rejects.toThrow('No step adjustment');
  await execute('steps', { MetricValue: 60, BreachThreshold: 50 });
  expect(desired()).toBe(4);
});

test('policies are described with their kinds, keep their ARN when they change, and go', async () => {
  const { call, put, execute } = await world();
  const tracking = {
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingConfiguration: {
      PredefinedMetricSpecification: { PredefinedMetricType: 'ASGAverageCPUUtilization' },
      TargetValue: 50,
    },
  };
  const { PolicyARN } = await put('cpu', tracking);
  await put('up', oneMore);
  expect((await put('cpu', { ...tracking, EstimatedInstanceWarmup: 30 })).PolicyARN).toBe(PolicyARN);
  const described = await call('DescribePolicies', {
    AutoScalingGroupName: 'g',
    PolicyTypes: ['TargetTrackingScaling'],
  });
  expect(described.ScalingPolicies).toMatchObject([
    {
      PolicyName: 'cpu',
      PolicyARN,
      EstimatedInstanceWarmup: 30,
      Enabled: true,
      TargetTrackingConfiguration: { TargetValue: 50 },
    },
  ]);
  await expect(execute('cpu')).rejects.toThrow('cannot be executed');
  await call('DeletePolicy', { PolicyName: PolicyARN });
  expect((await call('DescribePolicies', {})).ScalingPolicies).toMatchObject([
    { PolicyName: 'up', ScalingAdjustment: 1 },
  ]);
  await expect(execute('cpu')).rejects.toThrow('No policy found with name: cpu');
});

for (const { fact, input, message } of [
  { fact: 'of an unknown type', input: { PolicyType: 'Magic' }, message: "Policy type 'Magic'" },
  { fact: 'without an adjustment', input: { ScalingAdjustment: 1 }, message: 'AdjustmentType must be specified' },
  {
    fact: 'of an unknown adjustment',
    input: { ...oneMore, AdjustmentType: 'Double' },
    message: "AdjustmentType 'Double'",
  },
  {
    fact: 'with the least change of a number',
    input: { ...oneMore, MinAdjustmentMagnitude: 2 },
    message: 'MinAdjustmentMagnitude',
  },
  {
    fact: 'without an amount',
    input: { AdjustmentType: 'ExactCapacity' },
    message: 'ScalingAdjustment must be specified',
  },
  {
    fact: 'of steps without steps',
    input: { ...oneMore, PolicyType: 'StepScaling' },
    message: 'At least one StepAdjustment',
  },
  {
    fact: 'that tracks nothing',
    input: { PolicyType: 'TargetTrackingScaling' },
    message: 'TargetTrackingConfiguration must',
  },
]) {
  test(`a policy ${fact} is refused`, async () => {
    const { put } = await world();
    await expect(put('p', input)).rejects.toThrow(message);
  });
}
