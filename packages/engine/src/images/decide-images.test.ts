import { fromTimestamp, type AmiSelectorTerm } from '@nodewright/apis';
import { selectBootImage } from '@nodewright/requirements';
import { anImage, anInstanceType, aNodeClass } from '@nodewright/testkit';
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

const own: AmiSelectorTerm[] = [{ tags: { team: 'a' } }];
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
      fact: 'also where they differ by less than a second',
      images: [
        anImage('1', { name: 'a', created: '2024-02-01T00:00:00.900Z' }),
        anImage('2', { name: 'b', created: '2024-02-01T00:00:00.100Z' }),
      ],
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

describe('an empty selection', () => {
  for (const { fact, terms, images, message } of [
    {
      fact: 'tells when the first image is old enough',
      terms: latestBaked,
      images: [anImage('young', { published: '2024-02-25', version: 'v20240225', recommended: true })],
      message: 'minimumAgeDuration: the image found is younger; the first is old enough at 2024-03-06T00:00:00Z',
    },
    {
      fact: 'names a release that was never published',
      terms: [{ alias: 'al2@v20240101' }],
      images: [],
      message:
        'alias "al2@v20240101": v20240101 was never published for Kubernetes 1.29, or was withdrawn before it was used here; nodewright images --family al2 lists all',
    },
    {
      fact: 'names an id',
      terms: [{ id: 'ami-1' }],
      images: [],
      message: 'id "ami-1": there is no such image, or it may not be launched',
    },
    {
      fact: 'names the owners that a name was looked for with',
      terms: [{ name: 'mine-*' }],
      images: [],
      message: 'name "mine-*": no image of self or amazon is named so',
    },
    {
      fact: 'names tags',
      terms: own,
      images: [],
      message: 'tags {"team":"a"}: no image is tagged so',
    },
    {
      fact: 'names a parameter',
      terms: [{ ssmParameter: '/my/image' }],
      images: [],
      message: 'ssmParameter "/my/image": holds the id of no image',
    },
  ] as const) {
    test(fact, () => {
      expect(decide(terms, images).problem).toEqual({
        reason: 'AMINotFound',
        message: `AMISelector did not match any AMIs: spec.amiSelectorTerms[0].${message}`,
      });
    });
  }
});

describe('terms that cannot be used', () => {
  for (const { terms, annotations, problem } of [
    {
      terms: [{ alias: 'al2023@v20240807@x' }],
      problem: {
        reason: 'UnsupportedAlias',
        message:
          'spec.amiSelectorTerms[0].alias "al2023@v20240807@x": must be family@version, such as al2023@v20240828',
      },
    },
    {
      terms: latest,
      annotations: { 'nodewright.dev/minimum-age-duration': '10x' },
      problem: {
        reason: 'InvalidMinimumAge',
        message:
          'metadata.annotations[nodewright.dev/minimum-age-duration] "10x": must be an age such as 10d, 2w or 36h',
      },
    },
    {
      terms: [{ name: 'x', minimumAgeDuration: '-1d' }],
      problem: {
        reason: 'InvalidMinimumAge',
        message: 'spec.amiSelectorTerms[0].minimumAgeDuration "-1d": must be an age such as 10d, 2w or 36h',
      },
    },
  ]) {
    test(`are told with the field and what would be right: ${problem.message}`, () => {
      const nodeClass = aNodeClass({ amiSelectorTerms: terms });
      const decision = decideImages({
        query: buildNodeClassImageQuery(
          { ...nodeClass, metadata: { name: 'default', ...(annotations && { annotations }) } },
          '1.29',
        ),
        images: [anImage('a')],
        now: fromTimestamp('2024-03-01'),
      });
      expect(decision).toMatchObject({ problem, selected: [] });
    });
  }
});

