import { fromTimestamp, toTimestamp } from '@nodewright/apis';
import type { AmiSelectorTerm } from '@nodewright/apis';
import { anImage, anInstanceType, aNodeClass } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import type { FoundImage } from './found-image.ts';
import { imageFor } from './image-for.ts';

const decide = (terms: readonly AmiSelectorTerm[], images: readonly FoundImage[], now = '2024-03-01T00:00:00Z') =>
  decideImages({
    nodeClass: aNodeClass({ amiSelectorTerms: terms }),
    images,
    kubernetesVersion: '1.29',
    now: fromTimestamp(now),
  });
const ids = (decision: ReturnType<typeof decide>) => decision.selected.map(({ id }) => id);

const own: AmiSelectorTerm[] = [{ tags: { team: 'a' } }];
const ownBaked: AmiSelectorTerm[] = [{ tags: { team: 'a' }, minimumAgeDuration: '10d' }];
const latest: AmiSelectorTerm[] = [{ alias: 'al2@latest' }];
const latestBaked: AmiSelectorTerm[] = [{ alias: 'al2@latest', minimumAgeDuration: '10d' }];

describe('among images for the same instance types', () => {
  for (const { fact, images, chosen } of [
    {
      fact: 'the newest is chosen',
      images: [anImage('old'), anImage('new', { created: '2024-02-01' })],
      chosen: ['new'],
    },
    {
      fact: 'a healthy one is chosen before a newer deprecated one',
      images: [anImage('healthy'), anImage('deprecated', { created: '2024-02-01', deprecated: '2024-02-20' })],
      chosen: ['healthy'],
    },
    {
      fact: 'a deprecation that is still to come does not count',
      images: [anImage('old'), anImage('new', { created: '2024-02-01', deprecated: '2025-01-01' })],
      chosen: ['new'],
    },
    {
      fact: 'the newest deprecated one is still chosen when there is no other',
      images: [
        anImage('a', { deprecated: '2024-01-02' }),
        anImage('b', { created: '2024-02-01', deprecated: '2024-02-02' }),
      ],
      chosen: ['b'],
    },
    {
      fact: 'the greater name decides between equal dates',
      images: [anImage('1', { name: 'a' }), anImage('2', { name: 'b' })],
      chosen: ['2'],
    },
    {
      fact: 'each architecture has its own',
      images: [anImage('arm', { arch: 'arm64', created: '2024-02-01' }), anImage('amd')],
      chosen: ['arm', 'amd'],
    },
    {
      fact: 'order is by creation, then by id',
      images: [
        anImage('b', { variant: 'standard' }),
        anImage('a', { variant: 'nvidia' }),
        anImage('c', { variant: 'standard', arch: 'arm64', created: '2024-02-01' }),
      ],
      chosen: ['c', 'a', 'b'],
    },
  ]) {
    test(fact, () => {
      expect(ids(decide(own, images))).toEqual(chosen);
    });
  }
  test('the status says which are deprecated', () => {
    expect(decide(own, [anImage('a', { deprecated: '2024-01-02' })]).selected[0]?.deprecated).toBe(true);
    expect(decide(own, [anImage('a')]).selected[0]).not.toHaveProperty('deprecated');
  });
});

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
      nodeClass: annotated,
      images: [young, ripe],
      kubernetesVersion: '1.29',
      now: fromTimestamp('2024-03-01T00:00:00Z'),
    });
    expect(ids(decision)).toEqual(['ripe']);
  });
  test('counts from when a release was first seen where its publication is unknown', () => {
    const unknown = anImage('a', { version: 'v20240101', recommended: true });
    const nodeClass = aNodeClass({ amiSelectorTerms: latestBaked });
    const now = fromTimestamp('2024-03-01T00:00:00Z');
    const firstSeen = new Map([['a', fromTimestamp('2024-02-28T00:00:00Z')]]);
    expect(ids(decideImages({ nodeClass, images: [unknown], kubernetesVersion: '1.29', firstSeen, now }))).toEqual([]);
  });
  test('leaves the variant out and says which instance types wait for it', () => {
    const gpu = { ...young, variant: 'nvidia' } as const;
    const decision = decide(latestBaked, [gpu, { ...ripe, variant: 'standard', recommended: true }]);
    expect(ids(decision)).toEqual(['ripe']);
    expect(decision.withheld).toEqual([
      [
        { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' },
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      ],
    ]);
  });
  test('explains an empty selection', () => {
    expect(decide(latestBaked, [young]).explanation).toContain('younger than minimumAgeDuration');
    expect(decide(own, []).explanation).toBe('amiSelectorTerms match no image');
  });
});

describe('releases of a family', () => {
  test('newer than the recommended one are not launched, however old', () => {
    const withdrawn = anImage('withdrawn', { version: 'v20240210', published: '2024-01-10' });
    const recommended = anImage('recommended', { version: 'v20240201', published: '2024-01-05', recommended: true });
    const decision = decide(latest, [withdrawn, recommended]);
    expect(ids(decision)).toEqual(['recommended']);
    expect(decision.passedOver[0]?.reason).toEqual({ kind: 'notRecommended', recommended: 'recommended' });
  });
  test('are ordered by version, not by creation', () => {
    const images = [
      anImage('a', { version: '1.9.1', created: '2024-02-01' }),
      anImage('b', { version: '1.18.0', recommended: true }),
    ];
    expect(ids(decide([{ alias: 'bottlerocket@latest' }], images))).toEqual(['b']);
  });
});

describe('aliases without images for the control plane', () => {
  for (const { alias, kubernetesVersion, refused } of [
    { alias: 'al2@latest', kubernetesVersion: '1.32', refused: false },
    { alias: 'al2@latest', kubernetesVersion: '1.33', refused: true },
    { alias: 'al2023@latest', kubernetesVersion: '1.33', refused: false },
    { alias: 'windows2025@latest', kubernetesVersion: '1.34', refused: true },
    { alias: 'windows2025@latest', kubernetesVersion: '1.35', refused: false },
  ]) {
    test(`${alias} on ${kubernetesVersion} is ${refused ? 'refused' : 'accepted'}`, () => {
      const nodeClass = aNodeClass({ amiSelectorTerms: [{ alias }] });
      const decision = decideImages({
        nodeClass,
        images: [anImage('a')],
        kubernetesVersion,
        now: fromTimestamp('2024-03-01'),
      });
      expect(decision.selected).toHaveLength(refused ? 0 : 1);
    });
  }
});

describe('the image of an instance type', () => {
  const { selected } = decide(latest, [
    anImage('standard', { variant: 'standard' }),
    anImage('gpu', { variant: 'nvidia' }),
    anImage('arm', { variant: 'standard', arch: 'arm64' }),
  ]);
  const gpuLabel = { 'karpenter.k8s.aws/instance-gpu-count': ['1'] };
  for (const { type, image } of [
    { type: anInstanceType('c5'), image: 'standard' },
    { type: anInstanceType('c6g', { arch: 'arm64' }), image: 'arm' },
    { type: anInstanceType('g5', { labels: gpuLabel }), image: 'gpu' },
    { type: anInstanceType('g5g', { arch: 'arm64', labels: gpuLabel }), image: undefined },
  ]) {
    test(`of ${type.name} is ${image ?? 'none'}`, () => {
      expect(imageFor(type, selected)?.id).toBe(image);
    });
  }
});
