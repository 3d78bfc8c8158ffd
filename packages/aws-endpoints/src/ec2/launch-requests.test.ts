import type { Instance } from '@aws-sdk/client-ec2';
import { minutes } from '@nodewright/apis';
import { aFleet, anEc2, ec2Caller, templateName, x86 } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function world() {
  const account = await anEc2();
  const { call } = ec2Caller(account.aws);
  const SubnetId = account.subnetIn('us-east-1a');
  const one = { ImageId: x86.imageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 };
  const run = async (more: object) => {
    const told = (await call('RunInstances', { ...one, ...more })) as { readonly Instances?: readonly Instance[] };
    return told.Instances?.[0] ?? told;
  };
  const addressIn = (last: number): string => {
    const free = account.aws.ec2.instances.takeAddress(SubnetId) ?? '';
    account.aws.ec2.instances.releaseAddress(SubnetId, free);
    return free.replace(/\d+$/, String(last));
  };
  return { ...account, call, one, run, SubnetId, addressIn };
}

test('an instance carries the template and the version that it was launched from', async () => {
  const { aws, call, one, run } = await world();
  const LaunchTemplateName = templateName;
  await call('CreateLaunchTemplateVersion', { LaunchTemplateName, LaunchTemplateData: { InstanceType: 'm5.large' } });
  const id = aws.ec2.templates.all()[0]?.id;
  for (const [Version, number] of [
    ['$Latest', '2'],
    ['$Default', '1'],
    ['1', '1'],
  ])
    expect(await run({ LaunchTemplate: { LaunchTemplateName, Version } })).toMatchObject({
      Tags: expect.arrayContaining([
        { Key: 'aws:ec2launchtemplate:id', Value: id },
        { Key: 'aws:ec2launchtemplate:version', Value: number },
      ]),
    });
  const plain = (await call('RunInstances', one)) as { readonly Instances: readonly Instance[] };
  expect(plain).toMatchObject({ Groups: [] });
  expect(plain.Instances[0]).not.toHaveProperty('Tags');
});

test('a launch gets the private address that it asks for, and no other one', async () => {
  const { run, SubnetId, addressIn } = await world();
  const [first, second] = [addressIn(77), addressIn(78)];
  expect(await run({ SubnetId, PrivateIpAddress: first })).toMatchObject({ PrivateIpAddress: first });
  const NetworkInterfaces = [
    { DeviceIndex: 0, SubnetId, PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: second }] },
  ];
  expect(await run({ NetworkInterfaces })).toMatchObject({ PrivateIpAddress: second });
  expect(await run({ SubnetId, PrivateIpAddress: first })).toBe('InvalidParameterValue');
  expect(await run({ SubnetId, PrivateIpAddress: '10.9.8.7' })).toBe('InvalidParameterValue');
  expect(await run({ SubnetId, PrivateIpAddress: addressIn(79), MaxCount: 2 })).toBe('InvalidParameterCombination');
});

test('a launch gets the addresses of IPv6 that it asks for', async () => {
  const { run } = await world();
  expect(await run({ Ipv6AddressCount: 2 })).toMatchObject({ NetworkInterfaces: [{ Ipv6Addresses: [{}, {}] }] });
});

test('an instance that may not be stopped runs on', async () => {
  const { call, clock, run } = await world();
  const { InstanceId } = (await run({ DisableApiStop: true })) as Instance;
  await clock.advance(minutes(1));
  const attribute = () => call('DescribeInstanceAttribute', { InstanceId, Attribute: 'disableApiStop' });
  expect(await attribute()).toMatchObject({ DisableApiStop: { Value: true } });
  expect(await call('StopInstances', { InstanceIds: [InstanceId] })).toBe('OperationNotPermitted');
  await call('ModifyInstanceAttribute', { InstanceId, DisableApiStop: { Value: false } });
  expect(await call('StopInstances', { InstanceIds: [InstanceId] })).toMatchObject({ StoppingInstances: [{}] });
});

test('a fleet takes its strategy in the older spelling, and is deleted with its instances', async () => {
  const { aws, call, clock, subnetIn } = await world();
  const overrides = [{ InstanceType: 'm5.large', SubnetId: subnetIn('us-east-1a') } as const];
  const SpotOptions = { AllocationStrategy: 'priceCapacityOptimized' };
  const fleet = { ...aFleet(overrides), SpotOptions };
  const { FleetId } = (await call('CreateFleet', fleet)) as { readonly FleetId: string };
  await clock.advance(minutes(1));
  expect(await call('DeleteFleets', { FleetIds: [FleetId], TerminateInstances: false })).toBe(
    'InvalidParameterCombination',
  );
  expect(await call('DeleteFleets', { FleetIds: [FleetId, 'fleet-1'], TerminateInstances: true })).toMatchObject({
    SuccessfulFleetDeletions: [{ FleetId, CurrentFleetState: 'deleted_terminating' }],
    UnsuccessfulFleetDeletions: [{ FleetId: 'fleet-1', Error: { Code: 'fleetIdDoesNotExist' } }],
  });
  expect(aws.ec2.instances.all().map(({ state }) => state)).toEqual(['shutting-down']);
  const odd = { AllocationStrategy: 'cheapest' };
  expect(await call('CreateFleet', { ...fleet, SpotOptions: odd })).toBe('InvalidParameterValue');
});
