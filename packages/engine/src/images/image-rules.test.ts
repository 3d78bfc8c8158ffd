import { type AmiSelectorTerm, fromTimestamp, type ImageRule, toTimestamp } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import type { FoundImage } from './found-image.ts';
import { endsOfRules, isBlockingAnything, isVersionWithin } from './image-rules.ts';
import { releaseOfImageName } from './release-of-name.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const aRule = (spec: Partial<ImageRule['spec']>, name = 'cve'): ImageRule => ({
  metadata: { name },
  spec: { match: { ids: ['new'] }, verdict: 'Blocked', reason: 'CVE-1', ...spec },
});
const decide = (terms: readonly AmiSelectorTerm[], images: readonly FoundImage[], rules: readonly ImageRule[]) =>
  decideImages({ query: { terms, kubernetesVersion: '1.29' }, images, rules, now });

describe('rules that end', () => {
  const [past, future] = ['2024-02-29T23:59:59Z', '2024-03-01T00:00:01Z'];

  test.each([
    [[aRule({})], true],
    [[aRule({ until: future })], true],
    [[aRule({ until: past })], false],
    [[aRule({ until: '2024-03-01T00:00:00Z' })], false],
    [[aRule({ verdict: 'Expedited' })], false],
    [[aRule({ verdict: 'Expedited' }), aRule({})], true],
    [[], false],
  ])('older releases have to be known while one of them blocks: %#', (rules, isBlocking) => {
    expect(isBlockingAnything(rules, now)).toBe(isBlocking);
  });

  test('tell when they end, as long as they hold', () => {
    const rules = [aRule({}), aRule({ until: past }), aRule({ until: future, verdict: 'Expedited' })];
    expect(endsOfRules(rules, now)).toEqual([fromTimestamp(future)]);
  });
});

const name = (version: string) => `amazon-eks-node-al2023-x86_64-standard-1.29-${version}`;
const release = (id: string, version: string, more: object = {}) =>
  anImage(id, {
    name: name(version),
    version,
    variant: 'standard',
    created: '2024-01-01',
    published: '2024-01-01',
    ...more,
  });
const old = release('old', 'v20240101');
const fresh = release('new', 'v20240201', { recommended: true, created: '2024-02-01', published: '2024-02-01' });

describe('a blocked image', () => {
  for (const { fact, terms, rule, chosen } of [
    {
      fact: 'gives way to the newest release before it',
      terms: [{ alias: 'al2023@latest' }],
      rule: aRule({}),
      chosen: ['old'],
    },
    {
      fact: 'is found by its release, whatever selects it',
      terms: [{ name: 'amazon-eks-node-*' }],
      rule: aRule({ match: { family: 'AL2023', versions: ['v20240201'] } }),
      chosen: ['old'],
    },
    {
      fact: 'is found by bounds',
      terms: [{ alias: 'al2023@latest' }],
      rule: aRule({ match: { family: 'AL2023', versions: ['>=v20240115 <v20240301'] } }),
      chosen: ['old'],
    },
    {
      fact: 'is found by its name',
      terms: [{ tags: { a: 'b' } }],
      rule: aRule({ match: { names: ['*-v202402*'] } }),
      chosen: ['old'],
    },
    {
      fact: 'of another family is none',
      terms: [{ alias: 'al2023@latest' }],
      rule: aRule({ match: { family: 'AL2', versions: ['v20240201'] } }),
      chosen: ['new'],
    },
    {
      fact: 'of another architecture is none',
      terms: [{ alias: 'al2023@latest' }],
      rule: aRule({ match: { ids: ['new'], variants: { architectures: ['arm64'] } } }),
      chosen: ['new'],
    },
    {
      fact: 'is free again when the rule has ended',
      terms: [{ alias: 'al2023@latest' }],
      rule: aRule({ until: '2024-03-01T00:00:00Z' }),
      chosen: ['new'],
    },
  ] as readonly { fact: string; terms: AmiSelectorTerm[]; rule: ImageRule; chosen: string[] }[]) {
    test(fact, () => {
      expect(decide(terms, [old, fresh], [rule]).selected.map(({ id }) => id)).toEqual(chosen);
    });
  }
  test('leaves nothing to a pin that names it, and the message says so', () => {
    expect(decide([{ id: 'new' }], [fresh], [aRule({})])).toMatchObject({
      selected: [],
      problem: {
        reason: 'AMINotFound',
        message: `AMISelector did not match any AMIs: spec.amiSelectorTerms[0].id "new": ImageRule cve blocks new (${fresh.name}): CVE-1`,
      },
    });
  });
  test('is told with its rule, and the decision ends with the rule', () => {
    const decision = decide([{ alias: 'al2023@latest' }], [old, fresh], [aRule({ until: '2024-04-01T00:00:00Z' })]);
    expect(decision.passedOver.map(({ reason }) => reason)).toEqual([
      { kind: 'blocked', rule: 'cve', because: 'CVE-1' },
    ]);
    expect(decision.validUntil && toTimestamp(decision.validUntil)).toBe('2024-04-01T00:00:00Z');
  });
});

test('an expedited image skips its bake time, and a block wins over it', () => {
  const terms = [{ alias: 'al2023@latest', minimumAgeDuration: '60d' }];
  const expedite = aRule({ verdict: 'Expedited' }, 'hurry');
  expect(decide(terms, [old, fresh], [expedite]).selected.map(({ id }) => id)).toEqual(['new']);
  expect(decide(terms, [old, fresh], [expedite, aRule({})]).selected.map(({ id }) => id)).toEqual(['old']);
});

test.each([
  ['v20240201', 'v20240201', true],
  ['v20240201', '>=v20240201', true],
  ['v20240201', '>v20240201', false],
  ['v20240201', '>v20240101 <=v20240201', true],
  ['1.20.4', '<v1.20.10', true],
  [undefined, 'v1', false],
])('%s is within %s: %s', (version, bounds, isWithin) => {
  expect(isVersionWithin(version, bounds)).toBe(isWithin);
});

test.each([
  ['amazon-eks-node-1.29-v20240117', 'AL2', 'v20240117'],
  ['amazon-eks-gpu-node-1.29-v20240117', 'AL2', 'v20240117'],
  [name('v20240129'), 'AL2023', 'v20240129'],
  ['bottlerocket-aws-k8s-1.29-x86_64-v1.19.2-29cc92cc', 'Bottlerocket', 'v1.19.2'],
  ['Windows_Server-2022-English-Core-EKS_Optimized-1.29-2024.01.09', 'Windows2022', '2024.01.09'],
  ['golden-2024-01', undefined, undefined],
])('the name %s tells family %s and release %s', (text, family, version) => {
  expect(releaseOfImageName(text)).toEqual(family === undefined ? undefined : { family, version });
});
