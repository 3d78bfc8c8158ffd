import { fromTimestamp, instant, parseAge, type Instant, type PromotionSettings } from '@nodewright/apis';
import { parseVariant } from '../images/variants.ts';

/** What one cluster has proven of one variant, by family and version: image ids are of one region. */
export type ProvenRelease = {
  readonly variant: string;
  readonly release: string;
  readonly completedAt: string;
  readonly nodeHours: number;
  readonly pods: number;
  readonly failures: number;
  readonly verdict: 'Proven' | 'Halted';
};

/** What a policy publishes of itself. */
export type EvidenceRecord = {
  readonly cluster: string;
  readonly policy: string;
  readonly at: string;
  readonly releases: readonly ProvenRelease[];
  /** The wave that is under way, since when it is announced. */
  readonly running?: RunningWave;
};

export type RunningWave = {
  readonly rollout: string;
  readonly wave: string;
  readonly since: string;
  /** How far it is with clusters that must not run one at the same time; absent in records of older versions. */
  readonly stage?: WaveStage;
  readonly stageSince?: string;
};

/** Nodes go when it has begun. One that is beginning goes back to waiting when it sees another. */
export type WaveStage = 'Waiting' | 'Beginning' | 'Begun';

/** What was read of the place that requirement number `requirement` names, and when. Neighbours come after the last one. */
export type UpstreamReading = { readonly requirement: number; readonly readAt: Instant } & (
  | { readonly kind: 'read'; readonly record: EvidenceRecord }
  /** `last`: what was read before it failed. */
  | { readonly kind: 'unreadable'; readonly message: string; readonly last?: EvidenceRecord }
);

/** Whether a release is wanted here yet. */
export type PromotionState =
  | { readonly kind: 'proven' }
  | { readonly kind: 'notProvenUpstream'; readonly because: string; readonly changesAt?: Instant }
  /** A rollout of it has halted upstream. */
  | { readonly kind: 'haltedUpstream'; readonly because: string };

/** The places whose records are read: those of `require`, then those of `neighbours`. */
export const placesToRead = ({ require = [], neighbours = [] }: PromotionSettings) => [
  ...require.map(({ from }) => from),
  ...neighbours,
];

export type PromotionQuestion = {
  readonly promotion: PromotionSettings | undefined;
  readonly upstream: readonly UpstreamReading[];
  readonly now: Instant;
};

type ReleaseOfVariant = { readonly variant: string; readonly release?: string | undefined };

/**
 * Whether every required place has proven a release. A record that cannot be read holds; it never opens. An image
 * without a release cannot be proven elsewhere.
 */
export function judgePromotion(
  wanted: ReleaseOfVariant,
  { promotion, upstream, now }: PromotionQuestion,
): PromotionState {
  for (const [index, requirement] of (promotion?.require ?? []).entries()) {
    const reading = upstream.find((each) => each.requirement === index);
    const state = judgeRequirement(wanted, requirement, reading, now);
    if (state.kind !== 'proven') return state;
  }
  return { kind: 'proven' };
}

type Requirement = NonNullable<PromotionSettings['require']>[number];

function judgeRequirement(
  { variant, release }: ReleaseOfVariant,
  requirement: Requirement,
  reading: UpstreamReading | undefined,
  now: Instant,
): PromotionState {
  const held = (because: string, changesAt?: Instant): PromotionState => ({
    kind: 'notProvenUpstream',
    because,
    ...(changesAt === undefined ? {} : { changesAt }),
  });
  if (reading === undefined) return held('its record has not been read yet');
  if (reading.kind === 'unreadable') return held(`its record cannot be read: ${reading.message}`);
  const { cluster, releases } = reading.record;
  if (release === undefined) return held(`${cluster} proves releases, and the image belongs to none`);
  const ofRelease = releases.filter((each) => each.release === release && isSameFamily(each.variant, variant));
  const halted = ofRelease.find(({ verdict }) => verdict === 'Halted');
  if (halted !== undefined)
    return { kind: 'haltedUpstream', because: `${release} halted in ${cluster} with ${halted.failures} failed nodes` };
  const own = ofRelease.find((each) => each.variant === variant);
  if (own === undefined) return held(`${cluster} has not proven ${release} for ${variant}`);
  const { completedFor, minimumNodeHours = 0 } = requirement;
  if (own.nodeHours < minimumNodeHours)
    return held(`${cluster} has ${own.nodeHours} of ${minimumNodeHours} node-hours of ${release}`);
  const ripeAt = instant(fromTimestamp(own.completedAt) + (completedFor === undefined ? 0 : parseAge(completedFor)));
  return ripeAt <= now
    ? { kind: 'proven' }
    : held(`${cluster} completed ${release} less than ${completedFor} ago`, ripeAt);
}

const isSameFamily = (a: string, b: string): boolean => parseVariant(a)?.family === parseVariant(b)?.family;
