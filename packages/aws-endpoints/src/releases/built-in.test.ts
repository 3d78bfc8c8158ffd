import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { builtInReleases } from './built-in.ts';
import { ReleaseStore } from './release-store.ts';
import type { ImageRelease } from './release.ts';

const storyBegins = fromTimestamp('2024-01-28T16:00:00Z');

const newest = (line: Pick<ImageRelease, 'family' | 'kubernetesVersion'>): ImageRelease | undefined =>
  new ReleaseStore(builtInReleases())
    .visibleAt(storyBegins)
    .find(
      (release) =>
        release.family === line.family &&
        release.kubernetesVersion === line.kubernetesVersion &&
        release.variant === 'standard' &&
        release.arch === 'arm64',
    );

for (const { line, reported } of [
  {
    line: { family: 'AL2', kubernetesVersion: '1.28' },
    reported: { version: 'v20240117', kubeletVersion: 'v1.28.5-eks-5e0fdde', osImage: 'Amazon Linux 2' },
  },
  { line: { family: 'AL2', kubernetesVersion: '1.29' }, reported: { kubeletVersion: 'v1.29.0-eks-5e0fdde' } },
  {
    line: { family: 'Bottlerocket', kubernetesVersion: '1.29' },
    reported: {
      version: '1.18.0',
      kubeletVersion: 'v1.29.0-eks-a5ec690',
      osImage: 'Bottlerocket OS 1.18.0 (aws-k8s-1.29)',
    },
  },
  { line: { family: 'AL2023', kubernetesVersion: '1.28' }, reported: { kubeletVersion: 'v1.28.5-eks-5e0fdde' } },
] as const) {
  test(`the drift story begins with ${reported.kubeletVersion} on ${line.family}`, () => {
    expect(newest(line)).toMatchObject(reported);
  });
}

test('no two images share an id or a name', () => {
  const releases = new ReleaseStore(builtInReleases()).list();
  expect(new Set(releases.map(({ imageId }) => imageId)).size).toBe(releases.length);
  expect(new Set(releases.map(({ name }) => name)).size).toBe(releases.length);
});

test('images are named as EKS names them', () => {
  const names = new ReleaseStore(builtInReleases()).list().map(({ name }) => name);
  for (const name of [
    'amazon-eks-node-1.29-v20240202',
    'amazon-eks-arm64-node-1.29-v20240202',
    'amazon-eks-gpu-node-1.29-v20240202',
    'bottlerocket-aws-k8s-1.29-nvidia-aarch64-v1.18.0-7452c37e',
    'amazon-eks-node-al2023-x86_64-standard-1.36-v20260520',
  ]) {
    expect(names).toContain(name);
  }
});
