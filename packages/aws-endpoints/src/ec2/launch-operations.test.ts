import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreatePlacementGroupCommand,
  type FleetLaunchTemplateOverridesRequest,
  RunInstancesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2';
import { aFleet, anEc2, templateName, x86 } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';

const request: RunInstancesCommandInput = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };

async function world() {
  const account = await anEc2();
  const run = (different: Partial<RunInstancesCommandInput> = {}) =>
    account.client.send(new RunInstancesCommand({ ...request, ...different }));
  const fleet = (overrides: FleetLaunchTemplateOverridesRequest[], different: object = {}) =>
    account.client.send(new CreateFleetCommand(aFleet(overrides, different)));
  return { ...account, run, fleet };
}

describe('RunInstances', () => {
  test.each<[fact: string, different: object, code: string]>([
    ['no image', { ImageId: undefined }, 'MissingParameter'],
    ['a malformed image', { ImageId: 'image' }, 'InvalidAMIID.Malformed'],
    ['an unknown image', { ImageId: 'ami-0123456789abcdef0' }, 'InvalidAMIID.NotFound'],
    ['an unknown type', { InstanceType: 'm5.huge' }, 'InvalidParameterValue'],
    ['a type of another architecture', { InstanceType: 'm6g.large' }, 'InvalidParameterValue'],
    ['an unknown subnet', { SubnetId: 'subnet-0' }, 'InvalidSubnetID.NotFound'],
    ['an unknown security group', { SecurityGroupIds: ['sg-0'] }, 'InvalidGroup.NotFound'],
    ['an unknown zone', { Placement: { AvailabilityZone: 'us-east-1z' } }, 'InvalidParameterValue'],
    ['an unknown profile', { IamInstanceProfile: { Name: 'none' } }, 'InvalidParameterValue'],
    ['an unknown placement group', { Placement: { GroupName: 'none' } }, 'InvalidPlacementGroup.Unknown'],
    ['a group by name and id', { Placement: { GroupName: 'a', GroupId: 'pg-0' } }, 'InvalidParameterCombination'],
    [
      'an unknown template',
      { LaunchTemplate: { LaunchTemplateName: 'none' } },
      'InvalidLaunchTemplateName.NotFoundException',
    ],
    [
      'an unknown version',
      { LaunchTemplate: { LaunchTemplateName: templateName, Version: '9' } },
      'InvalidLaunchTemplateId.VersionNotFound',
    ],
    ['user data of more than 16 KB', { UserData: Buffer.alloc(16_385).toString('base64') }, 'InvalidParameterValue'],
    ['a least count of 0', { MinCount: 0 }, 'InvalidParameterValue'],
    ['a least count above the most', { MinCount: 3, MaxCount: 2 }, 'InvalidParameterValue'],
    ['a client token of 129 characters', { ClientToken: 't'.repeat(129) }, 'InvalidParameterValue'],
    ['a dry run', { DryRun: true }, 'DryRunOperation'],
  ])('refuses %s, and launches nothing', async (_, different, name) => {
    const { launched, run } = await world();
    await expect(run(different)).rejects.toMatchObject({ name });
    expect(launched).toEqual([]);
  });

  test('lets the request win over its template', async () => {
    const { run } = await world();
    const LaunchTemplate = { LaunchTemplateName: templateName, Version: '$Latest' };
    const { Instances } = await run({ LaunchTemplate, IamInstanceProfile: undefined, InstanceType: 'c5.large' });
    expect(Instances).toMatchObject([
      { InstanceType: 'c5.large', IamInstanceProfile: { Arn: expect.stringMatching(/node-profile$/) } },
    ]);
  });

  test.each<[fact: string, counts: readonly [least: number, most: number], launches: number | string]>([
    ['as many as are asked for', [2, 3], 3],
    ['as many as there is room for', [2, 12], 7],
    ['exactly as many as there is room for', [7, 7], 7],
    ['none if there is no room for the least', [8, 12], 'InsufficientInstanceCapacity'],
  ])('launches %s', async (_, [MinCount, MaxCount], outcome) => {
    const { aws, client, launched, run, subnetIn } = await world();
    const SubnetId = subnetIn('us-east-1a');
    const free = aws.ec2.instances.freeAddresses(SubnetId);
    await client.send(new CreatePlacementGroupCommand({ GroupName: 'apart', Strategy: 'spread' }));
    const call = run({ SubnetId, Placement: { GroupName: 'apart' }, MinCount, MaxCount });
    if (typeof outcome === 'string') await expect(call).rejects.toMatchObject({ name: outcome });
    else expect((await call).Instances).toHaveLength(outcome);
    const count = typeof outcome === 'string' ? 0 : outcome;
    expect(launched).toHaveLength(count);
    expect(aws.ec2.instances.all()).toHaveLength(count);
    expect(aws.ec2.instances.freeAddresses(SubnetId)).toBe(free - count);
  });

  test('counts the instances of the same call against a vCPU quota', async () => {
    const { aws, run } = await world();
    aws.faults.add({ kind: 'vcpu-quota', vcpus: 5 });
    expect((await run({ MinCount: 1, MaxCount: 4 })).Instances).toHaveLength(2);
    await expect(run()).rejects.toMatchObject({ name: 'VcpuLimitExceeded' });
  });
});

