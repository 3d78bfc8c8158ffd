import { CreateFleetCommand, DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { aFleet, anEc2, arm, x86 } from '@nodewright/testkit/worlds';

test('the cheapest pool is bought, and its machine begins to boot', async () => {
  const { client, launched, subnetIn } = await anEc2();
  const fleet = await client.send(
    new CreateFleetCommand(
      aFleet([
        { InstanceType: 'm6g.xlarge', SubnetId: subnetIn('us-east-1a'), ImageId: arm.imageId },
        { InstanceType: 'm6g.xlarge', SubnetId: subnetIn('us-east-1b'), ImageId: arm.imageId },
        { InstanceType: 'c6a.xlarge', SubnetId: subnetIn('us-east-1b') },
      ]),
    ),
  );
  expect(fleet.Errors).toEqual([]);
  expect(fleet.Instances).toMatchObject([
    {
      InstanceType: 'm6g.xlarge',
      Lifecycle: 'spot',
      InstanceIds: [launched[0]?.instanceId],
      LaunchTemplateAndOverrides: { Overrides: { SubnetId: subnetIn('us-east-1b'), ImageId: arm.imageId } },
    },
  ]);
  expect(launched).toMatchObject([
    {
      providerId: `aws:///us-east-1b/${launched[0]?.instanceId}`,
      privateIp: expect.stringMatching(/^192\.168\.(3[2-9]|[45]\d|6[0-3])\.\d+$/),
      release: arm,
      shape: {
        instanceType: 'm6g.xlarge',
        vcpus: 4,
        memoryMib: 16_384,
        arch: 'arm64',
        maxPods: 58,
        branchInterfaces: 18,
        volumes: 26,
      },
      volumeGib: 80,
      userData: '#!/bin/bash',
    },
  ]);
});

test('an instance carries the tags of the launch and where it came from', async () => {
  const { client, subnetIn } = await anEc2();
  const fleet = await client.send(
    new CreateFleetCommand(aFleet([{ InstanceType: 'm5.large', SubnetId: subnetIn('us-east-1a') }])),
  );
  const found = await client.send(
    new DescribeInstancesCommand({ Filters: [{ Name: 'tag:karpenter.sh/nodepool', Values: ['default'] }] }),
  );
  expect(found.Reservations?.[0]?.Instances?.[0]).toMatchObject({
    InstanceId: fleet.Instances?.[0]?.InstanceIds?.[0],
    ClientToken: 'claim-1',
    Tags: expect.arrayContaining([{ Key: 'aws:ec2:fleet-id', Value: fleet.FleetId }]),
  });
});

test('a pool without capacity is an error of the fleet, and the next one is bought', async () => {
  const { aws, client, subnetIn } = await anEc2();
  aws.faults.add({ kind: 'insufficient-capacity', instanceType: 'm5.large', zone: 'us-east-1b' });
  const [a, b] = [subnetIn('us-east-1a'), subnetIn('us-east-1b')];
  const overrides = [b, a].map((SubnetId) => ({ InstanceType: 'm5.large' as const, SubnetId }));
  const fleet = await client.send(new CreateFleetCommand(aFleet(overrides)));
  expect(fleet.Instances?.[0]?.LaunchTemplateAndOverrides?.Overrides?.SubnetId).toBe(a);
  expect(fleet.Errors).toMatchObject([
    {
      ErrorCode: 'InsufficientInstanceCapacity',
      Lifecycle: 'spot',
      LaunchTemplateAndOverrides: { Overrides: { InstanceType: 'm5.large', SubnetId: b } },
    },
  ]);
});

test('a fleet that gets nothing is answered with its errors', async () => {
  const { aws, client, launched, subnetIn } = await anEc2();
  aws.faults.add({ kind: 'insufficient-capacity' });
  const fleet = await client.send(
    new CreateFleetCommand(aFleet([{ InstanceType: 'm5.large', SubnetId: subnetIn('us-east-1a') }])),
  );
  expect(fleet.Instances).toEqual([]);
  expect(fleet.Errors).toHaveLength(1);
  expect(launched).toEqual([]);
});

test('the same call again returns the same instance, another one under the token is refused', async () => {
  const { client, launched, subnetIn } = await anEc2();
  const request = aFleet([{ InstanceType: 'm5.large', SubnetId: subnetIn('us-east-1a') }]);
  const first = await client.send(new CreateFleetCommand(request));
  const again = await client.send(new CreateFleetCommand(request));
  expect(again.Instances).toEqual(first.Instances);
  expect(launched).toHaveLength(1);
  const other = aFleet([{ InstanceType: 'm5.xlarge', SubnetId: subnetIn('us-east-1a') }]);
  await expect(client.send(new CreateFleetCommand(other))).rejects.toMatchObject({
    name: 'IdempotentParameterMismatch',
  });
});

test('a dry run tells that it would have succeeded, and launches nothing', async () => {
  const { client, launched, subnetIn } = await anEc2();
  const request = aFleet([{ InstanceType: 'm5.large', SubnetId: subnetIn('us-east-1a') }], { DryRun: true });
  await expect(client.send(new CreateFleetCommand(request))).rejects.toMatchObject({
    name: 'DryRunOperation',
    $metadata: { httpStatusCode: 412 },
  });
  expect(launched).toEqual([]);
});

for (const { fact, override, code } of [
  {
    fact: 'an image of another architecture',
    override: { InstanceType: 'm6g.large', ImageId: x86.imageId },
    code: 'InvalidParameterValue',
  },
  {
    fact: 'an unknown image',
    override: { InstanceType: 'm5.large', ImageId: 'ami-0123456789abcdef0' },
    code: 'InvalidAMIID.NotFound',
  },
  {
    fact: 'an unknown subnet',
    override: { InstanceType: 'm5.large', SubnetId: 'subnet-1' },
    code: 'InvalidSubnetID.NotFound',
  },
] as const) {
  test(`${fact} is an error of its pool`, async () => {
    const { client } = await anEc2();
    const fleet = await client.send(new CreateFleetCommand(aFleet([override])));
    expect(fleet.Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual([code]);
  });
}

test('a template that is gone is an error of the fleet', async () => {
  const { client } = await anEc2();
  const gone = { LaunchTemplateSpecification: { LaunchTemplateName: 'gone', Version: '$Latest' } };
  const fleet = await client.send(new CreateFleetCommand(aFleet([], { LaunchTemplateConfigs: [gone] })));
  expect(fleet.Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual(['InvalidLaunchTemplateName.NotFoundException']);
});
