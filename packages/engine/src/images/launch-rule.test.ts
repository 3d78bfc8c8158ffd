import type { VariantImage } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import {
  chooseLaunchImage,
  type GatedImage,
  type ImageGate,
  imagesForLaunches,
  type LaunchPurpose,
  selectClaimImages,
} from './launch-rule.ts';

const amd = 'AL2023/amd64/none';
const arm = 'AL2023/arm64/none';
const image = (id: string, variant = amd): VariantImage => ({ source: 'EC2NodeClass/default', variant, image: id });
const gone: GatedImage = { ...image('old'), obstacle: { kind: 'gone' } };

const aGate = (fields: Partial<ImageGate> = {}): ImageGate => ({
  rollout: 'production-3',
  stage: 'waves',
  baseline: [image('old')],
  target: [image('new')],
  halted: [],
  failed: [],
  ...fields,
});

const ordinary: readonly LaunchPurpose[] = [
  'scaleUp',
  'spotReplacement',
  'consolidation',
  'expiry',
  'repair',
  'staticPool',
  'nodeGroup',
];

const chosen = (purpose: LaunchPurpose, gate: ImageGate, variant = amd): string => {
  const choice = chooseLaunchImage(variant, purpose, gate);
  return choice.set === 'none' ? `none: ${choice.because}` : `${choice.image.image}: ${choice.because}`;
};

for (const { fact, gate, seat, other, variant } of [
  { fact: 'while waves run only seats get the target', gate: aGate(), seat: 'new: seat', other: 'old: proven' },
  {
    fact: 'in the last wave every launch does',
    gate: aGate({ stage: 'lastWave' }),
    seat: 'new: seat',
    other: 'new: lastWave',
  },
  {
    fact: 'after a halt none does',
    gate: aGate({ halted: [amd], failed: [amd] }),
    seat: 'none: halted',
    other: 'old: proven',
  },
  {
    fact: 'after a halt in the last wave none does either',
    gate: aGate({ stage: 'lastWave', halted: [amd] }),
    seat: 'none: halted',
    other: 'old: proven',
  },
  {
    fact: 'a halt of another variant changes nothing',
    gate: aGate({ stage: 'lastWave', halted: [arm] }),
    seat: 'new: seat',
    other: 'new: lastWave',
  },
  {
    fact: 'where the baseline is gone the target takes its place',
    gate: aGate({ baseline: [gone] }),
    seat: 'new: seat',
    other: 'new: gone',
  },
  {
    fact: 'but not once a node of it failed',
    gate: aGate({ baseline: [gone], failed: [amd] }),
    seat: 'new: seat',
    other: 'none: gone',
  },
  {
    fact: 'nor after a halt',
    gate: aGate({ baseline: [gone], halted: [amd] }),
    seat: 'none: halted',
    other: 'none: gone',
  },
  {
    fact: 'a blocked target is launched by nobody',
    gate: aGate({ stage: 'lastWave', target: [{ ...image('new'), obstacle: { kind: 'blocked', rule: 'r' } }] }),
    seat: 'none: blocked',
    other: 'old: proven',
  },
  {
    fact: 'a baseline outside of the version skew gives way',
    gate: aGate({ baseline: [{ ...image('old'), obstacle: { kind: 'outsideSkew', kubernetesVersion: '1.34' } }] }),
    seat: 'new: seat',
    other: 'new: outsideSkew',
  },
  {
    fact: 'a new variant gets the target',
    gate: aGate({ target: [image('new', arm)] }),
    variant: arm,
    seat: 'new: seat',
    other: 'new: newVariant',
  },
  {
    fact: 'without a rollout everything is proven',
    gate: aGate({ target: [] }),
    seat: 'none: noTarget',
    other: 'old: proven',
  },
] as readonly { fact: string; gate: ImageGate; seat: string; other: string; variant?: string }[]) {
  test(fact, () => {
    expect(chosen('seat', gate, variant)).toBe(seat);
    expect(new Set(ordinary.map((purpose) => chosen(purpose, gate, variant)))).toEqual(new Set([other]));
  });
}

test('a target that is not blocked and halted is launched by nothing where there is no baseline', () => {
  expect(chosen('scaleUp', aGate({ baseline: [], halted: [amd] }))).toBe('none: halted');
  expect(chosen('scaleUp', aGate({ baseline: [], target: [] }))).toBe('none: noTarget');
});

