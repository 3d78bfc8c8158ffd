import { type EC2NodeClass, instant, type NodePool } from '@nodewright/apis';
import { buildNodeClassImageQuery } from '@nodewright/engine';
import { beforeEach, describe, expect, test } from 'vitest';
import { anAwsAccount, clusterName, never } from '@nodewright/testkit/worlds';

const minute = 60_000;

function aWorld() {
  const { time, aws, cloudWith } = anAwsAccount();
  const cloud = cloudWith();
  const validate = (nodeClass: EC2NodeClass, pools: readonly NodePool[] = [], asked = cloud) =>
    time.finish(asked.nodeClasses.validate(nodeClass, pools, never));
  const tried = (operation: string) => aws.calls().filter((call) => call.operation === operation);
  return { time, aws, cloud, cloudWith, validate, tried };
}

const byTag = [{ tags: { 'alpha.eksctl.io/cluster-name': clusterName } }];
const aNodeClass = (spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass => ({
  metadata: { name: 'default', uid: 'class-uid', generation: 1 },
  spec: {
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    role: `karpenterNodeRole-${clusterName}`,
    subnetSelectorTerms: byTag,
    securityGroupSelectorTerms: byTag,
    ...spec,
  },
});

type Requirements = NonNullable<NodePool['spec']['template']['spec']['requirements']>;
const aPool = (...requirements: Requirements): NodePool => ({
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
    },
  },
});

let world: ReturnType<typeof aWorld>;
beforeEach(async () => {
  world = aWorld();
  await world.aws.load();
});

/** The NodeClass as its controller would leave it. */
async function resolved(nodeClass: EC2NodeClass): Promise<EC2NodeClass> {
  const { nodeClasses } = world.cloud;
  const [subnets, securityGroups, found] = await world.time.finish(
    Promise.all([
      nodeClasses.subnets(nodeClass, never),
      nodeClasses.securityGroups(nodeClass, never),
      nodeClasses.images(buildNodeClassImageQuery(nodeClass, '1.28'), never),
    ]),
  );
  const instanceProfile =
    nodeClass.spec.instanceProfile ?? (await world.time.finish(nodeClasses.ensureInstanceProfile(nodeClass, never)));
  const amis = found.images
    .filter(({ variant }) => variant === 'standard')
    .map(({ id, name, arch }) => ({
      id,
      name,
      requirements: [{ key: 'kubernetes.io/arch', operator: 'In' as const, values: [arch] }],
    }));
  const zoned = subnets.map(({ id, zone, zoneId }) => ({ id, zone, zoneID: zoneId }));
  return { ...nodeClass, status: { subnets: zoned, securityGroups, amis, instanceProfile } };
}

describe('a launch is tried', () => {
  test('with a template that stays until the class goes, a fleet and an instance, and nothing is launched', async () => {
    const nodeClass = await resolved(aNodeClass());
    expect(await world.validate(nodeClass)).toEqual({ kind: 'valid' });
    expect(world.aws.ec2.templates.all()).toHaveLength(1);
    expect(world.tried('CreateFleet')).toHaveLength(1);
    expect(world.tried('RunInstances')).toHaveLength(1);
    expect(world.aws.ec2.instances.all()).toEqual([]);
    await world.time.finish(world.cloud.nodeClasses.cleanUp(nodeClass, never));
    expect(world.aws.ec2.templates.all()).toEqual([]);
  });

  test('once in half an hour, and again when an annotation changes or the class was deleted meanwhile', async () => {
    const nodeClass = await resolved(aNodeClass());
    const asked = async (object: EC2NodeClass): Promise<number> => {
      await world.validate(object);
      return world.tried('RunInstances').length;
    };
    expect([await asked(nodeClass), await asked(nodeClass)]).toEqual([1, 1]);
    await world.time.run(instant(world.time.clock.now() + 31 * minute));
    expect(await asked(nodeClass)).toBe(2);
    const annotated = { ...nodeClass, metadata: { ...nodeClass.metadata, annotations: { again: 'please' } } };
    expect([await asked(annotated), await asked(annotated)]).toEqual([3, 3]);
    await world.time.finish(world.cloud.nodeClasses.cleanUp(nodeClass, never));
    expect(await asked(nodeClass)).toBeGreaterThan(3);
  });

  test('whose template goes when others have been used for two minutes', async () => {
    const first = await resolved(aNodeClass());
    await world.validate(first);
    const names = () => world.aws.ec2.templates.all().map(({ name }) => name);
    const [old] = names();
    const changed = { ...first, spec: { ...first.spec, userData: 'true' } };
    await world.validate(changed);
    expect(names()).toHaveLength(2);
    await world.time.run(instant(world.time.clock.now() + 31 * minute));
    await world.validate(changed);
    expect(names()).toHaveLength(1);
    expect(names()).not.toContain(old);
  });

  test('never when dry runs are disabled', async () => {
    const nodeClass = await resolved(aNodeClass());
    expect(await world.validate(nodeClass, [], world.cloudWith({ dryRun: false }))).toEqual({ kind: 'valid' });
    expect(world.aws.ec2.templates.all()).toEqual([]);
  });

  const typeTried = (): unknown => {
    const [call] = world.tried('RunInstances');
    return (call?.input as { readonly InstanceType?: string } | undefined)?.InstanceType;
  };
  const cpus = (values: string[]) => ({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'In' as const, values });
  const family = (values: string[]) => ({ key: 'karpenter.k8s.aws/instance-family', operator: 'In' as const, values });
  const tenancy = { key: 'karpenter.k8s.aws/instance-tenancy', operator: 'In' as const, values: ['dedicated'] };
  test.each([
    { fact: 'a common type without a NodePool', pools: [], type: /^m[56]g?\.large$/ },
    { fact: 'a type that a NodePool may get', pools: [aPool(family(['r5']), cpus(['4']))], type: /^r5\.xlarge$/ },
    { fact: 'a common type when no NodePool can get any', pools: [aPool(family(['none']))], type: /^m[56]g?\.large$/ },
    { fact: 'an accelerated type when there is no other', pools: [aPool(family(['g4dn']))], type: /^g4dn\./ },
  ])('with $fact', async ({ pools, type }) => {
    await world.validate(await resolved(aNodeClass()), pools);
    expect(typeTried()).toMatch(type);
  });

  test.each([
    { pools: [], expected: 'default' },
    { pools: [aPool()], expected: 'default' },
    { pools: [aPool(), aPool(tenancy)], expected: 'dedicated' },
  ])('on $expected hardware', async ({ pools, expected }) => {
    await world.validate(await resolved(aNodeClass()), pools);
    const [call] = world.tried('RunInstances');
    expect((call?.input as { readonly Placement?: unknown } | undefined)?.Placement).toEqual({ Tenancy: expected });
  });
});

