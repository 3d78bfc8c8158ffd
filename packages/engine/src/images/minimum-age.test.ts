import { fromTimestamp, toTimestamp, type AmiSelectorTerm } from '@nodewright/apis';
import { anImage, aNodeClass } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import type { FoundImage } from './found-image.ts';
import { buildNodeClassImageQuery, type ImageQuery } from './image-query.ts';

const queryFor = (terms: readonly AmiSelectorTerm[], kubernetesVersion = '1.29'): ImageQuery => ({
  terms,
  kubernetesVersion,
});

const decide = (terms: readonly AmiSelectorTerm[], images: readonly FoundImage[], now = '2024-03-01T00:00:00Z') =>
  decideImages({
    query: queryFor(terms),
    images,
    now: fromTimestamp(now),
  });
const ids = (decision: ReturnType<typeof decide>) => decision.selected.map(({ id }) => id);

const ownBaked: AmiSelectorTerm[] = [{ tags: { team: 'a' }, minimumAgeDuration: '10d' }];
const latest: AmiSelectorTerm[] = [{ alias: 'al2@latest' }];
const latestBaked: AmiSelectorTerm[] = [{ alias: 'al2@latest', minimumAgeDuration: '10d' }];

describe('minimum age', () => {
  const young = anImage('young', {
    created: '2024-02-25',
    published: '2024-02-25',
    version: 'v20240225',
    recommended: true,
  });
  const ripe = anImage('ripe', { created: '2024-02-01', published: '2024-02-02', version: 'v20240201' });
  for (const { fact, terms, images, chosen, until, now } of [
    {
      fact: 'holds a young release back, and tells when it matures',
      terms: latestBaked,
      images: [young, ripe],
      chosen: ['ripe'],
      until: '2024-03-06T00:00:00Z',
    },
    {
      fact: 'is met to the second',
      terms: latestBaked,
      images: [young, ripe],
      chosen: ['young'],
      until: undefined,
      now: '2024-03-06T00:00:00Z',
    },
    {
      fact: 'is not met a second earlier',
      terms: latestBaked,
      images: [young, ripe],
      chosen: ['ripe'],
      until: '2024-03-06T00:00:00Z',
      now: '2024-03-05T23:59:59Z',
    },
    {
      fact: 'never lets a young image through for want of another',
      terms: latestBaked,
      images: [young],
      chosen: [],
      until: '2024-03-06T00:00:00Z',
    },
    { fact: 'of nothing is none', terms: latest, images: [young, ripe], chosen: ['young'], until: undefined },
    {
      fact: 'of own images counts from creation',
      terms: ownBaked,
      images: [anImage('a', { created: '2024-02-25', published: '2024-01-01' }), anImage('b')],
      chosen: ['b'],
      until: '2024-03-06T00:00:00Z',
    },
    {
      fact: 'is ignored by an id',
      terms: [{ id: 'young', minimumAgeDuration: '10d' }],
      images: [young],
      chosen: ['young'],
      until: undefined,
    },
    {
      fact: 'is ignored by a pinned release',
      terms: [{ alias: 'al2@v20240225', minimumAgeDuration: '10d' }],
      images: [young],
      chosen: ['young'],
      until: undefined,
    },
    {
      fact: 'of one term does not bind another',
      terms: [{ tags: { a: 'b' }, minimumAgeDuration: '10d' }, { id: 'young' }],
      images: [young, { ...young, term: 1 }, ripe],
      chosen: ['young'],
      until: undefined,
    },
    {
      fact: 'and deprecation: a healthy release that is old enough beats a newer deprecated one',
      terms: latestBaked,
      images: [
        anImage('bad', { published: '2024-02-10', version: 'v20240210', deprecated: '2024-02-12', recommended: true }),
        ripe,
      ],
      chosen: ['ripe'],
      until: undefined,
    },
  ] as const) {
    test(fact, () => {
      const decision = decide(terms, images, now);
      expect(ids(decision)).toEqual(chosen);
      expect(decision.validUntil && toTimestamp(decision.validUntil)).toBe(until);
    });
  }
  test('stands on the NodeClass for people who cannot write the field', () => {
    const nodeClass = aNodeClass({ amiSelectorTerms: latest });
    const annotated = {
      ...nodeClass,
      metadata: { name: 'default', annotations: { 'nodewright.dev/minimum-age-duration': '10d' } },
    };
    const decision = decideImages({
      query: buildNodeClassImageQuery(annotated, '1.29'),
      images: [young, ripe],
      now: fromTimestamp('2024-03-01T00:00:00Z'),
    });
    expect(ids(decision)).toEqual(['ripe']);
  });
  test('counts from when a release was first seen where its publication is unknown', () => {
    const unknown = anImage('a', { version: 'v20240101', recommended: true });
    const query = queryFor(latestBaked);
    const now = fromTimestamp('2024-03-01T00:00:00Z');
    const firstSeen = new Map([['a', fromTimestamp('2024-02-28T00:00:00Z')]]);
    expect(ids(decideImages({ query, images: [unknown], firstSeen, now }))).toEqual([]);
  });
  test('leaves the variant out and says which instance types wait for it', () => {
    const gpu = { ...young, variant: 'nvidia' } as const;
    const decision = decide(latestBaked, [gpu, { ...ripe, variant: 'standard', recommended: true }]);
    expect(ids(decision)).toEqual(['ripe']);
    expect(decision.withheld).toEqual([
      [
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
        { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' },
      ],
    ]);
  });
});

describe('the clock of a release', () => {
  const at = (firstSeen: readonly (readonly [string, string])[], image: FoundImage, now = '2024-03-01T00:00:00Z') =>
    decideImages({
      query: queryFor(latestBaked),
      images: [image],
      firstSeen: new Map(firstSeen.map(([id, day]) => [id, fromTimestamp(day)])),
      now: fromTimestamp(now),
    });
  const moved = (day: string) =>
    anImage('a', { version: 'v20240101', recommended: true, namedSince: fromTimestamp(day) });

  for (const { fact, firstSeen, image, until } of [
    {
      fact: 'is its own parameter',
      firstSeen: [['a', '2024-02-25']],
      image: { ...moved('2024-02-28'), publishedAt: fromTimestamp('2024-02-20') },
      until: '2024-03-01T00:00:00Z',
    },
    {
      fact: 'else the moving parameter that names it',
      firstSeen: [],
      image: moved('2024-02-28'),
      until: '2024-03-09T00:00:00Z',
    },
    {
      fact: 'else what is remembered: a pointer that moves back makes nothing young again',
      firstSeen: [['a', '2024-02-22']],
      image: moved('2024-02-28'),
      until: '2024-03-03T00:00:00Z',
    },
    {
      fact: 'else its creation',
      firstSeen: [],
      image: anImage('a', { version: 'v20240101', created: '2024-02-27' }),
      until: '2024-03-08T00:00:00Z',
    },
  ] as const) {
    test(fact, () => {
      const before = new Date(Date.parse(until) - 1000).toISOString();
      expect(at(firstSeen, image, before).selected).toEqual([]);
      expect(at(firstSeen, image, until).selected).toHaveLength(1);
    });
  }
});
