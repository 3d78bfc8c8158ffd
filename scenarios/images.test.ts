import { conditionOf, nodewrightAnnotations } from '@nodewright/apis';
import type { AwsCall } from '@nodewright/aws-endpoints';
import { describe, expect, test } from 'vitest';
import { deploymentOf, imageWorld, nodeClassWith, nodePoolOf } from './support/image-world.ts';

/** AL2 releases of 1.29 came out on 23 January, 1 and 6 February 2024, at 18:00. */
const old = 'v20240117';
const young = 'v20240129';

const baked = (minimumAgeDuration: string) =>
  nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest', minimumAgeDuration }] });

type World = Awaited<ReturnType<typeof imageWorld>>;

const ready = async (world: World) => {
  const nodeClass = await world.nodeClass();
  return nodeClass && conditionOf(nodeClass, 'AMIsReady');
};

async function worldWith(nodeClass = baked('3d'), start = '2024-02-02T12:00:00Z', replicas = 1): Promise<World> {
  const world = await imageWorld({ start });
  await world.apply(nodeClass, nodePoolOf(), deploymentOf(replicas));
  await world.pass(10);
  return world;
}

const isLaunch = ({ operation, input }: AwsCall): boolean =>
  operation === 'CreateFleet' && (input as { readonly DryRun?: boolean }).DryRun !== true;

