import { expect, test } from 'vitest';
import { pinnedReleaseOf } from './pinned-release.ts';

test.each([
  [{ alias: 'al2023@v20240828' }, { family: 'AL2023', version: 'v20240828' }],
  [{ alias: 'bottlerocket@v1.20.4' }, { family: 'Bottlerocket', version: 'v1.20.4' }],
  [{ name: 'amazon-eks-node-1.30-v20240807' }, { family: 'AL2', version: 'v20240807' }],
  // The alias counts; both together are refused on admission.
  [
    { alias: 'al2@v20240807', name: 'amazon-eks-node-1.30-v20240625' },
    { family: 'AL2', version: 'v20240807' },
  ],
])('%j pins a release', (term, release) => {
  expect(pinnedReleaseOf(term)).toEqual(release);
});

test.each([
  { alias: 'al2023@latest' },
  { alias: 'fedora@v42' },
  { alias: 'al2@latest', name: 'amazon-eks-node-1.30-v20240625' },
  { name: 'amazon-eks-node-1.30-v20240807*' },
  { name: 'amazon-eks-node-1.30-v2024080?' },
  { name: 'my-image' },
  { id: 'ami-1' },
  {},
])('%j follows releases, or names none', (term) => {
  expect(pinnedReleaseOf(term)).toBeUndefined();
});
