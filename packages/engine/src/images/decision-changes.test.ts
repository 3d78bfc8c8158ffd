import { type AmiSelectorTerm, fromTimestamp, toTimestamp } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import type { FoundImage } from './found-image.ts';
import type { ImageGate, ImageHold } from './launch-rule.ts';

const now = fromTimestamp('2024-03-01T00:00:00Z');
const own: AmiSelectorTerm[] = [{ tags: { team: 'a' } }];
const ownBaked: AmiSelectorTerm[] = [{ tags: { team: 'a' }, minimumAgeDuration: '10d' }];
const decide = (terms: readonly AmiSelectorTerm[], images: readonly FoundImage[], gate?: ImageGate) =>
  decideImages({
    query: { terms, kubernetesVersion: '1.29' },
    images,
    now,
    ...(gate === undefined ? {} : { gate }),
  });

describe('a decision about images can change by itself', () => {
  const old = anImage('old');
  const young = anImage('young', { created: '2024-02-25' });
  for (const [fact, terms, images, at] of [
    ['never where nothing matures and nothing is deprecated', own, [old]],
    ['when a newer image is old enough', ownBaked, [old, young], '2024-03-06T00:00:00Z'],
    ['when the first image is old enough, where there is none yet', ownBaked, [young], '2024-03-06T00:00:00Z'],
    [
      'when the first of several newer images is old enough',
      ownBaked,
      [old, anImage('younger', { created: '2024-02-28' }), young],
      '2024-03-06T00:00:00Z',
    ],
    [
      'not when a deprecated image is old enough that is no better than a healthy one',
      ownBaked,
      [old, anImage('bad', { created: '2024-02-25', deprecated: '2024-02-26' })],
    ],
    [
      'when the chosen image becomes deprecated',
      own,
      [old, anImage('new', { created: '2024-02-01', deprecated: '2024-05-01' })],
      '2024-05-01T00:00:00Z',
    ],
    [
      'when the only image becomes deprecated, although it stays',
      own,
      [anImage('new', { created: '2024-02-01', deprecated: '2024-05-01' })],
      '2024-05-01T00:00:00Z',
    ],
    ['not when the chosen image is deprecated already', own, [anImage('old', { deprecated: '2024-02-01' })]],
    ['not at the instant at which it becomes so', own, [anImage('old', { deprecated: '2024-03-01T00:00:00Z' })]],
    [
      'not when an image becomes deprecated that is not chosen',
      own,
      [anImage('old', { deprecated: '2024-05-01' }), anImage('new', { created: '2024-02-01' })],
    ],
    [
      'at the earliest of these times',
      ownBaked,
      [anImage('old', { deprecated: '2024-03-03' }), young],
      '2024-03-03T00:00:00Z',
    ],
    [
      'at the earliest of these times, of whatever architecture',
      ownBaked,
      [old, young, anImage('arm', { arch: 'arm64', deprecated: '2024-03-04' })],
      '2024-03-04T00:00:00Z',
    ],
  ] as readonly (readonly [string, readonly AmiSelectorTerm[], readonly FoundImage[], string?])[]) {
    test(fact, () => {
      const { validUntil } = decide(terms, images);
      expect(validUntil && toTimestamp(validUntil)).toBe(at);
    });
  }
});

describe('an image that a policy does not lead to yet', () => {
  const variant = 'custom/amd64/none';
  const baseline = (image: string) => ({ source: 'EC2NodeClass/default', variant, image });
  const aGate = (held: readonly ImageHold[], target: readonly string[] = []): ImageGate => ({
    stage: 'lastWave',
    baseline: [baseline('old')],
    target: target.map(baseline),
    halted: [],
    failed: [],
    held,
    ...(target.length > 0 && { rollout: 'web-1' }),
  });
  const images = [anImage('old'), anImage('new', { created: '2024-02-01' })];
  const hold = { image: 'new', reason: 'notProvenUpstream', because: 'staging has not proven it' } as const;
  const toldOf = (gate: ImageGate) =>
    decide(own, images, gate).passedOver.map(({ image, reason }) => [
      image.id,
      reason.kind,
      Reflect.get(reason, 'because'),
    ]);

  test('is passed over for its reason', () => {
    expect(toldOf(aGate([hold]))).toContainEqual(['new', 'notProvenUpstream', 'staging has not proven it']);
  });

  test('is told of once, and none beside it', () => {
    const others = [
      { ...hold, image: 'other' },
      { ...hold, image: 'old', because: 'wrong' },
    ];
    expect(toldOf(aGate([...others, hold])).filter(([, kind]) => kind === hold.reason)).toEqual([
      ['new', 'notProvenUpstream', 'staging has not proven it'],
    ]);
  });

  test('is not passed over once it is launched', () => {
    expect(toldOf(aGate([hold], ['new'])).filter(([, kind]) => kind === hold.reason)).toEqual([]);
  });

  test('is not told of where the policy holds nothing', () => {
    const { held: _, ...gate } = aGate([]);
    expect(toldOf(gate).filter(([id]) => id === 'new')).toEqual([]);
  });
});
