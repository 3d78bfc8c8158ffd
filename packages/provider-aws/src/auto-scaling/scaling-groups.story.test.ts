import {
  CreateAutoScalingGroupCommand,
  type CreateAutoScalingGroupType,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  StartInstanceRefreshCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DescribeSubnetsCommand,
} from '@aws-sdk/client-ec2';
import { instant, byTextOf, inReverse } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { beforeEach, describe, expect, test } from 'vitest';
import { anAwsAccount, clusterName, never } from '@nodewright/testkit/worlds';

const minute = 60_000;
const AutoScalingGroupName = 'workers';

const [newImage = '', oldImage = ''] = builtInReleases()
  .of('1.28')
  .filter(({ family, variant, arch }) => `${family} ${variant} ${arch}` === 'AL2 standard amd64')
  .filter(({ publishedAt }) => publishedAt < '2024-01-28')
  .toSorted(inReverse(byTextOf(({ createdAt }) => createdAt)))
  .map(({ imageId }) => imageId);

/** A launch template of one version, and whatever group a test makes of it. */
async function aWorld() {
  const { time, aws, clients: connect, cloudWith } = anAwsAccount({ zones: 3 });
  const { clock, gate } = time;
  await aws.load();
  const clients = connect();
  const { scalingGroups } = cloudWith({ clients });
  const apply = <T>(work: Promise<T>): Promise<T> => time.finish(work);
  const send = <T>(work: (options: object) => Promise<T>): Promise<T> => apply(gate.call((ticket) => work({ ticket })));
  const { Subnets = [] } = await send((options) => clients.ec2.send(new DescribeSubnetsCommand({}), options));
  const template = { LaunchTemplateName: 'workers' };
  const data = { ImageId: oldImage, InstanceType: 'm5.large' } as const;
  await send((options) =>
    clients.ec2.send(new CreateLaunchTemplateCommand({ ...template, LaunchTemplateData: data }), options),
  );
  return {
    aws,
    apply,
    groups: scalingGroups,
    describe: async () => {
      const found = await apply(scalingGroups.describe(AutoScalingGroupName, never));
      if (found?.template === undefined) throw new Error('there is no group with a template');
      return { ...found, template: found.template };
    },
    advance: (ms: number) => time.run(instant(clock.now() + ms)),
    putVersion: (LaunchTemplateData: object) =>
      send((options) =>
        clients.ec2.send(new CreateLaunchTemplateVersionCommand({ ...template, LaunchTemplateData }), options),
      ),
    putGroup: async (different: Partial<CreateAutoScalingGroupType> = { LaunchTemplate: template }) => {
      await send((options) =>
        clients.autoScaling.send(
          new CreateAutoScalingGroupCommand({
            AutoScalingGroupName,
            MinSize: 1,
            MaxSize: 4,
            DesiredCapacity: 3,
            VPCZoneIdentifier: Subnets.slice(0, 3)
              .map(({ SubnetId = '' }) => SubnetId)
              .join(','),
            ...different,
          }),
          options,
        ),
      );
      await time.run(instant(clock.now() + 2 * minute));
    },
    putWarmPool: async () => {
      const request = { AutoScalingGroupName, MinSize: 2 };
      await send((options) => clients.autoScaling.send(new PutWarmPoolCommand(request), options));
      await time.run(instant(clock.now() + 5 * minute));
    },
    putHook: (heartbeat: number) =>
      send((options) =>
        clients.autoScaling.send(
          new PutLifecycleHookCommand({
            AutoScalingGroupName,
            LifecycleHookName: 'nodewright',
            LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
            HeartbeatTimeout: heartbeat,
          }),
          options,
        ),
      ),
    refresh: () =>
      send((options) => clients.autoScaling.send(new StartInstanceRefreshCommand({ AutoScalingGroupName }), options)),
  };
}

let world: Awaited<ReturnType<typeof aWorld>>;
beforeEach(async () => {
  world = await aWorld();
});

test('ASG-1: a group is described with its template, instances, zones and addresses', async () => {
  await world.putGroup();
  const group = await world.describe();
  expect(group).toMatchObject({ min: 1, max: 4, desired: 3, hooks: [], isRefreshing: false, suspended: [] });
  expect(group.template).toMatchObject({ version: '1', imageId: oldImage, instanceType: 'm5.large', arch: 'amd64' });
  expect(group.instances.map(({ imageId, lifecycle }) => [imageId, lifecycle])).toEqual(
    Array.from({ length: 3 }, () => [oldImage, 'InService']),
  );
  expect(group.subnets).toHaveLength(3);
  expect(group.subnets.every(({ freeAddresses }) => freeAddresses > 0)).toBe(true);
});

