import { expect, test } from 'vitest';
import { builtInReleases } from './built-in.ts';
import { ReleaseStore } from './release-store.ts';
import { mergeReleases, parseReleases, ReleaseFeedError } from './feed.ts';

const entry = {
  family: 'Bottlerocket',
  variant: 'standard',
  arch: 'amd64',
  kubernetesVersion: '1.29',
  version: '1.20.9',
  imageId: 'ami-0123456789abcdef0',
  name: 'bottlerocket-aws-k8s-1.29-x86_64-v1.20.9-12345678',
  createdAt: '2024-04-01T00:00:00Z',
  publishedAt: '2024-04-02T00:00:00Z',
  behavior: 'neverJoins',
};

const builtIn = builtInReleases().of('1.29');
const merging = (added: object) =>
  new ReleaseStore(mergeReleases(builtInReleases(), parseReleases([added]))).list({ kubernetesVersion: '1.29' });

test('a release of the feed reports what its neighbours do, with its own version', () => {
  const merged = merging(entry);
  expect(merged.find(({ imageId }) => imageId === entry.imageId)).toMatchObject({
    osImage: 'Bottlerocket OS 1.20.9 (aws-k8s-1.29)',
    kubeletVersion: 'v1.29.0-eks-a5ec690',
    behavior: 'neverJoins',
  });
  expect(merged).toHaveLength(builtIn.length + 1);
});

test('a release that is known already is replaced', () => {
  const merged = merging({ ...entry, version: '1.18.0' });
  expect(merged).toHaveLength(builtIn.length);
});

test('every problem of a feed is told at once, with the value and what would be right', () => {
  const bad = [
    { ...entry, arch: 'x86', publishedAt: 'soon' },
    { ...entry, name: undefined, colour: 'red' },
  ];
  let problems: readonly string[] = [];
  try {
    parseReleases(bad);
  } catch (error) {
    problems = error instanceof ReleaseFeedError ? error.problems : [];
  }
  expect(problems).toEqual([
    '[0].arch: is "x86", wanted one of amd64, arm64',
    '[0].publishedAt: is "soon", wanted a time such as 2024-01-29T18:00:00Z',
    '[1].name: is missing, wanted text',
    expect.stringMatching(/^\[1\]\.colour: is no field of a release; known are family, variant/),
  ]);
});

test('what /releases answers with can be read again', () => {
  const list = { kind: 'ReleaseList', items: [entry] };
  expect(parseReleases(list)).toEqual([entry]);
  expect(parseReleases(JSON.parse(JSON.stringify({ kind: 'ReleaseList', items: builtIn })))).toHaveLength(
    builtIn.length,
  );
});