describe('a release that is too young', () => {
  test('is launched by nobody: not for new pods, not for a deleted node or claim, not for drift', async () => {
    const world = await worldWith();
    expect(await world.running()).toEqual([old]);

    await world.apply(deploymentOf(2));
    await world.pass(10);
    expect(await world.running()).toEqual([old, old]);

    const [node] = (await world.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']);
    if (node !== undefined) await world.delete({ ...node, kind: 'Node', apiVersion: 'v1' });
    await world.pass(10);
    const [claim] = await world.claims();
    if (claim !== undefined) await world.delete({ ...claim, kind: 'NodeClaim', apiVersion: 'karpenter.sh/v1' });
    await world.pass(10);
    expect(await world.running()).toEqual([old, old]);

    const { spec } = nodePoolOf();
    const changed = { ...spec.template, metadata: { labels: { team: 'b' } } };
    await world.apply({ ...nodePoolOf(), spec: { ...spec, template: changed } });
    await world.pass(15);
    expect(await world.running()).toEqual([old, old]);
    expect(world.launched().length).toBeGreaterThanOrEqual(6);
    expect(new Set(world.launched())).toEqual(new Set([old]));
    await world.end();
  });

  test('is selected at the very instant at which it is old enough, and nodes drift to it', async () => {
    const world = await worldWith(baked('3d'), '2024-02-04T16:00:00Z');
    await world.until('2024-02-04T17:59:59Z');
    const before = await world.nodeClass();
    expect(world.releaseOf(before?.status?.amis?.[0]?.id)?.version).toBe(old);
    expect(before?.metadata.annotations?.[nodewrightAnnotations.decisionValidUntil]).toBe('2024-02-04T18:00:00Z');
    await world.until('2024-02-04T18:00:01Z');
    const after = await world.nodeClass();
    expect(world.releaseOf(after?.status?.amis?.[0]?.id)?.version).toBe(young);
    await world.pass(10);
    expect(await world.running()).toEqual([young]);
    await world.pass(60);
    expect(world.aws.calls().filter(isLaunch)).toHaveLength(2);
    await world.end();
  });

  test('stays unselected where the bake time is an annotation', async () => {
    const nodeClass = nodeClassWith(
      { amiSelectorTerms: [{ alias: 'al2@latest' }] },
      { [nodewrightAnnotations.minimumAgeDuration]: '3d' },
    );
    const world = await worldWith(nodeClass);
    expect(await world.running()).toEqual([old]);
    await world.end();
  });

  test('leaves running nodes alone when the minimum is raised beyond every release', async () => {
    const world = await worldWith();
    await world.apply(baked('30d'));
    await world.pass(30);
    expect(await world.running()).toEqual([old]);
    expect(await ready(world)).toMatchObject({ status: 'False', reason: 'AMINotFound' });
    expect((await ready(world))?.message).toContain('the first is old enough at 2024-02-22T18:00:00Z');
    expect((await world.nodeClass())?.status?.amis).toBeUndefined();
    await world.end();
  });
});

describe('a withdrawn release', () => {
  test('that was pinned is told as withdrawn, now and later, with the nearest one that is there', async () => {
    const world = await worldWith(nodeClassWith({ amiSelectorTerms: [{ alias: `al2@${young}` }] }));
    expect(await world.running()).toEqual([young]);
    world.aws.releases.withdraw({ family: 'AL2', version: young }, world.time.clock.now());
    for (const minutes of [3, 30]) {
      await world.pass(minutes);
      expect((await ready(world))?.message).toContain(
        `${young} was published for Kubernetes 1.29, and has been withdrawn since; the nearest published: al2@${old};`,
      );
    }
    await world.end();
  });

  test('that is to come is told so, with the newest one that is there', async () => {
    const world = await worldWith(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@v20240807' }] }));
    expect((await ready(world))?.message).toContain(
      `v20240807 is not published for Kubernetes 1.29 yet: its date is still to come; the nearest published: al2@${young};`,
    );
    await world.end();
  });

  test('is not launched after a refresh, and its nodes go back', async () => {
    const world = await worldWith(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@latest' }] }));
    expect(await world.running()).toEqual([young]);
    world.aws.releases.withdraw({ family: 'AL2', version: young }, world.time.clock.now());
    await world.pass(2);
    expect(world.releaseOf((await world.nodeClass())?.status?.amis?.[0]?.id)?.version).toBe(old);
    await world.pass(10);
    expect(await world.running()).toEqual([old]);
    await world.end();
  });
});

describe('bad input', () => {
  for (const { fact, terms, annotations, reason, message } of [
    {
      fact: 'a release that was never published',
      terms: [{ alias: 'al2@v20240118' }],
      reason: 'AMINotFound',
      message: 'spec.amiSelectorTerms[0].alias "al2@v20240118": v20240118 was never published for Kubernetes 1.29',
    },
    {
      fact: 'an alias with a second @',
      terms: [{ alias: 'al2@v20240117@x' }],
      reason: 'UnsupportedAlias',
      message: 'must be family@version, such as al2@v20240625',
    },
    {
      fact: 'an annotation that is no age',
      terms: [{ alias: 'al2@latest' }],
      annotations: { [nodewrightAnnotations.minimumAgeDuration]: '10x' },
      reason: 'InvalidMinimumAge',
      message: '"10x": must be an age such as 10d, 2w or 36h',
    },
  ]) {
    test(`${fact} is told by a condition, and nodes that run stay`, async () => {
      const world = await worldWith();
      const before = (await world.claims()).map(({ metadata }) => metadata.name);
      await world.apply(nodeClassWith({ amiSelectorTerms: terms }, annotations));
      await world.pass(20);
      expect(await ready(world)).toMatchObject({ status: 'False', reason });
      expect((await ready(world))?.message).toContain(message);
      expect((await world.claims()).map(({ metadata }) => metadata.name)).toEqual(before);
      await world.end();
    });
  }

  for (const { terms, because } of [
    { terms: [{ alias: 'al7@latest' }], because: /family/ },
    { terms: [{ alias: 'al2@latest' }, { id: 'ami-123' }], because: /alias/ },
    { terms: [{ id: 'ami-123', name: 'x' }], because: /id/ },
    { terms: [{ alias: 'al2@latest', minimumAgeDuration: '10x' }], because: /minimumAgeDuration/ },
    { terms: [{ alias: 'al2@latest', minimumAgeDuration: '-1d' }], because: /minimumAgeDuration/ },
    { terms: [{ name: 'x', owner: 123_456_789 as unknown as string }], because: /owner/ },
  ]) {
    test(`${JSON.stringify(terms)} is refused`, async () => {
      const world = await imageWorld({ start: '2024-02-02T12:00:00Z' });
      await expect(world.apply(nodeClassWith({ amiFamily: 'AL2', amiSelectorTerms: terms }))).rejects.toThrow(because);
      await world.end();
    });
  }
});

test('a failed lookup drifts nothing', async () => {
  const world = await worldWith();
  const before = (await world.claims()).map(({ metadata }) => metadata.name);
  world.aws.faults.add({ kind: 'throttle', service: 'ssm' });
  world.aws.faults.add({ kind: 'throttle', service: 'ec2', operation: 'DescribeImages' });
  await world.pass(60);
  expect((await world.claims()).map(({ metadata }) => metadata.name)).toEqual(before);
  expect(await ready(world)).toMatchObject({ status: 'True' });
  await world.end();
});

test('plain Amazon Linux, taken for an EKS image by its name, is told in words', async () => {
  const name = 'al2023-ami-2023.3.20240219.0-kernel-6.1-x86_64';
  const world = await worldWith(
    nodeClassWith({ amiFamily: 'AL2023', amiSelectorTerms: [{ name }] }),
    '2024-03-01T12:00:00Z',
  );
  const condition = await ready(world);
  expect(condition?.status).toBe('True');
  expect(condition?.message).toContain('plain Amazon Linux, not an EKS image');
  await world.end();
});

test('v1beta1 classes of family Ubuntu get nodes of the current Ubuntu release', async () => {
  const world = await imageWorld({ start: '2024-02-02T12:00:00Z' });
  const { metadata, spec } = nodeClassWith({ amiSelectorTerms: [] });
  const { amiSelectorTerms: _, ...others } = spec;
  await world.apply(
    {
      apiVersion: 'karpenter.k8s.aws/v1beta1',
      kind: 'EC2NodeClass',
      metadata,
      spec: { ...others, amiFamily: 'Ubuntu' },
    },
    nodePoolOf(),
    deploymentOf(1),
  );
  await world.pass(10);
  const [claim] = await world.claims();
  const newest = world.aws.releases
    .list({ family: 'Ubuntu', arch: 'amd64', kubernetesVersion: '1.29' })
    .find(({ publishedAt }) => publishedAt <= '2024-02-02T12:00:00Z');
  expect(claim?.status?.imageID).toBe(newest?.imageId);
  const [node] = (await world.nodes()).filter(({ metadata: { labels } }) => labels?.['karpenter.sh/nodepool']);
  expect(node?.status?.nodeInfo?.osImage).toBe('Ubuntu 20.04.6 LTS');
  await world.end();
});

for (const { alias, os, osImage, types, start, kubernetesVersion, selector } of [
  {
    alias: 'windows2022@latest',
    os: 'windows',
    osImage: 'Windows Server 2022 Datacenter',
    types: ['m5.large'],
    start: '2024-02-02T12:00:00Z',
    kubernetesVersion: '1.29',
    selector: {},
  },
  {
    alias: 'al2@latest',
    os: 'linux',
    osImage: 'Amazon Linux 2',
    types: ['g4dn.xlarge'],
    start: '2024-02-02T12:00:00Z',
    kubernetesVersion: '1.29',
    selector: {},
  },
  {
    alias: 'al2023@latest',
    os: 'linux',
    osImage: /^Amazon Linux 2023/,
    types: ['inf2.xlarge'],
    start: '2025-02-02T12:00:00Z',
    kubernetesVersion: '1.31',
    selector: {},
  },
  {
    alias: 'bottlerocket@v1.18.0',
    os: 'linux',
    osImage: 'Bottlerocket OS 1.18.0 (aws-k8s-1.29)',
    types: ['trn1.2xlarge'],
    start: '2024-02-02T12:00:00Z',
    kubernetesVersion: '1.29',
    selector: {},
  },
] as const) {
  test(`${alias} gives a node of type ${types.join()}`, async () => {
    const world = await imageWorld({ start, kubernetesVersion });
    await world.apply(
      nodeClassWith({ amiSelectorTerms: [{ alias }] }),
      nodePoolOf(types, os),
      deploymentOf(1, { ...selector, 'kubernetes.io/os': os }),
    );
    await world.pass(15);
    const [node] = (await world.nodes()).filter(({ metadata: { labels } }) => labels?.['karpenter.sh/nodepool']);
    expect(node?.status?.nodeInfo?.osImage).toMatch(osImage);
    expect(node?.metadata.labels?.['karpenter.sh/initialized']).toBe('true');
    await world.end();
  });
}
