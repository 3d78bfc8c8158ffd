import {
  CancelCapacityReservationCommand,
  CreateCapacityReservationCommand,
  CreateFleetCommand,
  CreateInterruptibleCapacityReservationAllocationCommand,
  CreateLaunchTemplateCommand,
  DescribeCapacityReservationsCommand,
  DescribeInstancesCommand,
  ModifyCapacityReservationCommand,
  TerminateInstancesCommand,
  UpdateInterruptibleCapacityReservationAllocationCommand,
} from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { aFleet, anEc2, x86 } from '@nodewright/testkit/worlds';

const wanted = {
  InstanceType: 'm5.large',
  InstancePlatform: 'Linux/UNIX',
  InstanceCount: 1,
  AvailabilityZone: 'us-east-1b',
} as const;

async function withReservation(more: object = {}) {
  const world = await anEc2();
  const made = await world.client.send(new CreateCapacityReservationCommand({ ...wanted, ...more }));
  const id = made.CapacityReservation?.CapacityReservationId ?? '';
  const look = async () => {
    const request = new DescribeCapacityReservationsCommand({ CapacityReservationIds: [id] });
    return (await world.client.send(request)).CapacityReservations?.[0];
  };
  let launches = 0;
  const launchWith = async (specification: object) => {
    launches += 1;
    const name = `template-${launches}`;
    const data = { ImageId: x86.imageId, CapacityReservationSpecification: specification };
    const template = new CreateLaunchTemplateCommand({ LaunchTemplateName: name, LaunchTemplateData: data });
    await world.client.send(template);
    const overrides = [{ InstanceType: 'm5.large' as const, SubnetId: world.subnetIn('us-east-1b') }];
    const [config] = aFleet(overrides).LaunchTemplateConfigs ?? [];
    const fleet = {
      ...aFleet(overrides),
      ClientToken: `claim-${launches}`,
      TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' as const },
      LaunchTemplateConfigs: [
        { ...config, LaunchTemplateSpecification: { LaunchTemplateName: name, Version: '$Latest' } },
      ],
    };
    return world.client.send(new CreateFleetCommand(fleet));
  };
  return { ...world, id, look, launchWith };
}

test('a reservation is made, told, and has room', async () => {
  const { id, look } = await withReservation({ InstanceCount: 3, InstanceMatchCriteria: 'targeted' });
  expect(id).toMatch(/^cr-0[0-9a-f]{16}$/);
  expect(await look()).toMatchObject({
    InstanceType: 'm5.large',
    AvailabilityZone: 'us-east-1b',
    TotalInstanceCount: 3,
    AvailableInstanceCount: 3,
    State: 'active',
    EndDateType: 'unlimited',
    InstanceMatchCriteria: 'targeted',
  });
});

test('a launch that names a reservation takes a place in it, until there is none', async () => {
  const { id, look, launchWith, client } = await withReservation({ InstanceMatchCriteria: 'targeted' });
  const specification = { CapacityReservationTarget: { CapacityReservationId: id } };
  const first = await launchWith(specification);
  const instance = first.Instances?.[0]?.InstanceIds?.[0] ?? '';
  expect((await look())?.AvailableInstanceCount).toBe(0);
  const { Reservations } = await client.send(new DescribeInstancesCommand({ InstanceIds: [instance] }));
  expect(Reservations?.[0]?.Instances?.[0]).toMatchObject({
    CapacityReservationId: id,
    CapacityReservationSpecification: {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: id },
    },
  });
  const second = await launchWith(specification);
  expect(second.Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual(['ReservationCapacityExceeded']);
  await client.send(new TerminateInstancesCommand({ InstanceIds: [instance] }));
  expect((await look())?.AvailableInstanceCount).toBe(1);
});

test('an open reservation takes what fits unless a launch opts out', async () => {
  const { look, launchWith } = await withReservation();
  await launchWith({ CapacityReservationPreference: 'none' });
  expect((await look())?.AvailableInstanceCount).toBe(1);
  await launchWith({ CapacityReservationPreference: 'open' });
  expect((await look())?.AvailableInstanceCount).toBe(0);
  const beyond = await launchWith({ CapacityReservationPreference: 'open' });
  expect(beyond.Instances?.length).toBe(1);
});

test('instances go on without a reservation that was cancelled', async () => {
  const { id, look, launchWith, client } = await withReservation();
  const { Instances } = await launchWith({ CapacityReservationPreference: 'open' });
  await client.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }));
  expect(await look()).toMatchObject({ State: 'cancelled', TotalInstanceCount: 0 });
  const instance = Instances?.[0]?.InstanceIds?.[0] ?? '';
  const { Reservations } = await client.send(new DescribeInstancesCommand({ InstanceIds: [instance] }));
  expect(Reservations?.[0]?.Instances?.[0]?.CapacityReservationId).toBeUndefined();
});

