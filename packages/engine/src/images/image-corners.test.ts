import { fromTimestamp, type ImageRule, type StatusAmi } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { exampleOf } from './alias.ts';
import { unsupportedAlias } from './alias-support.ts';
import { byPreference, imageCandidates } from './image-candidate.ts';
import { imageRequirements } from './image-requirements.ts';
import { isVersionWithin, type JudgedImage, judgeImage } from './image-rules.ts';
import { imagesForLaunches } from './launch-rule.ts';
import { explainMissingRelease, usableVersions } from './missing-release.ts';
import { imageSetOf, statusAmiOf } from './variants.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');

describe('rules about an image', () => {
  const own: JudgedImage = {
    id: 'ami-1',
    name: 'our-own',
    family: 'AL2023',
    version: 'v7',
    arch: 'amd64',
    accelerators: ['none', 'nvidia'],
  };
  const rule = (name: string, match: ImageRule['spec']['match'], verdict: 'Blocked' | 'Expedited' = 'Blocked') => ({
    metadata: { name },
    spec: { match, verdict, reason: name },
  });
  const judge = (...rules: readonly ImageRule[]) => judgeImage(own, rules, now);

  test('block before they expedite, whatever their names, and of several the first by name is told', () => {
    const rules = [
      rule('a-fast', {}, 'Expedited'),
      rule('c-bad', {}, 'Blocked'),
      rule('b-bad', {}, 'Blocked'),
      rule('0-other', { ids: ['ami-2'] }, 'Blocked'),
    ];
    expect(judge(...rules)).toEqual({ kind: 'blocked', rule: 'b-bad', reason: 'b-bad' });
    expect(judge(rule('a', {}, 'Expedited'), rule('b', {}))).toMatchObject({ kind: 'blocked', rule: 'b' });
    expect(judge(rule('z', {}, 'Expedited'), rule('y', {}, 'Expedited'))).toMatchObject({
      kind: 'expedited',
      rule: 'y',
    });
  });

  test.each<readonly [ImageRule['spec']['match'], boolean]>([
    [{ family: 'AL2023', versions: ['v7'] }, true],
    [{ family: 'AL2' }, false],
    [{ versions: ['v8', 'v7'] }, true],
    [{ versions: ['v8', 'v9'] }, false],
    [{ names: ['theirs-*', 'our-*'] }, true],
    [{ names: ['our'] }, false],
    [{ names: ['o.r-own'] }, false],
    [{ variants: { accelerators: ['nvidia'] } }, true],
    [{ variants: { accelerators: ['neuron'] } }, false],
  ])('%j: %s', (match, isAbout) => expect(judge(rule('x', match)).kind).toBe(isAbout ? 'blocked' : 'none'));

  test.each([
    ['>=v20240502', [false, true, true]],
    ['>v20240502', [false, false, true]],
    ['<=v20240502', [true, true, false]],
    ['<v20240502', [true, false, false]],
    ['=v20240502', [false, true, false]],
    ['v20240502', [false, true, false]],
    [' >v20240501  <v20240503 ', [false, true, false]],
  ])('the bounds "%s" hold for the release before, that one and the one after: %j', (bounds, holds) => {
    expect(['v20240501', 'v20240502', 'v20240503'].map((version) => isVersionWithin(version, bounds))).toEqual(holds);
  });
});

describe('a release that is missing', () => {
  const say = (version: string, versions: readonly string[], at = now, family = 'al2') =>
    explainMissingRelease({
      alias: `${family}@${version}`,
      kubernetesVersion: '1.29',
      versions,
      seen: new Set(),
      now: at,
    });

  test('has its neighbours, in whatever order the releases are known', () => {
    expect(say('v20240202', ['v20240203', 'v20240201', 'v20240101', 'v20240301'])).toContain(
      'the nearest published: al2@v20240201, al2@v20240203;',
    );
    expect(say('v20240204', ['v20240203', 'v20240201'])).toContain('it is newer than v20240203, the newest;');
  });

  test('that is written otherwise than the one that there is, is neither before nor after it', () => {
    expect(say('20240201', ['v20240201'])).toBe(
      'alias "al2@20240201": 20240201 was never published for Kubernetes 1.29, or was withdrawn before it was used here; nodewright images --family al2 lists all',
    );
  });

  test('of today is not one whose date is still to come', () => {
    expect(say('v20240301', ['v20240201'])).toContain('it is newer than v20240201');
    expect(say('v20240302', ['v20240201'])).toContain('its date is still to come');
  });

  test('without a date in its name is none of a day to come', () => {
    expect(say('v1.20.4', ['v1.20.3'], now, 'bottlerocket')).toContain('it is newer than v1.20.3, the newest');
  });

  test('is not recommended from the moment of its deprecation, one beyond the recommended, or without a version', () => {
    const image = (version: string | undefined, more: object = {}) => ({
      ...anImage('ami-1', version === undefined ? {} : { version }),
      recommendedVersion: 'v20240129',
      ...more,
    });
    const at = (time: string) => ({ deprecatedAt: fromTimestamp(time) });
    expect(
      usableVersions(
        [
          image('v20240126', at('2024-03-01T00:00:00Z')),
          image('v20240127', at('2024-03-01T00:00:01Z')),
          image('v20240130'),
          image(undefined),
        ],
        now,
      ),
    ).toEqual(['v20240127']);
  });
});

