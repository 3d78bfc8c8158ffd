import { type EC2NodeClass, instant, type NodeClaim, nodewrightAnnotations, outOfCapacityText } from '@nodewright/apis';
import type { LaunchOutcome } from '@nodewright/ports';
import { beforeEach, describe, expect, test } from 'vitest';
import { aNodeClassOfAccount, anAwsAccount, never, resolvedIn } from '@nodewright/testkit/worlds';

function aWorld() {
  const { time, aws, machines, cloudWith } = anAwsAccount({ zones: 3 });
  return { time, aws, machines, start: cloudWith, cloud: cloudWith() };
}

const aClaim = (different: Partial<NodeClaim['spec']> = {}): NodeClaim => ({
  metadata: {
    name: 'default-abcde',
    uid: 'claim-uid',
    labels: { team: 'my-team', 'karpenter.sh/nodepool': 'default', 'node.kubernetes.io/instance-type': 'm5.large' },
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
    ...different,
  },
});

let world: ReturnType<typeof aWorld>;
beforeEach(async () => {
  world = aWorld();
  await world.aws.load();
});

const resolved = (nodeClass: EC2NodeClass): Promise<EC2NodeClass> => resolvedIn(world, nodeClass);

async function launch(
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  cloud = world.cloud,
  attempt = 1,
): Promise<LaunchOutcome> {
  return world.time.finish(
    (async () => {
      const instanceTypes = await cloud.instanceTypes.list(nodeClass, never);
      const images = nodeClass.status?.amis ?? [];
      return cloud.instances.launch({ claim, attempt, nodeClass, instanceTypes, images }, never);
    })(),
  );
}

describe('an EC2NodeClass', () => {
  test('finds the subnets, groups and images of its selectors, and gets a profile', async () => {
    const { status } = await resolved(aNodeClassOfAccount());
    expect(status?.subnets).toHaveLength(6);
    expect(status?.securityGroups).not.toEqual([]);
    expect(status?.amis?.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^amazon-eks-.*node-1\.28-v\d{8}$/),
      expect.stringMatching(/^amazon-eks-.*node-1\.28-v\d{8}$/),
    ]);
    expect(status?.instanceProfile).toMatch(/^demo_[0-9a-f]{20}$/);
  });

  test('is valid when EC2 would run it, and not with a tag that is ours or a profile that is not there', async () => {
    const validate = (nodeClass: EC2NodeClass) =>
      world.time.finish(world.cloud.nodeClasses.validate(nodeClass, [], never));
    const nodeClass = await resolved(aNodeClassOfAccount());
    expect(await validate(nodeClass)).toEqual({ kind: 'valid' });
    const tagged = { ...nodeClass, spec: { ...nodeClass.spec, tags: { 'karpenter.sh/nodepool': 'x' } } };
    expect(await validate(tagged)).toMatchObject({ kind: 'invalid', reason: 'TagValidationFailed' });
    const { role: _, ...spec } = nodeClass.spec;
    const unmanaged = {
      ...nodeClass,
      spec: { ...spec, instanceProfile: 'nope' },
      status: { ...nodeClass.status, instanceProfile: 'nope' },
    };
    expect(await validate(unmanaged)).toMatchObject({ kind: 'invalid', reason: 'InstanceProfileNotFound' });
  });

  test('learns the version of its control plane', async () => {
    expect(await world.time.finish(world.cloud.controlPlane.kubernetesVersion(never))).toBe('1.28');
  });

  test('finds the same Bottlerocket release for every variant', async () => {
    const query = { terms: [{ alias: 'bottlerocket@latest' }], kubernetesVersion: '1.29' };
    const { images } = await world.time.finish(world.cloud.nodeClasses.images(query, never));
    expect(new Set(images.map(({ variant }) => variant))).toContain('standard');
    expect(images.map(({ version }) => version)).not.toContain(undefined);
  });
});

