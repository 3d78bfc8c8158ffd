import { fromTimestamp } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { explainMissingRelease, releaseKey, usableVersions } from './missing-release.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const versions = ['v20240117', 'v20240129', 'v20240213'];
const say = (alias: string, more: Partial<Parameters<typeof explainMissingRelease>[0]> = {}): string =>
  explainMissingRelease({ alias, kubernetesVersion: '1.29', versions, seen: new Set(), now, ...more });
const list = 'nodewright images --family al2 lists all';

for (const { fact, alias, seen = [], near = versions, message } of [
  {
    fact: 'that was there before is withdrawn',
    alias: 'al2@v20240202',
    seen: ['al2@v20240202 for 1.29'],
    message:
      'v20240202 was published for Kubernetes 1.29, and has been withdrawn since; the nearest published: al2@v20240129, al2@v20240213',
  },
  {
    fact: 'that was there for another Kubernetes version only is not withdrawn',
    alias: 'al2@v20240202',
    seen: ['al2@v20240202 for 1.28'],
    message:
      'v20240202 was never published for Kubernetes 1.29, or was withdrawn before it was used here; the nearest published: al2@v20240129, al2@v20240213',
  },
  {
    fact: 'with a date to come is not published yet',
    alias: 'al2@v20240807',
    message:
      'v20240807 is not published for Kubernetes 1.29 yet: its date is still to come; the nearest published: al2@v20240213',
  },
  {
    fact: 'beyond the newest is to come, or withdrawn',
    alias: 'al2@v20240227',
    message:
      'v20240227 is not published for Kubernetes 1.29 now: it is newer than v20240213, the newest; it is yet to come, or was withdrawn; the nearest published: al2@v20240213',
  },
  {
    fact: 'older than all has one neighbour',
    alias: 'al2@v20200101',
    message:
      'v20200101 was never published for Kubernetes 1.29, or was withdrawn before it was used here; the nearest published: al2@v20240117',
  },
  {
    fact: 'of a family whose releases cannot be listed has no neighbours',
    alias: 'al2@v20240101',
    near: [],
    message: 'v20240101 was never published for Kubernetes 1.29, or was withdrawn before it was used here',
  },
] as readonly { fact: string; alias: string; seen?: string[]; near?: string[]; message: string }[]) {
  test(`a release ${fact}`, () => {
    expect(say(alias, { seen: new Set(seen), versions: near })).toBe(`alias "${alias}": ${message}; ${list}`);
  });
}

test('releases that the family has gone back from, and deprecated ones, are not recommended', () => {
  const image = (version: string, more: object = {}) => ({
    ...anImage(version, { published: '2024-02-01', version }),
    recommendedVersion: 'v20240129',
    ...more,
  });
  const deprecated = { deprecatedAt: fromTimestamp('2024-02-01T00:00:00Z') };
  expect(usableVersions([image('v20240117', deprecated), image('v20240129'), image('v20240202')], now)).toEqual([
    'v20240129',
  ]);
});

test('a release of Bottlerocket is the same with and without its v', () => {
  expect(releaseKey('bottlerocket@1.18.0', '1.29')).toBe(releaseKey('bottlerocket@v1.18.0', '1.29'));
});
