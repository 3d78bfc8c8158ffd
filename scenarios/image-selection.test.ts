import {
  CopyImageCommand,
  CreateTagsCommand,
  DeregisterImageCommand,
  EnableImageDeprecationCommand,
} from '@aws-sdk/client-ec2';
import { UpdateClusterVersionCommand } from '@aws-sdk/client-eks';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { conditionOf, type EC2NodeClass } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import {
  clusterName,
  deploymentOf,
  imageWorld,
  nodeClassWith,
  nodePoolOf,
  type WorldTraits,
} from './support/image-world.ts';

/** Late in January 2024: 1.29 has one AL2 release, 1.28 many; Bottlerocket is at 1.18.0. */
const start = '2024-01-28T16:00:00Z';

type Terms = EC2NodeClass['spec']['amiSelectorTerms'];

async function aWorld(amiSelectorTerms: Terms, traits: Partial<WorldTraits & EC2NodeClass['spec']> = {}) {
  const { releases = [], kubernetesVersion = '1.29', ...spec } = traits;
  const world = await imageWorld({ start, kubernetesVersion, releases });
  await world.apply(nodeClassWith({ ...spec, amiSelectorTerms }), nodePoolOf(), deploymentOf(1));
  await world.pass(10);
  const ready = async () => {
    const nodeClass = await world.nodeClass();
    return nodeClass && conditionOf(nodeClass, 'AMIsReady');
  };
  return {
    ...world,
    ready,
    /** Ids of the images that nodes run. */
    images: async () => (await world.claims()).map(({ status }) => status?.imageID ?? 'none'),
    kubelets: async () =>
      (await world.nodes()).flatMap(({ metadata, status }) =>
        metadata.labels?.['karpenter.sh/nodepool'] === undefined ? [] : (status?.nodeInfo?.kubeletVersion ?? 'none'),
      ),
    async upgrade(version: string): Promise<void> {
      await world.call(({ eks }, options) =>
        eks.send(new UpdateClusterVersionCommand({ name: clusterName, version }), options),
      );
      await world.pass(25);
    },
  };
}

describe('a pin and an upgrade of the control plane', () => {
  test('the release stays, its image for the new minor follows', async () => {
    const world = await aWorld([{ alias: 'al2@v20240117' }], { kubernetesVersion: '1.28' });
    const [before] = await world.images();
    expect(await world.kubelets()).toEqual(['v1.28.5-eks-5e0fdde']);
    await world.upgrade('1.29');
    expect(await world.running()).toEqual(['v20240117']);
    expect(await world.kubelets()).toEqual(['v1.29.0-eks-5e0fdde']);
    expect(await world.images()).not.toEqual([before]);
    await world.end();
  });

  test('a release that the new minor never had is named, and nodes stay as they are', async () => {
    const world = await aWorld([{ alias: 'al2@v20231106' }], { kubernetesVersion: '1.28' });
    const before = await world.images();
    await world.upgrade('1.29');
    expect(await world.ready()).toMatchObject({ status: 'False', reason: 'AMINotFound' });
    expect((await world.ready())?.message).toContain('v20231106 was never published for Kubernetes 1.29');
    expect((await world.nodeClass())?.status?.amis).toBeUndefined();
    expect(await world.images()).toEqual(before);
    await world.end();
  });
});

/** One build of AL2 for one architecture, published some hours from the start. */
const build = (arch: 'amd64' | 'arm64', publishedAt: string) => ({
  family: 'AL2',
  variant: 'standard',
  arch,
  kubernetesVersion: '1.29',
  version: 'v20240128',
  imageId: arch === 'amd64' ? 'ami-0a0a0a0a0a0a0a0a1' : 'ami-0a0a0a0a0a0a0a0a2',
  name: `amazon-eks-${arch === 'arm64' ? 'arm64-' : ''}node-1.29-v20240128`,
  createdAt: '2024-01-28T06:00:00Z',
  publishedAt,
});

test('a release that comes to arm64 later matures there later: each architecture has its own', async () => {
  const releases = [build('amd64', '2024-01-28T17:00:00Z'), build('arm64', '2024-01-28T19:00:00Z')];
  const world = await aWorld([{ alias: 'al2@latest', minimumAgeDuration: '1h' }], { releases });
  const before = await world.selected();
  await world.until('2024-01-28T17:59:59Z');
  expect(await world.selected()).toEqual(before);
  await world.until('2024-01-28T18:00:01Z');
  expect(await world.selected()).toEqual({ ...before, amd64: 'ami-0a0a0a0a0a0a0a0a1' });
  await world.until('2024-01-28T20:00:01Z');
  expect(await world.selected()).toEqual({ amd64: 'ami-0a0a0a0a0a0a0a0a1', arm64: 'ami-0a0a0a0a0a0a0a0a2' });
  await world.end();
});

test('a withdrawal that only moves the pointer back takes nodes back, though the image stays', async () => {
  const world = await aWorld([{ alias: 'al2@latest' }], { releases: [build('amd64', '2024-01-28T15:00:00Z')] });
  expect(await world.running()).toEqual(['v20240128']);
  world.aws.releases.recall({ version: 'v20240128' }, world.time.clock.now());
  await world.pass(15);
  expect(await world.running()).toEqual(['v20240117']);
  await world.apply(nodeClassWith({ amiSelectorTerms: [{ alias: 'al2@v20240128' }] }));
  await world.pass(15);
  expect(await world.running()).toEqual(['v20240128']);
  await world.end();
});

