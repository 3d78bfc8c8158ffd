import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { builtInReleases } from '../../releases/built-in.ts';
import { ReleaseStore } from '../../releases/release-store.ts';
import { releaseVersionOf } from '../../releases/release-version.ts';
import { type AmiType, minorOfRelease, releasesFor } from './ami-types.ts';

const store = new ReleaseStore(builtInReleases());
const now = fromTimestamp('2024-02-20T00:00:00Z');
const buildsOf = (amiType: AmiType, version: string) => releasesFor({ amiType, version, now }, store);

for (const { amiType, version, name, release } of [
  {
    amiType: 'AL2_x86_64',
    version: '1.23',
    name: 'amazon-eks-node-1.23-v20231002',
    release: /^1\.23\.\d+-20231002$/,
  },
  {
    amiType: 'WINDOWS_CORE_2022_x86_64',
    version: '1.28',
    name: 'Windows_Server-2022-English-Core-EKS_Optimized-1.28-2024.02.14',
    release: /^1\.28-2024\.02\.14$/,
  },
  {
    amiType: 'WINDOWS_FULL_2019_x86_64',
    version: '1.28',
    name: 'Windows_Server-2019-English-Full-EKS_Optimized-1.28-2024.02.14',
    release: /^1\.28-2024\.02\.14$/,
  },
] as const) {
  test(`REL-1, REL-3, REL-5: for ${amiType} a release names the build of ${name}`, () => {
    const build = buildsOf(amiType, version).find((each) => each.name === name);
    const named = build === undefined ? '' : releaseVersionOf(build);
    expect(named).toMatch(release);
    expect(minorOfRelease(named)).toBe(version);
  });
}

describe('one build of Amazon Linux', () => {
  test('REL-1: has one release version for every kind of machine', () => {
    const kinds = ['AL2_x86_64', 'AL2_x86_64_GPU', 'AL2_ARM_64'] as const;
    const [plain = [], ...others] = kinds.map((kind) => buildsOf(kind, '1.23').map(releaseVersionOf).toSorted());
    expect(plain.length).toBeGreaterThan(0);
    for (const other of others) expect(plain).toEqual(expect.arrayContaining(other));
  });
});

test('REL-3: no Windows image from before November 2022 is taken, and only those of the edition', () => {
  const builds = buildsOf('WINDOWS_CORE_2019_x86_64', '1.22');
  expect(builds.map(({ version }) => version).toSorted()[0]).toBe('2022.11.09');
  expect(builds.filter(({ name }) => !name.includes('-Core-'))).toEqual([]);
});