describe('what EC2 answers becomes a reason', () => {
  const denied = 'You are not authorized: an explicit deny in a service control policy';
  test.each(['CreateLaunchTemplate', 'CreateFleet', 'RunInstances'])('%s is not allowed', async (operation) => {
    world.aws.faults.add({ kind: 'refusal', operation, code: 'UnauthorizedOperation', message: denied });
    expect(await world.validate(await resolved(aNodeClass()))).toEqual({
      kind: 'invalid',
      reason: `${operation}AuthCheckFailed`,
      message: `Controller isn't authorized to call ec2:${operation}: ${denied}`,
    });
  });

  test.each(['CreateFleet', 'RunInstances'])('%s is throttled: it is asked once, and soon again', async (operation) => {
    const nodeClass = await resolved(aNodeClass());
    world.aws.faults.add({ kind: 'throttle', operation });
    expect(await world.validate(nodeClass)).toEqual({ kind: 'retry' });
    const asked = world.tried(operation).length;
    expect(asked).toBe(operation === 'CreateFleet' ? 1 : (nodeClass.status?.subnets ?? []).length);
    world.aws.faults.clear();
    expect(await world.validate(nodeClass)).toEqual({ kind: 'valid' });
  });

  test('one subnet that would do is enough', async () => {
    world.aws.faults.add({ kind: 'refusal', operation: 'RunInstances', code: 'InternalError', times: 1 });
    expect(await world.validate(await resolved(aNodeClass()))).toEqual({ kind: 'valid' });
    expect(world.tried('RunInstances')).toHaveLength(2);
  });

  test('a profile that is not there is told, unless it is ours and may just be new', async () => {
    const { role: _, ...spec } = aNodeClass().spec;
    const own = await resolved({ ...aNodeClass(), spec: { ...spec, instanceProfile: 'nope' } });
    const missing = { kind: 'invalid', reason: 'InstanceProfileNotFound' };
    expect(await world.validate(own)).toMatchObject(missing);
    expect(await world.validate(own)).toMatchObject(missing);
    expect(world.tried('RunInstances').length).toBeGreaterThan(1);
    const managed = await resolved(aNodeClass());
    const lost = { ...managed, status: { ...managed.status, instanceProfile: 'lost' } };
    expect(await world.validate(lost)).toEqual({ kind: 'retry' });
  });

  test.each([
    { fact: 'is too long', userData: `#!/bin/bash\n# ${'x'.repeat(17_000)}`, reason: 'UserDataSizeLimitExceeded' },
    { fact: 'fits', userData: '#!/bin/bash\ntrue', reason: undefined },
  ])('user data that $fact', async ({ userData, reason }) => {
    const verdict = await world.validate(await resolved(aNodeClass({ userData })));
    expect(verdict.kind === 'invalid' ? verdict.reason : undefined).toBe(reason);
  });

  test('user data that is not of its family', async () => {
    const nodeClass = aNodeClass({ amiSelectorTerms: [{ alias: 'bottlerocket@latest' }], userData: '[settings' });
    expect(await world.validate(await resolved(nodeClass))).toMatchObject({
      kind: 'invalid',
      reason: 'InvalidUserData',
    });
  });
});