test('the rule chooses among the images of the gate, for the variant that is asked for', () => {
  const gate = aGate({
    baseline: [image('old'), image('old-arm', arm)],
    target: [image('new'), image('new-arm', arm)],
  });
  expect(chooseLaunchImage(arm, 'seat', gate)).toEqual({
    set: 'target',
    image: image('new-arm', arm),
    because: 'seat',
  });
  expect(chooseLaunchImage(amd, 'repair', gate)).toEqual({ set: 'baseline', image: image('old'), because: 'proven' });
  const last = aGate({ stage: 'lastWave' });
  expect(chooseLaunchImage(amd, 'repair', last)).toEqual({ set: 'target', image: image('new'), because: 'lastWave' });
  const replaced = aGate({ baseline: [gone] });
  expect(chooseLaunchImage(amd, 'repair', replaced)).toEqual({ set: 'target', image: image('new'), because: 'gone' });
  const none = { set: 'none', variant: amd, because: 'halted' };
  expect(chooseLaunchImage(amd, 'seat', aGate({ halted: [amd] }))).toEqual(none);
});

describe('the images of a class', () => {
  const both = { baseline: [image('old'), image('old-arm', arm)], target: [image('new-arm', arm), image('new')] };
  const idsOf = (images: readonly { readonly id: string }[]): readonly string[] => images.map(({ id }) => id);

  test('are those of every variant of the baseline and the target, once and in order', () => {
    const images = imagesForLaunches([], aGate(both));
    expect(idsOf(images.ordinary)).toEqual(['old', 'old-arm']);
    expect(idsOf(images.seats)).toEqual(['new', 'new-arm']);
    expect(images.rollout).toBe('production-3');
    expect(images.exceptions).toEqual([]);
  });

  test('of only one of the two are there too', () => {
    const images = imagesForLaunches([], aGate({ baseline: [image('old')], target: [image('new-arm', arm)] }));
    expect(idsOf(images.ordinary)).toEqual(['old', 'new-arm']);
    expect(idsOf(images.seats)).toEqual(['new-arm']);
    expect(images.exceptions).toEqual([{ set: 'target', image: image('new-arm', arm), because: 'newVariant' }]);
  });

  test('have no exceptions in the last wave, and none without a rollout', () => {
    const last = imagesForLaunches([], aGate({ ...both, stage: 'lastWave' }));
    expect([idsOf(last.ordinary), last.exceptions]).toEqual([['new', 'new-arm'], []]);
    const { rollout: _, ...without } = aGate(both);
    expect(imagesForLaunches([], without)).not.toHaveProperty('rollout');
  });
});

describe('the images of a claim', () => {
  const selected = [{ id: 'selected', requirements: [] }];
  const idsOf = (rollout: string | undefined, gate: ImageGate | undefined): string => {
    const images = selectClaimImages(rollout, { selected, gate });
    return images.kind === 'noSeat' ? `no seat in ${images.rollout}` : images.images.map(({ id }) => id).join(' ');
  };
  test.each([
    ['without a rollout are those selected', undefined, aGate(), 'selected'],
    ['without a policy are those selected', 'production-3', undefined, 'selected'],
    ['of an earlier rollout are those selected', 'production-2', aGate(), 'selected'],
    ['with a seat are the target', 'production-3', aGate(), 'new'],
    [
      'with a seat are none once the rollout has halted',
      'production-3',
      aGate({ halted: [amd] }),
      'no seat in production-3',
    ],
  ] as const)('%s', (_, rollout, gate, ids) => {
    expect(idsOf(rollout, gate)).toBe(ids);
  });
});

describe('the one decision', () => {
  const input = {
    query: { terms: [{ alias: 'al2023@latest' }], kubernetesVersion: '1.31' },
    images: [anImage('new', { variant: 'standard', recommended: true, version: 'v20260601' })],
    now: fromTimestamp('2026-06-02T00:00:00Z'),
  };
  test('without a policy, a rule or a gate is what it was, to the byte', () => {
    const before = decideImages(input);
    expect(Object.keys(before)).toEqual(['selected', 'passedOver', 'withheld', 'advice']);
    expect(JSON.stringify(decideImages({ ...input, rules: [] }))).toBe(JSON.stringify(before));
  });
  test('keeps the proven image for ordinary launches and gives seats the new one', () => {
    const decision = decideImages({ ...input, gate: aGate() });
    expect(decision.selected.map(({ id }) => id)).toEqual(['old']);
    expect(decision.rollout?.seats.map(({ id }) => id)).toEqual(['new']);
    expect(decision.rollout?.wanted).toEqual(decideImages(input).selected);
  });
  test('keeps the class ready where a rule blocks everything that is wanted', () => {
    const rule = {
      metadata: { name: 'cve' },
      spec: { match: { ids: ['new'] }, verdict: 'Blocked' as const, reason: 'CVE-1' },
    };
    expect(decideImages({ ...input, rules: [rule] }).problem?.message).toContain('ImageRule cve blocks new');
    expect(decideImages({ ...input, rules: [rule], gate: aGate() })).not.toHaveProperty('problem');
  });
});