describe('a launch', () => {
  test('buys the claim an instance that boots with its labels and taints', async () => {
    const outcome = await launch(aClaim(), await resolved(aNodeClassOfAccount()));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    expect(outcome.instance.capacityType).toBe('spot');
    expect(outcome.instance.tags).toMatchObject({
      'karpenter.sh/nodeclaim': 'default-abcde',
      'karpenter.sh/nodepool': 'default',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
      'eks:eks-cluster-name': 'demo',
      'kubernetes.io/cluster/demo': 'owned',
      intent: 'apps',
    });
    const [machine] = world.machines;
    expect(machine?.providerId).toBe(outcome.instance.providerId);
    expect(machine?.userData).toContain("/etc/eks/bootstrap.sh 'demo' --apiserver-endpoint 'https://cluster.invalid'");
    expect(machine?.userData).toContain('karpenter.sh/unregistered:NoExecute');
    expect(machine?.userData).toContain('team=my-team');
    expect(machine?.userData).not.toContain('node.kubernetes.io/instance-type');
  });

  test('keeps to the zone and capacity type that the claim asks for', async () => {
    const claim = aClaim({
      requirements: [
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] },
      ],
    });
    const outcome = await launch(claim, await resolved(aNodeClassOfAccount()));
    expect(outcome).toMatchObject({ kind: 'launched', instance: { zone: 'us-east-1b', capacityType: 'on-demand' } });
  });

  for (const zone of ['us-east-1a', 'us-east-1b', 'us-east-1c']) {
    test(`keeps to ${zone} when the claim names it under the beta label`, async () => {
      const claim = aClaim({
        requirements: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: [zone] }],
      });
      const outcome = await launch(claim, await resolved(aNodeClassOfAccount()));
      expect(outcome).toMatchObject({ kind: 'launched', instance: { zone } });
    });
  }

  test('repeated after a restart gives the same instance', async () => {
    const nodeClass = await resolved(aNodeClassOfAccount());
    const first = await launch(aClaim(), nodeClass);
    const second = await launch(aClaim(), nodeClass, world.start());
    expect(world.machines).toHaveLength(1);
    expect(second).toMatchObject({ instance: { id: world.machines[0]?.instanceId } });
    expect(first).toMatchObject({ instance: { id: world.machines[0]?.instanceId } });
  });

  test('with another number of the attempt is another launch', async () => {
    const nodeClass = await resolved(aNodeClassOfAccount());
    await launch(aClaim(), nodeClass);
    await launch(aClaim(), nodeClass, world.cloud, 2);
    expect(world.machines).toHaveLength(2);
  });

  test('puts what EC2 is out of aside for three minutes', async () => {
    const nodeClass = await resolved(aNodeClassOfAccount());
    const cloud = world.cloud;
    world.aws.faults.add({ kind: 'insufficient-capacity' });
    const outcome = await launch(aClaim(), nodeClass);
    if (outcome.kind !== 'insufficientCapacity') throw new Error(outcome.kind);
    const { outOf: [found] = [] } = outcome;
    const until = instant(world.time.clock.now() + 180_000);
    expect(found).toEqual({ until, instanceType: expect.any(String), zone: expect.any(String), capacityType: 'spot' });
    const isOut = async () =>
      (await world.time.finish(cloud.instanceTypes.list(nodeClass, never))).some(({ offerings }) =>
        offerings.some(({ available }) => !available),
      );
    expect(await isOut()).toBe(true);
    await world.time.run(instant(world.time.clock.now() + 181_000));
    expect(await isOut()).toBe(false);
  });

  test('believes what is written on the class to be out of capacity, for three minutes at most', async () => {
    const nodeClass = await resolved(aNodeClassOfAccount());
    const now = world.time.clock.now();
    const outUntil = async (until: number) => {
      const text = outOfCapacityText([
        { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot', until: instant(until) },
      ]);
      const annotations = { ...nodeClass.metadata.annotations, [nodewrightAnnotations.outOfCapacity]: text ?? '' };
      const told = { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
      const types = await world.time.finish(world.cloud.instanceTypes.list(told, never));
      return types.flatMap(({ name, offerings }) =>
        offerings.flatMap(({ zone, capacityType, shortage }) =>
          shortage?.until === undefined ? [] : [`${name} ${zone} ${capacityType}`],
        ),
      );
    };
    expect(await outUntil(now + 600_000)).toEqual([]);
    expect(await outUntil(now + 120_000)).toEqual(['m5.large us-east-1a spot']);
    await world.time.run(instant(now + 121_000));
    expect(await outUntil(now + 120_000)).toEqual([]);
  });
});

test('AWS that stays busy is an error of the port, after pauses on our clock', async () => {
  world.aws.faults.add({ kind: 'throttle', operation: 'DescribeInstances' });
  const before = world.time.clock.now();
  const listed = world.time.finish(world.cloud.instances.list(never));
  await expect(listed).rejects.toMatchObject({ name: 'CloudError', code: 'RequestLimitExceeded', retry: 'backOff' });
  expect(world.time.clock.now()).toBeGreaterThan(before + 600);
  expect(world.aws.calls().filter(({ operation }) => operation === 'DescribeInstances')).toHaveLength(4);
});

