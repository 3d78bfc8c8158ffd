import { fromTimestamp, type AmiSelectorTerm, type ImageRule } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { imageCandidates } from './image-candidate.ts';
import { nothingSelected, unusableTerms } from './image-problem.ts';
import { releaseKey } from './missing-release.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const kubernetesVersion = '1.29';

test.each([
  ['terms without an age', { terms: [{ alias: 'al2@latest' }] }, undefined],
  ['ages that are some', { terms: [{ name: 'x', minimumAgeDuration: '10d' }], defaultMinimumAge: '36h' }, undefined],
  [
    'an alias that there is not',
    { terms: [{ alias: 'al2' }], defaultMinimumAge: 'x' },
    { reason: 'UnsupportedAlias', message: expect.stringContaining('must be family@version') as string },
  ],
  [
    'an age that is none',
    { terms: [{ id: 'ami-1' }, { name: 'x', minimumAgeDuration: '10x' }] },
    {
      reason: 'InvalidMinimumAge',
      message: 'spec.amiSelectorTerms[1].minimumAgeDuration "10x": must be an age such as 10d, 2w or 36h',
    },
  ],
  [
    'a default age that is none',
    { terms: [{ name: 'x', minimumAgeDuration: '10x' }], defaultMinimumAge: '-1d' },
    {
      reason: 'InvalidMinimumAge',
      message: 'metadata.annotations[nodewright.dev/minimum-age-duration] "-1d": must be an age such as 10d, 2w or 36h',
    },
  ],
])('%s', (_, query, problem) => {
  expect(unusableTerms({ kubernetesVersion, ...query })).toEqual(problem);
});

const none = { young: [], blocked: [] };
const messageOf = ({ message }: { readonly message: string }): string =>
  message.replace('AMISelector did not match any AMIs: ', '');

test.each<readonly [AmiSelectorTerm, string]>([
  [{ id: 'ami-1' }, 'id "ami-1": there is no such image, or it may not be launched'],
  [{ alias: 'al2@latest' }, 'alias "al2@latest": no image of al2 is published for Kubernetes 1.29'],
  [{ ssmParameter: '/a' }, 'ssmParameter "/a": holds the id of no image'],
  [{ name: 'x' }, 'name "x": no image of self or amazon is named so'],
  [{ name: 'x', owner: '123' }, 'name "x": no image of 123 is named so'],
  [{ tags: { team: 'a' } }, 'tags {"team":"a"}: no image is tagged so'],
  [{}, 'tags {}: no image is tagged so'],
])('%j asked in vain', (term, message) => {
  const problem = nothingSelected({ query: { terms: [term], kubernetesVersion }, now }, none);
  expect(problem.reason).toBe('AMINotFound');
  expect(messageOf(problem)).toBe(`spec.amiSelectorTerms[0].${message}`);
});

test('a pinned release that is missing is told with those that are there, and whether it was there before', () => {
  const alias = 'al2@v20240102';
  const query = { terms: [{ alias }], kubernetesVersion };
  const images = [anImage('a', { version: 'v20240101' })];
  const told = (more: object) => messageOf(nothingSelected({ query, now, ...more }, none));
  expect(told({})).not.toContain('the nearest published');
  expect(told({ releases: [{ alias: 'al2@v1', images }] })).not.toContain('the nearest published');
  expect(
    told({
      releases: [
        { alias: 'al2@v1', images: [] },
        { alias, images },
      ],
    }),
  ).toContain('the nearest published: al2@v20240101');
  expect(told({ seenReleases: new Set([releaseKey(alias, kubernetesVersion)]) })).toContain('has been withdrawn since');
});

const rule = (name: string, ids: readonly string[]): ImageRule => ({
  metadata: { name },
  spec: { match: { ids }, verdict: 'Blocked', reason: `bad ${name}` },
});

/** What is said where the images of these terms may not be selected. */
function refusalOf(
  terms: readonly AmiSelectorTerm[],
  images: Parameters<typeof imageCandidates>[1],
  rules: readonly ImageRule[],
) {
  const query = { terms, kubernetesVersion };
  const candidates = imageCandidates(query, images, { firstSeen: new Map(), rules, now });
  const young = candidates.filter(({ matureAt }) => matureAt > now);
  const blocked = candidates.filter(({ verdict }) => verdict.kind === 'blocked');
  return messageOf(nothingSelected({ query, now }, { young, blocked }));
}

const baked = { tags: { team: 'a' }, minimumAgeDuration: '10d' };

test('images that are too young are told with when the first of them is old enough', () => {
  const [first, second] = [anImage('a', { created: '2024-02-27' }), anImage('b', { created: '2024-02-25' })];
  const place = 'spec.amiSelectorTerms[0].minimumAgeDuration:';
  expect(refusalOf([baked], [first], [])).toBe(
    `${place} the image found is younger; the first is old enough at 2024-03-08T00:00:00Z`,
  );
  for (const images of [
    [first, second],
    [second, first],
  ])
    expect(refusalOf([baked], images, [])).toBe(
      `${place} all 2 images found are younger; the first is old enough at 2024-03-06T00:00:00Z`,
    );
  // One image may be found for several kinds of instance types.
  expect(refusalOf([baked], [first, { ...first, variant: 'nvidia' }], [])).toContain('the image found is younger');
});

test.each<readonly [AmiSelectorTerm, string]>([
  [{ alias: 'al2@latest' }, 'alias "al2@latest"'],
  [{ id: 'a' }, 'id "a"'],
  [{ name: 'x' }, 'name "x"'],
  [{ ssmParameter: '/a' }, 'ssmParameter "/a"'],
  [{ tags: { team: 'a' } }, 'tags {"team":"a"}'],
])('an image of %j that a rule blocks is told with the rule', (term, asked) => {
  expect(refusalOf([term], [anImage('a')], [rule('no-a', ['a'])])).toBe(
    `spec.amiSelectorTerms[0].${asked}: ImageRule no-a blocks a (image-a): bad no-a`,
  );
});

test('each term tells of its own images, those of one rule once, and age before rules', () => {
  const images = [
    anImage('a'),
    { ...anImage('a'), variant: 'nvidia' as const },
    anImage('b', { term: 1, created: '2024-02-27' }),
    anImage('c', { term: 1 }),
  ];
  expect(refusalOf([{ id: 'a' }, baked, { id: 'd' }], images, [rule('bad', ['a', 'c'])])).toBe(
    [
      'spec.amiSelectorTerms[0].id "a": ImageRule bad blocks a (image-a): bad bad',
      'spec.amiSelectorTerms[1].minimumAgeDuration: the image found is younger; the first is old enough at 2024-03-08T00:00:00Z',
      'spec.amiSelectorTerms[2].id "d": there is no such image, or it may not be launched',
    ].join('; '),
  );
});