test('a reservation expires at its end', async () => {
  const world = await anEc2();
  const EndDate = new Date(world.clock.now() + 3_600_000);
  const request = { ...wanted, EndDateType: 'limited' as const, EndDate };
  await world.client.send(new CreateCapacityReservationCommand(request));
  await world.clock.advance(3_600_000);
  const { CapacityReservations } = await world.client.send(new DescribeCapacityReservationsCommand({}));
  expect(CapacityReservations?.map(({ State }) => State)).toEqual(['expired']);
});

test('reservations are found by state, criteria, owner and tags', async () => {
  const TagSpecifications = [{ ResourceType: 'capacity-reservation' as const, Tags: [{ Key: 'team', Value: 'red' }] }];
  const { id, client } = await withReservation({ TagSpecifications });
  const found = async (Name: string, ...Values: string[]) =>
    (
      await client.send(new DescribeCapacityReservationsCommand({ Filters: [{ Name, Values }] }))
    ).CapacityReservations?.map(({ CapacityReservationId }) => CapacityReservationId);
  expect(await found('tag:team', 'red')).toEqual([id]);
  expect(await found('tag-key', 'squad')).toEqual([]);
  expect(await found('state', 'active')).toEqual([id]);
  expect(await found('instance-match-criteria', 'targeted')).toEqual([]);
});

test('its size changes, but not below what runs in it', async () => {
  const { id, look, launchWith, client } = await withReservation();
  const resize = (InstanceCount: number) =>
    client.send(new ModifyCapacityReservationCommand({ CapacityReservationId: id, InstanceCount }));
  await resize(2);
  await launchWith({ CapacityReservationPreference: 'open' });
  await launchWith({ CapacityReservationPreference: 'open', CapacityReservationTarget: { CapacityReservationId: id } });
  expect(await look()).toMatchObject({ TotalInstanceCount: 2, AvailableInstanceCount: 0 });
  await expect(resize(1)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
});

for (const { fact, request, code } of [
  {
    fact: 'an unknown id',
    request: { CapacityReservationIds: ['cr-0123'] },
    code: 'InvalidCapacityReservationId.NotFound',
  },
  {
    fact: 'what is no id',
    request: { CapacityReservationIds: ['r-1'] },
    code: 'InvalidCapacityReservationId.Malformed',
  },
  {
    fact: 'an unknown filter',
    request: { Filters: [{ Name: 'colour', Values: ['red'] }] },
    code: 'InvalidParameterValue',
  },
]) {
  test(`${fact} is refused`, async () => {
    const { client } = await anEc2();
    await expect(client.send(new DescribeCapacityReservationsCommand(request))).rejects.toMatchObject({ name: code });
  });
}

test('capacity that is lent as interruptible comes back after the notice of its instances', async () => {
  const { aws, client, clock, id, look, launchWith } = await withReservation({ InstanceCount: 2 });
  const lend = (InstanceCount: number) =>
    client.send(
      new CreateInterruptibleCapacityReservationAllocationCommand({ CapacityReservationId: id, InstanceCount }),
    );
  const take = (TargetInstanceCount: number) =>
    client.send(
      new UpdateInterruptibleCapacityReservationAllocationCommand({ CapacityReservationId: id, TargetInstanceCount }),
    );
  await expect(lend(3)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  await expect(take(0)).rejects.toThrow("doesn't have an active interruptible capacity allocation");
  expect(await lend(1)).toMatchObject({ SourceCapacityReservationId: id, TargetInstanceCount: 1 });
  const source = await look();
  expect(source).toMatchObject({ TotalInstanceCount: 1, Interruptible: false });
  const borrowed = source?.InterruptibleCapacityAllocation?.InterruptibleCapacityReservationId ?? '';
  const lookAtBorrowed = async () => {
    const request = new DescribeCapacityReservationsCommand({ CapacityReservationIds: [borrowed] });
    return (await client.send(request)).CapacityReservations?.[0];
  };
  expect(await lookAtBorrowed()).toMatchObject({
    Interruptible: true,
    InterruptionInfo: { SourceCapacityReservationId: id, InterruptionType: 'adhoc' },
    InstanceMatchCriteria: 'targeted',
    TotalInstanceCount: 1,
  });

  const made = await launchWith({ CapacityReservationTarget: { CapacityReservationId: borrowed } });
  const InstanceIds = made.Instances?.[0]?.InstanceIds ?? [];
  const described = await client.send(new DescribeInstancesCommand({ InstanceIds }));
  expect(described.Reservations?.[0]?.Instances).toMatchObject([
    { CapacityReservationId: borrowed, InstanceLifecycle: 'interruptible-capacity-reservation' },
  ]);
  await expect(client.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }))).rejects.toThrow(
    'has an active interruptible capacity allocation',
  );

  await take(0);
  expect(aws.faults.find('reservation-interruption')).toMatchObject([{ capacityReservationId: borrowed }]);
  expect(await look()).toMatchObject({
    TotalInstanceCount: 1,
    InterruptibleCapacityAllocation: { Status: 'updating' },
  });
  await clock.advance(121_000);
  expect(await look()).toMatchObject({ TotalInstanceCount: 2 });
  expect(await lookAtBorrowed()).toMatchObject({ State: 'cancelled' });
  await client.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }));
});