describe('a version of the template', () => {
  const request = { sourceVersion: '1', imageId: newImage, token: 'one' };

  test('SMG-3: is made once for a token, and differs by the image alone', async () => {
    await world.putGroup();
    const { template } = await world.describe();
    const make = () => world.apply(world.groups.createTemplateVersion({ templateId: template.id, ...request }, never));
    expect([await make(), await make()]).toEqual(['2', '2']);
    await world.apply(world.groups.pointAt(AutoScalingGroupName, '2', never));
    expect((await world.describe()).template).toMatchObject({
      version: '2',
      isPinned: true,
      imageId: newImage,
      instanceType: 'm5.large',
      versions: { [oldImage]: '1', [newImage]: '2' },
    });
  });

  test('is none of ours to take when somebody made it with the image and something else', async () => {
    await world.putVersion({ ImageId: newImage, InstanceType: 'm5.24xlarge' });
    await world.putGroup();
    expect((await world.describe()).template.versions).toEqual({ [oldImage]: '1' });
  });

  for (const { asked, isPinned } of [
    { asked: '1', isPinned: true },
    { asked: '$Latest', isPinned: false },
    { asked: '$Default', isPinned: false },
  ]) {
    test(`SMG-4: is known to be named ${asked}`, async () => {
      await world.putGroup({ LaunchTemplate: { LaunchTemplateName: 'workers', Version: asked } });
      expect((await world.describe()).template).toMatchObject({ version: '1', isPinned });
    });
  }

  test('OBJ-11: is named in the policy of a group of several types', async () => {
    const LaunchTemplateSpecification = { LaunchTemplateName: 'workers', Version: '$Latest' };
    const Overrides = [{ InstanceType: 'm5.large' }, { InstanceType: 'm5.xlarge' }];
    await world.putGroup({ MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification, Overrides } } });
    const before = await world.describe();
    await world.apply(world.groups.createTemplateVersion({ templateId: before.template.id, ...request }, never));
    await world.apply(world.groups.pointAt(AutoScalingGroupName, '2', never));
    expect(await world.describe()).toMatchObject({
      instanceTypes: ['m5.large', 'm5.xlarge'],
      template: { version: '2', isPinned: true },
    });
  });
});

describe('an instance', () => {
  test('ASG-6: that has gone, or is going, may be ended again', async () => {
    await world.putGroup();
    const [first] = (await world.describe()).instances;
    const end = () => world.apply(world.groups.terminate(first?.id ?? '', { decrement: true }, never));
    await end();
    await world.advance(5 * minute);
    await end();
    expect(await world.describe()).toMatchObject({ desired: 2, instances: [{}, {}] });
  });

  test('SMG-8, ASG-8: waits for a terminate hook as long as heartbeats come, and goes on when told', async () => {
    await world.putGroup();
    await world.putHook(60);
    const [first] = (await world.describe()).instances;
    await world.apply(world.groups.terminate(first?.id ?? '', { decrement: true }, never));
    const lifecycle = async () => (await world.describe()).instances.find(({ id }) => id === first?.id)?.lifecycle;
    const answer = (kind: 'heartbeat' | 'continue') =>
      world.apply(
        world.groups.answerHook(
          { group: AutoScalingGroupName, hook: 'nodewright', instanceId: first?.id ?? '', answer: kind },
          never,
        ),
      );
    for (let turn = 0; turn < 4; turn += 1) {
      await world.advance(40_000);
      await answer('heartbeat');
    }
    expect((await world.describe()).hooks).toEqual([
      { name: 'nodewright', transition: 'terminating', heartbeatSeconds: 60 },
    ]);
    expect(await lifecycle()).toBe('Terminating:Wait');
    await answer('continue');
    await world.advance(3 * minute);
    expect(await lifecycle()).toBe(undefined);
    await answer('continue');
  });
});