test('a Bottlerocket release counts from its long version, and is launched once it has its short one', async () => {
  const release = {
    family: 'Bottlerocket',
    variant: 'standard',
    arch: 'amd64',
    kubernetesVersion: '1.29',
    version: '1.18.1',
    imageId: 'ami-0b0b0b0b0b0b0b0b1',
    name: 'bottlerocket-aws-k8s-1.29-x86_64-v1.18.1-0a1b2c3d',
    createdAt: '2024-01-28T06:00:00Z',
    publishedAt: '2024-01-28T16:30:00Z',
    promotedAt: '2024-01-28T20:00:00Z',
  };
  const world = await aWorld([{ alias: 'bottlerocket@latest', minimumAgeDuration: '2h' }], { releases: [release] });
  await world.until('2024-01-28T19:59:59Z');
  expect(await world.running()).toEqual(['1.18.0']);
  // Nothing has happened for hours: images are looked for every twelve minutes.
  await world.until('2024-01-28T20:12:30Z');
  expect((await world.selected())['amd64']).toBe(release.imageId);
  await world.end();
});

describe('images of the account itself', () => {
  const owned: Terms = [{ tags: { team: 'a' }, owner: 'self' }];

  /** A copy of the present AL2 image, under a name of its own. */
  const copied = async (world: Awaited<ReturnType<typeof aWorld>>, Name: string): Promise<string> => {
    const [source] = world.aws.releases
      .list({ family: 'AL2', version: 'v20240117', kubernetesVersion: '1.29' })
      .filter(({ arch, variant }) => arch === 'amd64' && variant === 'standard');
    const { ImageId = '' } = await world.call(({ ec2 }, options) =>
      ec2.send(new CopyImageCommand({ Name, SourceImageId: source?.imageId, SourceRegion: 'us-east-1' }), options),
    );
    const Tags = [{ Key: 'team', Value: 'a' }];
    await world.call(({ ec2 }, options) => ec2.send(new CreateTagsCommand({ Resources: [ImageId], Tags }), options));
    return ImageId;
  };

  test('are selected by their tags, the newest first, and a healthy one before a deprecated one', async () => {
    const world = await aWorld(owned, { amiFamily: 'AL2' });
    expect((await world.ready())?.message).toContain('tags {"team":"a"}: no image is tagged so');
    const first = await copied(world, 'golden-1');
    await world.pass(10);
    expect(await world.images()).toEqual([first]);
    const second = await copied(world, 'golden-2');
    await world.pass(15);
    expect(await world.images()).toEqual([second]);
    const DeprecateAt = new Date(world.time.clock.now() + 60_000);
    await world.call(({ ec2 }, options) =>
      ec2.send(new EnableImageDeprecationCommand({ ImageId: second, DeprecateAt }), options),
    );
    await world.pass(20);
    expect(await world.images()).toEqual([first]);
    await world.end();
  });

  test('that are deregistered leave their nodes alone', async () => {
    const world = await aWorld(owned, { amiFamily: 'AL2' });
    const ImageId = await copied(world, 'golden');
    await world.pass(10);
    await world.call(({ ec2 }, options) => ec2.send(new DeregisterImageCommand({ ImageId }), options));
    await world.pass(30);
    expect(await world.images()).toEqual([ImageId]);
    expect(await world.ready()).toMatchObject({ status: 'False', reason: 'AMINotFound' });
    await world.end();
  });

  test('are followed by a parameter of the account, by its name or its ARN', async () => {
    const world = await aWorld([{ ssmParameter: '/golden' }], { amiFamily: 'AL2' });
    const images = [await copied(world, 'golden-1'), await copied(world, 'golden-2')];
    for (const [at, Value] of images.entries()) {
      const parameter = { Name: '/golden', Value, Type: 'String', Overwrite: at > 0 } as const;
      await world.call(({ ssm }, options) => ssm.send(new PutParameterCommand(parameter), options));
      await world.pass(20);
      expect(await world.images()).toEqual([Value]);
    }
    const arn = 'arn:aws:ssm:us-east-1:111122223333:parameter/golden';
    await world.apply(nodeClassWith({ amiFamily: 'AL2', amiSelectorTerms: [{ ssmParameter: arn }] }));
    await world.pass(20);
    expect([await world.images(), (await world.ready())?.status]).toEqual([images.slice(1), 'True']);
    await world.end();
  });
});

test('images of FIPS kind, which no alias reaches, are launched by their parameter', async () => {
  const tree = '/aws/service/bottlerocket/aws-k8s-1.31-fips/x86_64/latest/image_id';
  const world = await imageWorld({ start: '2025-02-02T12:00:00Z', kubernetesVersion: '1.31' });
  const nodeClass = nodeClassWith({ amiFamily: 'Bottlerocket', amiSelectorTerms: [{ ssmParameter: tree }] });
  await world.apply(nodeClass, nodePoolOf(), deploymentOf(1));
  await world.pass(10);
  const [node] = (await world.nodes()).filter(({ metadata: { labels } }) => labels?.['karpenter.sh/initialized']);
  expect(node?.status?.nodeInfo?.osImage).toMatch(/^Bottlerocket OS .* \(aws-k8s-1\.31-fips\)$/);
  await world.end();
});