describe('an image of a variant', () => {
  const ami = (more: Partial<StatusAmi> = {}): StatusAmi => ({
    id: 'ami-1',
    requirements: [
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'DoesNotExist' },
      { key: 'karpenter.k8s.aws/instance-accelerator-count', operator: 'DoesNotExist' },
    ],
    ...more,
  });

  test('without a name has none, and no release', () => {
    const [kept] = imageSetOf('EC2NodeClass/default', 'AL2023', [ami()]);
    expect(kept).toStrictEqual({ source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-1' });
    expect(kept && Object.keys(statusAmiOf(kept) ?? {})).toEqual(['id', 'requirements']);
  });

  test('with a name that tells no release has the name alone', () => {
    expect(imageSetOf('EC2NodeClass/default', 'AL2023', [ami({ name: 'our-own' })])).toStrictEqual([
      { source: 'EC2NodeClass/default', variant: 'AL2023/amd64/none', image: 'ami-1', name: 'our-own' },
    ]);
  });

  test('that cannot be read is not written back', () => {
    expect(statusAmiOf({ source: 'x', variant: 'AL2023/s390x/none', image: 'ami-1' })).toBeUndefined();
  });

  test('the images for launches are in the order of their variants', () => {
    const image = (id: string, variant: string) => ({ source: 'EC2NodeClass/default', variant, image: id });
    const baseline = [image('arm', 'AL2023/arm64/none'), image('amd', 'AL2023/amd64/none')];
    const gate = { stage: 'waves', baseline, target: [], halted: [], failed: [] } as const;
    expect(imagesForLaunches([], gate).ordinary.map(({ id }) => id)).toEqual(['amd', 'arm']);
  });
});

describe('candidates', () => {
  const candidatesOf = (terms: readonly object[], ...images: readonly Parameters<typeof anImage>[1][]) =>
    imageCandidates(
      { terms, kubernetesVersion: '1.29' },
      images.map((traits, index) => anImage(`ami-${index}`, traits)),
      { firstSeen: new Map() as never, rules: [], now },
    );
  const order = (candidates: ReturnType<typeof candidatesOf>) =>
    candidates.toSorted(byPreference).map(({ image }) => image.id);

  test('of a term that there is not any more are dropped', () => {
    expect(candidatesOf([{ alias: 'al2023@latest' }], { term: 1 })).toEqual([]);
  });

  test('are deprecated from that moment on', () => {
    const [at, later] = candidatesOf([{ id: 'x' }], { deprecated: '2024-03-01' }, { deprecated: '2024-03-02' });
    expect([at?.deprecated, later?.deprecated]).toEqual([true, false]);
  });

  const [newer, older] = [
    { version: 'v20240202', created: '2024-01-01' },
    { version: 'v20240201', created: '2024-02-01' },
  ];
  test('of one alias are ordered by their releases, whenever they were made', () => {
    expect(order(candidatesOf([{ alias: 'al2023@latest' }], older, newer))).toEqual(['ami-1', 'ami-0']);
  });

  test('of two aliases, and of terms that are none, are ordered by when they were made', () => {
    const two = [{ alias: 'al2023@latest' }, { alias: 'al2@latest' }];
    expect(order(candidatesOf(two, { ...newer, term: 0 }, { ...older, term: 1 }))).toEqual(['ami-1', 'ami-0']);
    expect(order(candidatesOf([{ tags: { team: 'red' } }], newer, older))).toEqual(['ami-1', 'ami-0']);
  });
});

test('an alias with too many parts is told the form, by an example that differs from it', () => {
  const problemOf = (alias: string) => unsupportedAlias({ terms: [{ alias }], kubernetesVersion: '1.29' });
  expect(problemOf('al2@v20240625@x')).toContain('must be family@version, such as al2@v20240625');
  expect(problemOf('nonsense@v1@x')).toContain('must be family@version, such as al2023@v20240828');
  expect(exampleOf('al2023@v20240828')).toBe('al2023@v20240219');
  expect(exampleOf('windows2022@v1')).toBe('windows2022@v1');
});

test('only images of Windows are for a build of Windows', () => {
  const keys = (family: 'AL2023' | 'Windows2022' | undefined) =>
    imageRequirements({ arch: 'amd64' }, family).map(({ key }) => key);
  expect(keys(undefined)).toEqual(['kubernetes.io/arch']);
  expect(keys('AL2023')).toEqual(['kubernetes.io/arch']);
  expect(keys('Windows2022')).toContain('node.kubernetes.io/windows-build');
});
