import {
  CreatePlacementGroupCommand,
  type CreatePlacementGroupRequest,
  DeletePlacementGroupCommand,
  DescribeInstancesCommand,
  DescribePlacementGroupsCommand,
  type Placement,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { anEc2, x86 } from '@nodewright/testkit/worlds';

async function withGroup(request: Partial<CreatePlacementGroupRequest>) {
  const world = await anEc2();
  const made = await world.client.send(new CreatePlacementGroupCommand({ GroupName: 'racks', ...request }));
  const run = async (zone = 'us-east-1a', more: Placement = {}, InstanceType: 'm5.large' | 't3.large' = 'm5.large') => {
    const { Instances: [launched] = [] } = await world.client.send(
      new RunInstancesCommand({
        ImageId: x86.imageId,
        InstanceType,
        MinCount: 1,
        MaxCount: 1,
        SubnetId: world.subnetIn(zone),
        Placement: { GroupName: 'racks', ...more },
      }),
    );
    return launched;
  };
  return { ...world, group: made.PlacementGroup, run };
}

test('a group is made, told by name, id and filter, and deleted', async () => {
  const { client, group } = await withGroup({ Strategy: 'partition', PartitionCount: 3 });
  expect(group).toMatchObject({ GroupName: 'racks', State: 'available', Strategy: 'partition', PartitionCount: 3 });
  const found = async (request: object) =>
    (await client.send(new DescribePlacementGroupsCommand(request))).PlacementGroups?.map(({ GroupId }) => GroupId);
  const { GroupId = '' } = group ?? {};
  expect(await found({ GroupIds: [GroupId] })).toEqual([GroupId]);
  expect(await found({ GroupNames: ['racks'], Filters: [{ Name: 'state', Values: ['available'] }] })).toEqual([
    GroupId,
  ]);
  expect(await found({ Filters: [{ Name: 'strategy', Values: ['spread'] }] })).toEqual([]);
  await client.send(new DeletePlacementGroupCommand({ GroupName: 'racks' }));
  expect(await found({})).toEqual([]);
  await expect(found({ GroupIds: [GroupId] })).rejects.toMatchObject({ name: 'InvalidPlacementGroup.Unknown' });
});

test('a name is given once, and counts and levels only where they mean something', async () => {
  const { client } = await withGroup({ Strategy: 'spread' });
  const create = (request: CreatePlacementGroupRequest) => client.send(new CreatePlacementGroupCommand(request));
  await expect(create({ GroupName: 'racks' })).rejects.toMatchObject({ name: 'InvalidPlacementGroup.Duplicate' });
  await expect(create({ GroupName: 'b', PartitionCount: 2 })).rejects.toThrow('PartitionCount');
  await expect(create({ GroupName: 'b', Strategy: 'partition', PartitionCount: 8 })).rejects.toThrow('from 1 to 7');
  await expect(create({ GroupName: 'b', SpreadLevel: 'rack' })).rejects.toThrow('SpreadLevel');
});

test('instances of a partition group go to the emptiest partition, or where they say', async () => {
  const { run, client, group } = await withGroup({ Strategy: 'partition', PartitionCount: 3 });
  const launched = [await run(), await run(), await run('us-east-1b', { PartitionNumber: 2 }), await run()];
  expect(launched.map((each) => each?.Placement?.PartitionNumber)).toEqual([1, 2, 2, 3]);
  const { Reservations = [] } = await client.send(
    new DescribeInstancesCommand({ InstanceIds: [launched[0]?.InstanceId ?? ''] }),
  );
  expect(Reservations[0]?.Instances?.[0]?.Placement).toMatchObject({ GroupName: 'racks', GroupId: group?.GroupId });
  await expect(run('us-east-1a', { PartitionNumber: 4 })).rejects.toThrow('4');
});

test('a spread group takes seven instances in a zone, and is not deleted before they are gone', async () => {
  const { run, client, clock } = await withGroup({ Strategy: 'spread' });
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) ids.push((await run())?.InstanceId ?? '');
  await expect(run()).rejects.toThrow('placement group limit of 7');
  await run('us-east-1b').then((each) => ids.push(each?.InstanceId ?? ''));
  const remove = () => client.send(new DeletePlacementGroupCommand({ GroupName: 'racks' }));
  await expect(remove()).rejects.toMatchObject({ name: 'InvalidPlacementGroup.InUse' });
  await client.send(new TerminateInstancesCommand({ InstanceIds: ids }));
  await clock.advance(60_000);
  await remove();
});

test('a cluster stays in one zone and takes no burstable types', async () => {
  const { run } = await withGroup({ Strategy: 'cluster' });
  await run();
  await expect(run('us-east-1b')).rejects.toMatchObject({ name: 'InvalidPlacementGroup.InUse' });
  await expect(run('us-east-1a', {}, 't3.large')).rejects.toMatchObject({ name: 'Unsupported' });
});