describe('client tokens', () => {
  test('belong to an operation: another one may use the same', async () => {
    const { fleet, launched, run } = await world();
    await run({ ClientToken: 'claim-1' });
    await fleet([{ InstanceType: 'm5.large' }]);
    expect(launched).toHaveLength(2);
  });

  test('repeat the answer of the call, and are refused with another one', async () => {
    const { launched, run } = await world();
    const first = await run({ ClientToken: 'a' });
    expect((await run({ ClientToken: 'a' })).ReservationId).toBe(first.ReservationId);
    await expect(run({ ClientToken: 'a', InstanceType: 'm5.xlarge' })).rejects.toMatchObject({
      name: 'IdempotentParameterMismatch',
    });
    expect(launched).toHaveLength(1);
  });

  test('of a call that was refused are not used up', async () => {
    const { aws, launched, run } = await world();
    const { id } = aws.faults.add({ kind: 'insufficient-capacity' });
    await expect(run({ ClientToken: 'a' })).rejects.toMatchObject({ name: 'InsufficientInstanceCapacity' });
    aws.faults.clear(id);
    await run({ ClientToken: 'a' });
    expect(launched).toHaveLength(1);
  });
});

describe('CreateFleet', () => {
  const gone = { LaunchTemplateSpecification: { LaunchTemplateName: 'gone', Version: '1' } };

  test.each<[fact: string, different: object, code: string]>([
    ['no templates', { LaunchTemplateConfigs: [] }, 'MissingParameter'],
    ['51 templates', { LaunchTemplateConfigs: Array.from({ length: 51 }, () => gone) }, 'InvalidParameterValue'],
    ['another type', { Type: 'maintain' }, 'Unsupported'],
    ['a target below 0', { TargetCapacitySpecification: { TotalTargetCapacity: -1 } }, 'InvalidParameterValue'],
    [
      'a target above 10,000',
      { TargetCapacitySpecification: { TotalTargetCapacity: 10_001 } },
      'InvalidParameterValue',
    ],
  ])('refuses %s', async (_, different, name) => {
    const { fleet, launched } = await world();
    await expect(fleet([{ InstanceType: 'm5.large' }], different)).rejects.toMatchObject({ name });
    expect(launched).toEqual([]);
  });

  const target = (TotalTargetCapacity: number, type: 'spot' | 'on-demand' = 'on-demand') => ({
    TargetCapacitySpecification: { TotalTargetCapacity, DefaultTargetCapacityType: type },
  });

  test.each<
    [fact: string, overrides: FleetLaunchTemplateOverridesRequest[], different: object, types: readonly string[]]
  >([
    ['the cheapest first', [{ InstanceType: 'm5.xlarge' }, { InstanceType: 'm5.large' }], target(1), ['m5.large']],
    [
      'all of one pool',
      [{ InstanceType: 'm5.large' }, { InstanceType: 'm5.xlarge' }],
      target(3),
      ['m5.large', 'm5.large', 'm5.large'],
    ],
    ['nothing for a target of 0', [{ InstanceType: 'm5.large' }], target(0), []],
    [
      'by priority where the strategy says so',
      [
        { InstanceType: 'm5.large', Priority: 2 },
        { InstanceType: 'm5.xlarge', Priority: 1 },
      ],
      { ...target(1), OnDemandOptions: { AllocationStrategy: 'prioritized' } },
      ['m5.xlarge'],
    ],
    [
      'those without a priority last',
      [{ InstanceType: 'm5.large' }, { InstanceType: 'm5.xlarge', Priority: 9 }],
      { ...target(1), OnDemandOptions: { AllocationStrategy: 'prioritized' } },
      ['m5.xlarge'],
    ],
    [
      'an instance for as much as it weighs',
      [{ InstanceType: 'm5.large', WeightedCapacity: 4 }],
      target(7),
      ['m5.large', 'm5.large'],
    ],
  ])('buys %s', async (_, overrides, different, types) => {
    const { fleet, launched } = await world();
    await fleet(overrides, different);
    expect(launched.map(({ shape }) => shape.instanceType)).toEqual(types);
  });

  test('launches in the zone of an override', async () => {
    const { fleet, launched } = await world();
    await fleet([{ InstanceType: 'm5.large', AvailabilityZone: 'us-east-1c' }], target(1));
    expect(launched.map(({ zone }) => zone)).toEqual(['us-east-1c']);
  });

  test('goes on in the next pool when one has no more, and tells both', async () => {
    const { aws, fleet, subnetIn } = await world();
    aws.faults.add({ kind: 'vcpu-quota', vcpus: 4 });
    const [a, b] = [subnetIn('us-east-1a'), subnetIn('us-east-1b')];
    const overrides = [
      { InstanceType: 'm5.large' as const, SubnetId: a },
      { InstanceType: 'm5.large' as const, SubnetId: b },
    ];
    const { Errors, Instances } = await fleet(overrides, target(5));
    expect(Instances?.flatMap(({ InstanceIds }) => InstanceIds ?? [])).toHaveLength(2);
    expect(Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual(['VcpuLimitExceeded', 'VcpuLimitExceeded']);
  });

  test.each<[fault: Parameters<Awaited<ReturnType<typeof world>>['aws']['faults']['add']>[0], code: string]>([
    [{ kind: 'insufficient-capacity' }, 'InsufficientInstanceCapacity'],
    [{ kind: 'no-addresses' }, 'InsufficientFreeAddressesInSubnet'],
    [{ kind: 'launch-failure', code: 'UnfulfillableCapacity' }, 'UnfulfillableCapacity'],
    [{ kind: 'vcpu-quota', vcpus: 1 }, 'MaxSpotInstanceCountExceeded'],
  ])('under the fault %j has an error of each override', async (fault, code) => {
    const { aws, fleet, launched } = await world();
    aws.faults.add(fault);
    const { Errors, Instances } = await fleet([{ InstanceType: 'm5.large' }, { InstanceType: 'm5.xlarge' }]);
    expect(
      Errors?.map(({ ErrorCode, LaunchTemplateAndOverrides }) => [
        ErrorCode,
        LaunchTemplateAndOverrides?.Overrides?.InstanceType,
      ]),
    ).toEqual([
      [code, 'm5.large'],
      [code, 'm5.xlarge'],
    ]);
    expect([Instances, launched]).toEqual([[], []]);
  });

  test('launches from the other templates when one is gone', async () => {
    const { client, fleet, launched } = await world();
    const LaunchTemplateData = { ImageId: x86.imageId };
    await client.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'other', LaunchTemplateData }));
    const of = (LaunchTemplateName: string) => ({
      LaunchTemplateSpecification: { LaunchTemplateName, Version: '$Default' },
      Overrides: [{ InstanceType: 'm5.large' as const }],
    });
    const { Errors } = await fleet([], { LaunchTemplateConfigs: [of('gone'), of('other')] });
    expect(Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual(['InvalidLaunchTemplateName.NotFoundException']);
    expect(launched).toHaveLength(1);
  });

  test('a thousand overrides are one request', async () => {
    const { fleet, launched } = await world();
    const types = Array.from({ length: 1_000 }, (_, at) => (at === 0 ? 'm5.large' : `none.${at}`));
    const { Errors } = await fleet(types.map((InstanceType) => ({ InstanceType: InstanceType as 'm5.large' })));
    expect([Errors, launched.length]).toEqual([[], 1]);
  });
});