describe('an instance', () => {
  test('is described, listed, tagged and ended', async () => {
    const outcome = await launch(aClaim(), await resolved(aNodeClassOfAccount()));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    const { providerId } = outcome.instance;
    const { instances } = world.cloud;
    await world.time.finish(instances.tag(providerId, { Name: 'ip-1' }, never));
    const seen = await world.time.finish(instances.get(providerId, never));
    expect(seen).toMatchObject({ providerId, tags: { Name: 'ip-1' } });
    expect(await world.time.finish(instances.list(never))).toEqual([seen]);
    expect(await world.time.finish(instances.terminate(providerId, never))).toBe('terminating');
    await world.time.run(instant(world.time.clock.now() + 300_000));
    expect(await world.time.finish(instances.terminate(providerId, never))).toBe('gone');
    expect(await world.time.finish(instances.list(never))).toEqual([]);
    expect(await world.time.finish(instances.get('aws:///us-east-1a/i-0123456789abcdef0', never))).toBe(undefined);
  });

  test('is present, unknown to reads that lag, and in the end known to have ended', async () => {
    const outcome = await launch(aClaim(), await resolved(aNodeClassOfAccount()));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    const { providerId } = outcome.instance;
    const { instances } = world.cloud;
    const presence = (id = providerId) => world.time.finish(instances.checkPresence(id, never));
    expect(await presence()).toBe('present');
    world.aws.faults.add({ kind: 'stale-describes', lagMs: 600_000 });
    expect(await presence()).toBe('unknown');
    expect(await world.time.finish(instances.terminate(providerId, never))).toBe('unknown');
    world.aws.faults.clear();
    expect(await world.time.finish(instances.terminate(providerId, never))).toBe('terminating');
    await world.time.run(instant(world.time.clock.now() + 300_000));
    expect(await presence()).toBe('ended');
    expect(await world.time.finish(instances.get(providerId, never))).toBeUndefined();
    expect(await world.time.finish(instances.terminate(providerId, never))).toBe('gone');
    expect(await presence('aws:///us-east-1a/i-0123456789abcdef0')).toBe('unknown');
  });

  test('that was read once is known without asking again, until a listing misses it', async () => {
    const outcome = await launch(aClaim(), await resolved(aNodeClassOfAccount()));
    if (outcome.kind !== 'launched') throw new Error(outcome.message);
    const { providerId } = outcome.instance;
    const { instances } = world.cloud;
    const asked = () => world.aws.calls().filter(({ operation }) => operation === 'DescribeInstances').length;
    const seen = await world.time.finish(instances.lastSeen(providerId, never));
    const before = asked();
    expect(await world.time.finish(instances.lastSeen(providerId, never))).toBe(seen);
    expect(asked()).toBe(before);
    await world.time.finish(instances.terminate(providerId, never));
    await world.time.run(instant(world.time.clock.now() + 300_000));
    expect(await world.time.finish(instances.list(never))).toEqual([]);
    expect(await world.time.finish(instances.lastSeen(providerId, never))).toBe(undefined);
  });
});

test('everything made for an EC2NodeClass goes with it', async () => {
  const nodeClass = await resolved(aNodeClassOfAccount());
  await launch(aClaim(), nodeClass);
  await world.time.finish(world.cloud.nodeClasses.cleanUp(nodeClass, never));
  const leftover = world.aws.calls().filter(({ operation }) => operation.startsWith('Delete'));
  expect(leftover.map(({ operation }) => operation)).toContain('DeleteInstanceProfile');
  expect(leftover.map(({ operation }) => operation)).toContain('DeleteLaunchTemplate');
});

describe('images of an alias', () => {
  const find = (alias: string, minimumAgeDuration?: string) => {
    const term = { alias, ...(minimumAgeDuration === undefined ? {} : { minimumAgeDuration }) };
    const query = { terms: [term], kubernetesVersion: '1.28' };
    return world.time.finish(world.cloud.nodeClasses.images(query, never));
  };

  test('come with their history once a minimum age is asked for', async () => {
    const { images: newest } = await find('al2@latest');
    expect(newest.every(({ recommended }) => recommended)).toBe(true);
    world = aWorld();
    await world.aws.load();
    const { images: all } = await find('al2@latest', '10d');
    const standard = all.filter(({ arch, variant }) => arch === 'amd64' && variant === 'standard');
    expect(standard.length).toBeGreaterThan(1);
    expect(standard.filter(({ recommended }) => recommended)).toHaveLength(1);
    expect(standard.map(({ publishedAt }) => publishedAt)).not.toContain(undefined);
  });

  test('are one release when it is pinned, and none when it does not exist', async () => {
    const { images: newest } = await find('al2@latest');
    const version = newest[0]?.version;
    world = aWorld();
    await world.aws.load();
    const { images: pinned } = await find(`al2@${version}`);
    expect(new Set(pinned.map((image) => image.version))).toEqual(new Set([version]));
    expect(pinned.map(({ recommended }) => recommended)).not.toContain(true);
    world = aWorld();
    await world.aws.load();
    expect((await find('al2@v19990101')).images).toEqual([]);
  });
});

test('a run is the same to the byte, whoever runs it again', async () => {
  const run = async (): Promise<string> => {
    world = aWorld();
    await world.aws.load();
    world.aws.faults.add({ kind: 'throttle', operation: 'DescribeInstanceTypes', times: 2 });
    const nodeClass = await resolved(aNodeClassOfAccount());
    const claims = ['one', 'two', 'three'].map((name) => ({
      ...aClaim(),
      metadata: { ...aClaim().metadata, name, uid: name },
    }));
    for (const claim of claims) await launch(claim, nodeClass);
    return JSON.stringify(world.aws.calls());
  };
  expect(await run()).toBe(await run());
});
