import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { builtInReleases } from './built-in.ts';
import { ReleaseStore } from './release-store.ts';

const store = new ReleaseStore(builtInReleases());
const standard = { variant: 'standard', arch: 'amd64' } as const;

/** Days on which something was published for a minor, `10-18`, in a span of days. */
const published = (family: 'AL2' | 'Ubuntu' | 'Bottlerocket', from: string, until: string): readonly string[] =>
  store
    .list({ ...standard, family, kubernetesVersion: '1.23' })
    .map(({ publishedAt }) => publishedAt.slice(0, 10))
    .filter((day) => from <= day && day <= until);

describe('the autumn of 2022', () => {
  for (const { family, days } of [
    { family: 'AL2', days: ['2022-11-15', '2022-11-08', '2022-11-04', '2022-10-28', '2022-09-29'] },
    { family: 'Ubuntu', days: ['2022-12-08', '2022-12-06', '2022-11-11', '2022-11-04', '2022-10-18'] },
    { family: 'Bottlerocket', days: ['2022-11-30', '2022-11-16', '2022-10-19', '2022-10-13', '2022-08-31'] },
  ] as const) {
    test(`${family} came out on the days that are on record`, () => {
      expect(published(family, days.at(-1) ?? '', '2022-12-15')).toEqual(days);
    });
  }
});

for (const { family, kubernetesVersion, version } of [
  { family: 'AL2', kubernetesVersion: '1.23', version: 'v20220824' },
  { family: 'AL2', kubernetesVersion: '1.29', version: 'v20240625' },
  { family: 'AL2023', kubernetesVersion: '1.29', version: 'v20240219' },
  { family: 'AL2023', kubernetesVersion: '1.30', version: 'v20240807' },
  { family: 'Bottlerocket', kubernetesVersion: '1.23', version: '1.9.1' },
  { family: 'Bottlerocket', kubernetesVersion: '1.23', version: '1.11.1' },
  { family: 'Bottlerocket', kubernetesVersion: '1.29', version: '1.18.0' },
] as const) {
  test(`${family} ${version} was published for ${kubernetesVersion}`, () => {
    expect(store.list({ ...standard, family, kubernetesVersion, version })).toHaveLength(1);
  });
}

for (const { imageId, name } of [
  { imageId: 'ami-0fcd72f3118e0dd88', name: 'amazon-eks-node-1.23-v20231002' },
  { imageId: 'ami-052c9ea013e6e3567', name: 'amazon-eks-node-al2023-x86_64-standard-1.29-v20240219' },
]) {
  test(`${imageId} is ${name}`, () => {
    expect(store.byImage(imageId)?.name).toBe(name);
  });
}

const familiesOf = (minor: string): readonly string[] =>
  [...new Set(store.shelf(minor).releases.map(({ family }) => family))].toSorted();

for (const { minor, families } of [
  { minor: '1.22', families: ['AL2', 'Bottlerocket', 'Ubuntu', 'Windows2019', 'Windows2022'] },
  { minor: '1.32', families: ['AL2', 'AL2023', 'Bottlerocket', 'Ubuntu', 'Windows2019', 'Windows2022'] },
  { minor: '1.33', families: ['AL2023', 'Bottlerocket', 'Ubuntu', 'Windows2019', 'Windows2022'] },
  { minor: '1.35', families: ['AL2023', 'Bottlerocket', 'Ubuntu', 'Windows2019', 'Windows2022', 'Windows2025'] },
]) {
  test(`${minor} has images of ${families.join(', ')}`, () => {
    expect(familiesOf(minor)).toEqual(families);
  });
}

test('a minor has images from the day EKS offers it', () => {
  const first = store.shelf('1.30').visibleAt(fromTimestamp('2024-05-23T18:00:00Z'));
  expect(new Set(first.map(({ family }) => family))).toEqual(
    new Set(['AL2', 'AL2023', 'Bottlerocket', 'Ubuntu', 'Windows2019', 'Windows2022']),
  );
});

test('every release is made before it is published', () => {
  expect(store.list().filter(({ createdAt, publishedAt }) => createdAt > publishedAt)).toEqual([]);
});

/** The longest time without a release of a family for a minor, in days, up to a day of its support. */
function longestGap(
  family: 'AL2023' | 'Bottlerocket' | 'Windows2022',
  kubernetesVersion: string,
  until: string,
): number {
  const days = [
    ...new Set(
      store
        .list({ ...standard, family, kubernetesVersion })
        .map(({ publishedAt }) => publishedAt.slice(0, 10))
        .filter((day) => day <= until),
    ),
    until,
  ].toSorted();
  const gaps = days.map((day, at) => Date.parse(day) - Date.parse(days[at - 1] ?? day));
  return Math.max(...gaps) / 86_400_000;
}

test('no served minor lacks releases for long, up to November 2026', () => {
  for (const minor of ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36']) {
    for (const family of ['AL2023', 'Bottlerocket', 'Windows2022'] as const) {
      expect(longestGap(family, minor, '2026-11-20'), `${family} of ${minor}`).toBeLessThanOrEqual(40);
    }
  }
});