describe('what is wrong with the class itself is told before EC2 is asked', () => {
  test.each([
    {
      spec: { kubelet: { maxPod: 110 } },
      reason: 'InvalidKubeletConfiguration',
      told: 'spec.kubelet.maxPod is no field of a KubeletConfiguration',
    },
    {
      spec: { kubelet: { maxPods: 'max_pods - 2' } },
      reason: 'KubeletExpressionsDisabled',
      told: 'spec.kubelet.maxPods is "max_pods - 2", wanted a whole number',
    },
    {
      spec: { kubelet: { kubeReserved: { cpu: 'much' } } },
      reason: 'KubeletExpressionsDisabled',
      told: 'spec.kubelet.kubeReserved[cpu] is "much", wanted a quantity',
    },
    {
      spec: { kubelet: { topologyManagerPolicy: 'best-effort' } },
      reason: 'UnsupportedKubeletConfiguration',
      told: 'spec.kubelet.topologyManagerPolicy is not supported by AL2',
    },
    {
      spec: { kubelet: { clusterDNS: ['10.0.0.10', '10.0.0.11'] } },
      reason: 'UnsupportedKubeletConfiguration',
      told: 'spec.kubelet.clusterDNS has 2 addresses, AL2 takes one',
    },
    {
      spec: { kubelet: { podsPerCore: 4 }, amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] },
      reason: 'UnsupportedKubeletConfiguration',
      told: 'spec.kubelet.podsPerCore is not supported by Bottlerocket',
    },
    {
      spec: { tags: { 'karpenter.sh/nodepool': 'x' } },
      reason: 'TagValidationFailed',
      told: '"karpenter.sh/nodepool" tag does not pass tag validation requirements',
    },
  ])('$told', async ({ spec, reason, told }) => {
    const verdict = await world.validate(await resolved(aNodeClass(spec)));
    expect(verdict).toMatchObject({ kind: 'invalid', reason, message: expect.stringContaining(told) });
    expect(world.tried('RunInstances')).toEqual([]);
  });

  test.each([
    { kubelet: { topologyManagerPolicy: 'best-effort' }, amiSelectorTerms: [{ alias: 'al2023@latest' }] },
    { kubelet: { maxPods: 110, clusterDNS: ['10.0.0.10'], podsPerCore: 4 } },
  ])('%j is fine', async (spec) => {
    expect(await world.validate(await resolved(aNodeClass(spec)))).toEqual({ kind: 'valid' });
  });
});

describe('with the gate NodeClassCEL', () => {
  const withGate = () => world.cloudWith({ nodeClassCel: true });
  const al2023 = [{ alias: 'al2023@latest' }];

  test.each([
    [{ maxPods: 'min(110, vcpus * 20)' }],
    [{ maxPods: 'max_pods', kubeReserved: { cpu: 'vcpus * 30', memory: '1Gi' }, systemReserved: { pid: 'vcpus' } }],
    [{ maxPods: 110 }],
  ])('%j is fine', async (kubelet) => {
    const nodeClass = await resolved(aNodeClass({ kubelet, amiSelectorTerms: al2023 }));
    expect(await world.validate(nodeClass, [], withGate())).toEqual({ kind: 'valid' });
  });

  test.each([
    [
      { maxPods: 'cores * 2' },
      'KubeletExpressionInvalid',
      'spec.kubelet.maxPods is "cores * 2": Unknown variable: cores',
    ],
    [
      { kubeReserved: { cpu: 'much' }, systemReserved: { memory: '1 +' } },
      'KubeletExpressionInvalid',
      'spec.kubelet.kubeReserved[cpu] is "much": Unknown variable: much; spec.kubelet.systemReserved[memory] is "1 +": ',
    ],
    [
      { maxPods: '100 / (vcpus - 16)' },
      'KubeletExpressionEvaluationFailed',
      'spec.kubelet.maxPods is "100 / (vcpus - 16)": ',
    ],
    [
      { maxPods: '2147483640 + vcpus' },
      'KubeletExpressionEvaluationFailed',
      'spec.kubelet.maxPods is "2147483640 + vcpus": it gives 2147483648, wanted 0 to 2147483647 (instance type c5.2xlarge)',
    ],
    [
      { kubeReserved: { memory: '4096 - memory_mib' } },
      'KubeletExpressionEvaluationFailed',
      'spec.kubelet.kubeReserved[memory] is "4096 - memory_mib": it gives -12288, wanted 0 or more (instance type c5.2xlarge)',
    ],
  ])('%j is not', async (kubelet, reason, told) => {
    const nodeClass = await resolved(aNodeClass({ kubelet, amiSelectorTerms: al2023 }));
    const verdict = await world.validate(nodeClass, [], withGate());
    expect(verdict).toMatchObject({ kind: 'invalid', reason, message: expect.stringContaining(told) });
  });

  test('without it the condition says which setting turns it on', async () => {
    const nodeClass = await resolved(aNodeClass({ kubelet: { maxPods: 'vcpus' }, amiSelectorTerms: al2023 }));
    expect(await world.validate(nodeClass)).toMatchObject({
      reason: 'KubeletExpressionsDisabled',
      message: expect.stringContaining('NodeClassCEL=true in AWS_FEATURE_GATES, and the gate is off'),
    });
  });
});
