import { minutes } from '@nodewright/apis';
import { aFleet, anEc2, ec2Caller } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function fleetWorld() {
  const account = await anEc2();
  const caller = ec2Caller(account.aws);
  const { FleetId } = (await caller.call(
    'CreateFleet',
    aFleet([{ InstanceType: 'm5.large', SubnetId: account.subnetIn('us-east-1a') }]),
  )) as { readonly FleetId: string };
  await account.clock.advance(minutes(1));
  return { ...account, ...caller, FleetId };
}

test('an instant fleet is told when it is named, with what it launched and its tags', async () => {
  const { call, FleetId, subnetIn, aws } = await fleetWorld();
  const ids = aws.ec2.instances.all().map(({ id }) => id);
  expect(await call('DescribeFleets', { FleetIds: [FleetId] })).toMatchObject({
    Fleets: [
      {
        FleetId,
        Type: 'instant',
        FleetState: 'active',
        ClientToken: 'claim-1',
        FulfilledCapacity: 1,
        TargetCapacitySpecification: {
          TotalTargetCapacity: 1,
          SpotTargetCapacity: 1,
          DefaultTargetCapacityType: 'spot',
        },
        Instances: [
          {
            InstanceType: 'm5.large',
            Lifecycle: 'spot',
            InstanceIds: ids,
            LaunchTemplateAndOverrides: { Overrides: { SubnetId: subnetIn('us-east-1a') } },
          },
        ],
      },
    ],
  });
  expect(await call('DescribeFleets')).toEqual({ Fleets: [] });
  const filtered = { FleetIds: [FleetId], Filters: [{ Name: 'type', Values: ['maintain'] }] };
  expect(await call('DescribeFleets', filtered)).toEqual({ Fleets: [] });
  expect(await call('DescribeFleets', { FleetIds: ['fleet-1'] })).toBe('InvalidFleetId.NotFound');
});

test('its instances are told while they run', async () => {
  const { call, FleetId, aws, clock } = await fleetWorld();
  const [instance] = aws.ec2.instances.all();
  expect(await call('DescribeFleetInstances', { FleetId })).toEqual({
    FleetId,
    ActiveInstances: [
      {
        InstanceId: instance?.id,
        InstanceType: 'm5.large',
        SpotInstanceRequestId: instance?.spotRequestId,
        InstanceHealth: 'healthy',
      },
    ],
  });
  await call('DeleteFleets', { FleetIds: [FleetId], TerminateInstances: true });
  await clock.advance(minutes(2));
  expect(await call('DescribeFleetInstances', { FleetId })).toEqual({ FleetId, ActiveInstances: [] });
  expect(await call('DescribeFleets', { FleetIds: [FleetId] })).toMatchObject({
    Fleets: [{ FleetState: 'deleted_terminating' }],
  });
});

test('its history is empty', async () => {
  const { call, FleetId } = await fleetWorld();
  const StartTime = new Date('2024-01-28T00:00:00Z');
  expect(await call('DescribeFleetHistory', { FleetId, StartTime })).toMatchObject({ FleetId, HistoryRecords: [] });
  expect(await call('DescribeFleetHistory', { FleetId: 'fleet-1', StartTime })).toBe('InvalidFleetId.NotFound');
});
