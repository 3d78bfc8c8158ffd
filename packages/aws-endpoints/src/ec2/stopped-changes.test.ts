import { minutes } from '@nodewright/apis';
import { anEc2, ec2Caller, x86 } from '@nodewright/testkit/worlds';
import { beforeEach, describe, expect, test } from 'vitest';

let account: Awaited<ReturnType<typeof anEc2>>;
let call: ReturnType<typeof ec2Caller>['call'], refusalOf: ReturnType<typeof ec2Caller>['refusalOf'];
let InstanceId: string;

const launch = async (more: object = {}): Promise<string> => {
  const request = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, ...more };
  const { Instances } = (await call('RunInstances', request)) as {
    readonly Instances: readonly { readonly InstanceId: string }[];
  };
  await account.clock.advance(minutes(1));
  return Instances[0]?.InstanceId ?? '';
};

const change = (attribute: object) => call('ModifyInstanceAttribute', { InstanceId, ...attribute });
const attribute = (Attribute: string) => call('DescribeInstanceAttribute', { InstanceId, Attribute });

beforeEach(async () => {
  account = await anEc2();
  ({ call, refusalOf } = ec2Caller(account.aws));
  InstanceId = await launch({ UserData: 'YQ==' });
});

describe('a stopped instance', () => {
  beforeEach(async () => {
    await call('StopInstances', { InstanceIds: [InstanceId] });
    await account.clock.advance(minutes(2));
  });

  test('starts as another type, with other user data', async () => {
    expect(await change({ InstanceType: { Value: 'm5.xlarge' } })).toEqual({});
    expect(await change({ UserData: { Value: Buffer.from('b') } })).toEqual({});
    expect(await attribute('userData')).toMatchObject({ UserData: { Value: 'Yg==' } });
    await call('StartInstances', { InstanceIds: [InstanceId] });
    expect(account.launched.at(-1)).toMatchObject({ shape: { instanceType: 'm5.xlarge' }, userData: 'b' });
    expect(await call('DescribeInstances', { InstanceIds: [InstanceId] })).toMatchObject({
      Reservations: [{ Instances: [{ InstanceType: 'm5.xlarge', CpuOptions: { CoreCount: 2, ThreadsPerCore: 2 } }] }],
    });
  });

  test('takes both by the names of the attributes', async () => {
    await change({ Attribute: 'instanceType', Value: 'm5.xlarge' });
    await change({ Attribute: 'userData', Value: 'Yw==' });
    expect(await attribute('instanceType')).toMatchObject({ InstanceType: { Value: 'm5.xlarge' } });
    expect(await attribute('userData')).toMatchObject({ UserData: { Value: 'Yw==' } });
  });

  test.each<readonly [attribute: object, code: string]>([
    [{ InstanceType: { Value: 'm5.huge' } }, 'InvalidInstanceAttributeValue'],
    [{ InstanceType: { Value: 'm6g.large' } }, 'InvalidParameterValue'],
    [{ UserData: { Value: Buffer.alloc(16_385) } }, 'InvalidParameterValue'],
    [{ InstanceType: { Value: 'm5.xlarge' }, DryRun: true }, 'DryRunOperation'],
    [{ InstanceType: { Value: 'm5.xlarge' }, EbsOptimized: { Value: true } }, 'InvalidParameterCombination'],
    [{ Kernel: { Value: 'aki-1' } }, 'UnsupportedOperation'],
  ])('does not change by %j', async (request, code) => {
    expect(await change(request)).toBe(code);
    expect(await attribute('instanceType')).toMatchObject({ InstanceType: { Value: 'm5.large' } });
    expect(await attribute('userData')).toMatchObject({ UserData: { Value: 'YQ==' } });
  });
});

test('a running instance keeps its type', async () => {
  expect(await refusalOf('ModifyInstanceAttribute', { InstanceId, InstanceType: { Value: 'm5.xlarge' } })).toBe(
    `IncorrectInstanceState: The instance '${InstanceId}' is not in the 'stopped' state.`,
  );
});

describe('the CPU credits', () => {
  test.each<readonly [more: object, credits: string]>([
    [{ InstanceType: 't3.medium' }, 'unlimited'],
    [{ InstanceType: 't3.medium', CreditSpecification: { CpuCredits: 'standard' } }, 'standard'],
    [{ InstanceType: 'm5.large' }, 'standard'],
  ])('of %j are %s', async (more, CpuCredits) => {
    const id = await launch(more);
    expect(await call('DescribeInstanceCreditSpecifications', { InstanceIds: [id] })).toEqual({
      InstanceCreditSpecifications: [{ InstanceId: id, CpuCredits }],
    });
  });

  test('of instances that nobody names are listed where they are unlimited', async () => {
    const id = await launch({ InstanceType: 't3.medium' });
    const unlimited = { InstanceCreditSpecifications: [{ InstanceId: id, CpuCredits: 'unlimited' }] };
    expect(await call('DescribeInstanceCreditSpecifications')).toEqual(unlimited);
    const Filters = [{ Name: 'instance-id', Values: [InstanceId] }];
    expect(await call('DescribeInstanceCreditSpecifications', { Filters })).toEqual({
      InstanceCreditSpecifications: [],
    });
  });
});
