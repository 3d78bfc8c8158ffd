import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  conditionOf,
  type EC2NodeClass,
  ec2NodeClasses,
  type KubernetesObject,
  nodePools,
  rewriteToV1,
  type RewriteOptions,
} from '@nodewright/apis';
import { parseManifests } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { clusterName, imageWorld } from './support/image-world.ts';

type Manifest = KubernetesObject & { readonly spec: object };

const text = (path: string): string => readFileSync(join(import.meta.dirname, '../examples', path), 'utf8');
const example = (path: string): readonly Manifest[] => parseManifests(text(path)) as readonly Manifest[];

/** As `nodewright convert` would give it. */
function converted(written: string, options: RewriteOptions = {}): readonly Manifest[] {
  const outcomes = rewriteToV1(parseManifests(written), { clusterName, ...options });
  return outcomes.flatMap((outcome) => ('object' in outcome ? [outcome.object as Manifest] : []));
}

/** What the images of a NodeClass have come to some minutes after it was applied. */
async function imagesOf(
  manifests: readonly Manifest[],
  { start, kubernetesVersion }: { readonly start: string; readonly kubernetesVersion: string },
) {
  const world = await imageWorld({ start, kubernetesVersion });
  await world.apply(...manifests);
  await world.pass(5);
  const name = manifests[0]?.metadata.name ?? '';
  const nodeClass: EC2NodeClass | undefined = await world.time.finish(world.admin.get(ec2NodeClasses, { name }));
  const amis = nodeClass?.status?.amis ?? [];
  const versions = amis.map(({ id }) => {
    const release = world.releaseOf(id);
    return release === undefined ? id : `${release.family} ${release.version}`;
  });
  await world.end();
  return {
    ids: [...new Set(amis.map(({ id }) => id))],
    versions: [...new Set(versions)],
    condition: nodeClass && conditionOf(nodeClass, 'AMIsReady'),
  };
}

describe('the guide on managing images', () => {
  const inMarch = { start: '2024-03-05T12:00:00Z', kubernetesVersion: '1.29' };

  test('pins a release by its alias', async () => {
    const { versions, condition } = await imagesOf(example('managing-amis/pin-by-alias.yaml'), inMarch);
    expect([versions, condition?.status]).toEqual([['AL2023 v20240219'], 'True']);
  });

  test('pins an image by its id', async () => {
    const { ids, condition } = await imagesOf(example('managing-amis/pin-by-id.yaml'), inMarch);
    expect([ids, condition?.status]).toEqual([['ami-052c9ea013e6e3567'], 'True']);
  });

  test('pins an image by its name, and is told that it is none for EKS', async () => {
    const { ids, condition } = await imagesOf(example('managing-amis/pin-by-name.yaml'), inMarch);
    expect([ids.length, condition?.status]).toEqual([1, 'True']);
    expect(condition?.message).toContain('plain Amazon Linux, not an EKS image');
  });

  test('pins the release of August 2024, which is not there before', async () => {
    const manifests = example('managing-amis/pinned-release.yaml');
    const { condition } = await imagesOf(manifests, inMarch);
    expect(condition).toMatchObject({ status: 'False', reason: 'AMINotFound' });
    const later = { ...inMarch, start: '2024-09-05T12:00:00Z' };
    expect((await imagesOf(manifests, later)).versions).toEqual(['AL2023 v20240807']);
  });

  test('has budgets that are read', async () => {
    const world = await imageWorld(inMarch);
    await world.apply(...example('managing-amis/budgets.yaml'));
    await world.pass(5);
    const pool = await world.time.finish(world.admin.get(nodePools, { name: 'default' }));
    expect(pool && conditionOf(pool, 'ValidationSucceeded')?.status).toBe('True');
    await world.end();
  });
});

describe('the design of image versioning', () => {
  const inAutumn = { start: '2022-10-01T12:00:00Z', kubernetesVersion: '1.23' };

  test('pins a release with a suffix of the family', async () => {
    const manifests = converted(text('native-ami-versioning/release-pin.yaml'));
    expect((await imagesOf(manifests, inAutumn)).versions).toEqual(['AL2 v20220824']);
  });

  test('lets images bake, as it is written', async () => {
    const written = text('native-ami-versioning/bake-time.yaml');
    const { condition, versions } = await imagesOf(converted(written), inAutumn);
    expect([condition?.status, versions.length]).toEqual(['True', 1]);
    const day = versions[0]?.slice('AL2 v'.length) ?? '';
    expect(day <= '20220921').toBe(true);
  });

  test('follows Ubuntu by its parameters', async () => {
    const manifests = converted(text('native-ami-versioning/latest-ubuntu.yaml'), { kubernetesVersion: '1.23' });
    const { condition, versions } = await imagesOf(manifests, inAutumn);
    expect([condition?.status, versions]).toEqual(['True', ['Ubuntu v20220914']]);
  });

  test('selects images by id, and says which are not there', async () => {
    const { condition } = await imagesOf(converted(text('native-ami-versioning/image-ids.yaml')), inAutumn);
    expect(condition?.message).toContain('id "ami-123": there is no such image');
  });
});