describe('advice', () => {
  const current = anImage('a', { version: 'v20240101', recommended: true, published: '2024-01-01' });
  for (const { fact, terms, images, advice } of [
    {
      fact: 'warns of a family that is followed at once',
      terms: latest,
      images: [current],
      advice: [
        'al2@latest is launched as soon as it is published: set minimumAgeDuration, or pin a release as in al2@v20240101',
      ],
    },
    { fact: 'has nothing to say about a bake time', terms: latestBaked, images: [current], advice: [] },
    { fact: 'has nothing to say about a pin', terms: [{ alias: 'al2@v20240101' }], images: [current], advice: [] },
    {
      fact: 'tells when age counts from creation',
      terms: [{ alias: 'windows2022@latest', minimumAgeDuration: '10d' }],
      images: [anImage('w', { name: 'Windows' })],
      advice: ['the age of w (Windows) counts from its creation: when it was published is not known'],
    },
    {
      fact: 'tells plain Amazon Linux from an EKS image',
      terms: [{ name: 'al2023-ami-2023.3.20240219.0-kernel-6.1-x86_64' }],
      images: [anImage('p', { name: 'al2023-ami-2023.3.20240219.0-kernel-6.1-x86_64' })],
      advice: [
        'p (al2023-ami-2023.3.20240219.0-kernel-6.1-x86_64) is plain Amazon Linux, not an EKS image: it has no kubelet and its nodes cannot join; EKS images are named amazon-eks-node-*',
      ],
    },
  ] as const) {
    test(fact, () => {
      expect(decide(terms, images).advice).toEqual(advice);
    });
  }
});

test('Windows images are for Windows and their build, whatever family bootstraps them', () => {
  const decision = decideImages({
    query: queryFor([{ alias: 'windows2022@latest' }]),
    images: [anImage('w', { version: '2024.02.14', recommended: true })],
    now: fromTimestamp('2024-03-01'),
  });
  expect(decision.selected[0]?.requirements).toEqual([
    { key: 'kubernetes.io/os', operator: 'In', values: ['windows'] },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'node.kubernetes.io/windows-build', operator: 'In', values: ['10.0.20348'] },
  ]);
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

describe('each image that is passed over is told with its reason:', () => {
  const recommended = anImage('recommended', { version: 'v20240201', recommended: true });
  const minimumAge = [{ alias: 'al2@latest', minimumAgeDuration: '1s' }];
  for (const { fact, terms, images, passedOver } of [
    {
      fact: 'an older one, with what was chosen instead',
      terms: own,
      images: [anImage('old'), anImage('new', { created: '2024-02-01' })],
      passedOver: { old: { kind: 'older', instead: 'new' } },
    },
    {
      fact: 'a deprecated one beside a healthy one',
      terms: own,
      images: [anImage('healthy'), anImage('deprecated', { created: '2024-02-01', deprecated: '2024-02-20' })],
      passedOver: { deprecated: { kind: 'deprecated', instead: 'healthy' } },
    },
    {
      fact: 'an older one where both are deprecated',
      terms: own,
      images: [
        anImage('old', { deprecated: '2024-01-02' }),
        anImage('new', { created: '2024-02-01', deprecated: '2024-02-02' }),
      ],
      passedOver: { old: { kind: 'older', instead: 'new' } },
    },
    {
      fact: 'one before the recommended release',
      terms: latest,
      images: [anImage('old', { version: 'v20240101' }), recommended],
      passedOver: { old: { kind: 'older', instead: 'recommended' } },
    },
    {
      fact: 'a healthy one before a recommended release that is deprecated, without a minimum age',
      terms: latest,
      images: [anImage('old', { version: 'v20240101' }), { ...recommended, deprecatedAt: fromTimestamp('2024-02-20') }],
      passedOver: { old: { kind: 'older', instead: 'recommended' } },
    },
    {
      fact: 'not the healthy one but the deprecated one, with a minimum age',
      terms: minimumAge,
      images: [anImage('old', { version: 'v20240101' }), { ...recommended, deprecatedAt: fromTimestamp('2024-02-20') }],
      passedOver: { recommended: { kind: 'deprecated', instead: 'old' } },
    },
    {
      fact: 'one right after the recommended release, however old',
      terms: minimumAge,
      images: [anImage('next', { version: 'v20240202' }), recommended],
      passedOver: { next: { kind: 'notRecommended', recommended: 'recommended' } },
    },
    {
      fact: 'one after a recommended release that was not found, by its version',
      terms: minimumAge,
      images: [
        anImage('next', { version: 'v20240202', recommendedVersion: 'v20240201' }),
        anImage('found', { version: 'v20240131', recommendedVersion: 'v20240201' }),
      ],
      passedOver: { next: { kind: 'notRecommended', recommended: 'v20240201' } },
    },
  ]) {
    test(fact, () => {
      const reasons = decide(terms, images).passedOver.map(({ image, reason }) => [image.id, reason]);
      expect(Object.fromEntries(reasons)).toEqual(passedOver);
    });
  }
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
      const decision = decideImages({
        query: queryFor([{ alias }], kubernetesVersion),
        images: [anImage('a')],
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
      expect(selectBootImage(type, selected)?.id).toBe(image);
    });
  }
});