test('SMG-1: groups are found by the tag of the cluster, without those of EKS', async () => {
  const tags = (...names: readonly string[]) => ({
    LaunchTemplate: { LaunchTemplateName: 'workers' },
    DesiredCapacity: 1,
    Tags: names.map((Key) => ({ Key, Value: 'owned' })),
  });
  const cluster = `kubernetes.io/cluster/${clusterName}`;
  await world.putGroup({ ...tags(cluster), AutoScalingGroupName: 'own' });
  await world.putGroup({ ...tags(cluster, 'eks:nodegroup-name'), AutoScalingGroupName: 'managed' });
  await world.putGroup({ ...tags('kubernetes.io/cluster/other'), AutoScalingGroupName: 'foreign' });
  expect(await world.apply(world.groups.list(never))).toEqual(['own']);
});

test('ASG-10: processes are suspended and resumed one by one', async () => {
  await world.putGroup();
  await world.apply(world.groups.suspend(AutoScalingGroupName, ['AZRebalance', 'ScheduledActions'], never));
  await world.apply(world.groups.resume(AutoScalingGroupName, ['ScheduledActions'], never));
  expect((await world.describe()).suspended).toEqual(['AZRebalance']);
});

test('ASG-15: an instance refresh under way is seen', async () => {
  await world.putGroup();
  await world.refresh();
  expect((await world.describe()).isRefreshing).toBe(true);
});

describe('SUP-11: the limit that more instances count against', () => {
  const question = { types: ['m5.large', 'm5.xlarge'], market: 'onDemand' } as const;

  test('is that of the largest type, less what runs in the account', async () => {
    await world.putGroup();
    world.aws.faults.add({ kind: 'vcpu-quota', vcpus: 16 });
    expect(await world.apply(world.groups.quota(question, never))).toEqual({
      name: 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances',
      code: 'L-1216C47A',
      vcpusPerInstance: 4,
      room: { kind: 'known', limit: 16, used: 6 },
    });
    const spot = await world.apply(world.groups.quota({ ...question, market: 'spot' }, never));
    expect(spot).toMatchObject({ code: 'L-34B43A08', room: { used: 0 } });
  });

  test('is named although nobody may ask how much of it is free', async () => {
    world.aws.faults.add({ kind: 'refusal', service: 'servicequotas', code: 'AccessDeniedException', message: 'no' });
    expect(await world.apply(world.groups.quota(question, never))).toMatchObject({
      code: 'L-1216C47A',
      room: { kind: 'unknown', why: expect.stringMatching(/^AccessDeniedException: /) as string },
    });
  });

  test('is not there for types that nobody knows', async () => {
    expect(await world.apply(world.groups.quota({ ...question, types: ['x9.huge'] }, never))).toBeUndefined();
  });
});

test('WRM-3: warm instances are told apart, and one that is ended is launched anew from what the group has by now', async () => {
  await world.putGroup();
  await world.putWarmPool();
  const before = await world.describe();
  expect(before.instances).toHaveLength(3);
  expect(before.warm.map(({ imageId, lifecycle }) => [imageId, lifecycle])).toEqual([
    [oldImage, 'Warmed:Stopped'],
    [oldImage, 'Warmed:Stopped'],
  ]);
  await world.putVersion({ ImageId: newImage, InstanceType: 'm5.large' });
  await world.apply(world.groups.pointAt(AutoScalingGroupName, '2', never));
  await world.advance(5 * minute);
  expect((await world.describe()).warm).toEqual(before.warm);
  for (const { id } of before.warm) await world.apply(world.groups.discard(id, never));
  await world.apply(world.groups.discard('i-0000000000000dead', never));
  await world.advance(5 * minute);
  const { warm, instances } = await world.describe();
  expect(warm.map(({ imageId }) => imageId)).toEqual([newImage, newImage]);
  expect(instances).toEqual(before.instances);
});

for (const { fact, zone, instances } of [
  { fact: 'has no instance', zone: {}, instances: 0 },
  { fact: 'has none in one of its zones', zone: { zone: 'us-east-1c' }, instances: 3 },
]) {
  test(`ASG-13: a group that ${fact} tells why launches failed`, async () => {
    world.aws.faults.add({ kind: 'insufficient-capacity', ...zone });
    await world.putGroup();
    const short = await world.describe();
    expect(short.instances).toHaveLength(instances);
    expect(short.launchFailure).toMatch(/capacity/);
  });
}
