import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { builtInReleases } from './built-in.ts';
import { obeyReleaseRequest } from './release-request.ts';
import { ReleaseStore } from './release-store.ts';

const now = fromTimestamp('2024-02-20T12:00:00Z');

function aStore() {
  const store = new ReleaseStore(builtInReleases());
  return { store, ask: (request: unknown) => obeyReleaseRequest(request, { store, minor: '1.29', now }) };
}

test('family and version are enough to publish a release in every line', () => {
  const { store, ask } = aStore();
  expect(
    ask({ family: 'AL2', version: 'v20240220', behavior: 'neverJoins' })
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'amazon-eks-arm64-node-1.29-v20240220',
    'amazon-eks-gpu-node-1.29-v20240220',
    'amazon-eks-node-1.29-v20240220',
  ]);
  const [published] = store.list({
    kubernetesVersion: '1.29',
    version: 'v20240220',
    variant: 'standard',
    arch: 'amd64',
  });
  expect(published).toMatchObject({
    publishedAt: '2024-02-20T12:00:00Z',
    behavior: 'neverJoins',
    kubeletVersion: 'v1.29.0-eks-5e0fdde',
  });
});

test('a Bottlerocket release is named with a commit', () => {
  const [release] = aStore().ask({ family: 'Bottlerocket', version: '1.19.9', variant: 'nvidia', arch: 'arm64' });
  expect(release?.name).toMatch(/^bottlerocket-aws-k8s-1.29-nvidia-aarch64-v1\.19\.9-[0-9a-f]{8}$/);
});

for (const { action, field } of [
  { action: 'withdraw', field: 'withdrawnAt' },
  { action: 'deprecate', field: 'deprecatedAt' },
] as const) {
  test(`${action} touches every line of a release`, () => {
    const { store, ask } = aStore();
    const which = { family: 'AL2', version: 'v20240209', kubernetesVersion: '1.29' } as const;
    expect(ask({ action, ...which })).toHaveLength(3);
    expect(store.list(which).map((release) => release[field])).toEqual(Array(3).fill('2024-02-20T12:00:00Z'));
  });
}

test('a withdrawal that keeps the image is dated apart, and publishing again takes it back', () => {
  const { store, ask } = aStore();
  const which = { family: 'AL2', version: 'v20240209', kubernetesVersion: '1.29' } as const;
  ask({ action: 'withdraw', keepImage: true, ...which });
  const standing = () =>
    store
      .list(which)
      .map(
        ({ recalledAt = 'no', withdrawnAt = 'no', publishedAt }) =>
          `recalled ${recalledAt}, withdrawn ${withdrawnAt}, published ${publishedAt}`,
      );
  expect(standing()[0]).toMatch(/^recalled 2024-02-20T12:00:00Z, withdrawn no/);
  ask(which);
  expect(new Set(standing())).toEqual(new Set(['recalled no, withdrawn no, published 2024-02-20T12:00:00Z']));
});

describe('a request is refused', () => {
  for (const { request, because } of [
    { request: { action: 'burn' }, because: /"burn".*one of publish, withdraw, deprecate/ },
    { request: { action: 'withdraw' }, because: /at least one of family/ },
    { request: { action: 'withdraw', version: 'v1' }, because: /fields of a release that there is/ },
    {
      request: { action: 'withdraw', version: 'v20240209', keepImage: 'yes' },
      because: /"yes" is not true or false, as keepImage/,
    },
    {
      request: { family: 'AL2', version: 'v20240220', imageId: 'ami-0123456789abcdef0' },
      because: /imageId of 3 builds.*of one build: name its variant and arch, too/,
    },
    { request: { action: 'withdraw', colour: 'red' }, because: /colour/ },
    { request: { family: 'AL7', version: 'v1' }, because: /family: is "AL7", wanted one of AL2, AL2023/ },
    { request: 'x', because: /"x"/ },
  ]) {
    test(`when it is ${JSON.stringify(request)}`, () => {
      expect(() => aStore().ask(request)).toThrow(because);
    });
  }
});
