import type { VariantImage } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { decideImages } from './decide-images.ts';
import { chooseLaunchImage, type GatedImage, type ImageGate, type LaunchPurpose } from './launch-rule.ts';

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
