import { earliest } from '@nodewright/apis';
import type { ImageRule, Instant, NodeSelectorRequirement, StatusAmi } from '@nodewright/apis';
import { adviceOn } from './image-advice.ts';
import type { FoundImage } from './found-image.ts';
import type { FirstSeen } from './image-age.ts';
import type { ImageQuery } from './image-query.ts';
import { nothingSelected, unusableTerms } from './image-problem.ts';
import type { ImageProblem, TurnedDownImages } from './image-problem.ts';
import { endsOfRules } from './image-rules.ts';
import { type ImageHold, type ImageGate, imagesForLaunches, type RolloutImages } from './launch-rule.ts';
import { byCreation, byPreference, imageCandidates, statusAmi } from './image-candidate.ts';
import type { ImageCandidate } from './image-candidate.ts';
import type { FamilyReleases } from './missing-release.ts';
import { compareReleases } from './release-order.ts';

/** Why an image that was found is not launched. */
export type PassedOverReason =
  | { readonly kind: 'tooYoung'; readonly matureAt: Instant }
  /** Newer than the release that the family's moving parameter names: withdrawn, or not promoted yet. */
  | { readonly kind: 'notRecommended'; readonly recommended: string }
  /** A rule keeps it from being launched. */
  | { readonly kind: 'blocked'; readonly rule: string; readonly because: string }
  /** The policy that governs the images does not lead to it yet. */
  | { readonly kind: ImageHold['reason']; readonly because: string }
  | { readonly kind: 'deprecated'; readonly instead: string }
  | { readonly kind: 'older'; readonly instead: string };

export type PassedOverImage = { readonly image: FoundImage; readonly reason: PassedOverReason };

export type ImageDecision = {
  /** What may be launched, in the order in which instance types choose: `status.amis`. */
  readonly selected: readonly StatusAmi[];
  readonly passedOver: readonly PassedOverImage[];
  /** Kinds of instance types that get no image only because every one for them is too young. */
  readonly withheld: readonly (readonly NodeSelectorRequirement[])[];
  /** The next instant at which the answer can change by itself; absent when only new releases can change it. */
  readonly validUntil?: Instant;
  /** Why nothing can be launched, for the condition `AMIsReady`. */
  readonly problem?: ImageProblem;
  /** What a person should know of a selection that works. */
  readonly advice: readonly string[];
  /** What the rollout that governs the images makes of the selection; absent without one. */
  readonly rollout?: RolloutImages;
};

export type ImageDecisionInput = {
  readonly query: ImageQuery;
  /** What the query finds. */
  readonly images: readonly FoundImage[];
  readonly firstSeen?: FirstSeen;
  /** The releases of families whose pinned release was not found. */
  readonly releases?: readonly FamilyReleases[];
  /** Releases that were there before, as keys of `releaseKey`. */
  readonly seenReleases?: ReadonlySet<string>;
  /** Rules that block images, or let them skip their bake time. */
  readonly rules?: readonly ImageRule[];
  /** How far a rollout has let the images go; absent where no policy governs them. */
  readonly gate?: ImageGate;
  readonly now: Instant;
};

/** Images for the same instance types: at most one is chosen. */
type Contest = {
  readonly chosen: ImageCandidate | undefined;
  readonly others: readonly { readonly candidate: ImageCandidate; readonly reason: PassedOverReason }[];
};

/**
 * The one decision about images: what may be launched now, why not the rest, and until when that
 * holds. Launch, drift and explanations all read this answer.
 *
 * Images are grouped by the instance types they are for, and one per group is selected: among those
 * out for long enough, a healthy one before a deprecated one, then the newest. A term that names its
 * images or pins a release ignores age. Never falls back to an image that is too young. An image that a
 * rule blocks is never selected, whatever selects it. Where a rollout governs the images, it decides which
 * of the proven and the new ones each launch gets (`imagesForLaunches`).
 */
export function decideImages(input: ImageDecisionInput): ImageDecision {
  const { query, images, firstSeen = new Map<string, Instant>(), now } = input;
  const unusable = unusableTerms(query);
  if (unusable !== undefined) return { selected: [], passedOver: [], withheld: [], advice: [], problem: unusable };
  const { rules = [], gate } = input;
  const candidates = imageCandidates(query, images, { firstSeen, rules, now });
  const contests = [...grouped(candidates, ({ kind }) => kind).values()].map((group) => contest(group, now));
  const chosen = contests.flatMap((each) => each.chosen ?? []);
  const validUntil = earliest(...contests.flatMap((each) => changesOf(each, now)), ...endsOfRules(rules, now));
  const wanted = chosen.toSorted(byCreation).map(statusAmi);
  const rollout = gate === undefined ? undefined : imagesForLaunches(wanted, gate);
  const selected = rollout === undefined ? wanted : rollout.ordinary;
  return {
    selected,
    passedOver: [
      ...contests.flatMap(({ others }) => others.map(({ candidate: { image }, reason }) => ({ image, reason }))),
      ...heldByPolicy(chosen, selected, gate),
    ],
    withheld: contests.flatMap(withheldOf),
    ...(validUntil === undefined ? {} : { validUntil }),
    advice: adviceOn(query, chosen, firstSeen),
    ...(rollout === undefined ? {} : { rollout }),
    ...(selected.length > 0 ? {} : { problem: nothingSelected(input, turnedDown(contests)) }),
  };
}

/** Images that would be launched without the policy, and that it does not lead to yet. */
function heldByPolicy(
  chosen: readonly ImageCandidate[],
  selected: readonly StatusAmi[],
  { held = [] }: Pick<ImageGate, 'held'> = {},
): readonly PassedOverImage[] {
  const launched = new Set(selected.map(({ id }) => id));
  return chosen.flatMap(({ image }) => {
    const entry = launched.has(image.id) ? undefined : held.find((each) => each.image === image.id);
    return entry === undefined ? [] : [{ image, reason: { kind: entry.reason, because: entry.because } }];
  });
}

function contest(group: readonly ImageCandidate[], now: Instant): Contest {
  const byTerm = grouped(group, ({ image }) => String(image.term));
  const recommendedOf = (candidate: ImageCandidate) =>
    byTerm.get(String(candidate.image.term))?.find(({ image }) => image.recommended);
  const held = new Map(group.map((candidate) => [candidate, holdOf(candidate, recommendedOf(candidate), now)]));
  const chosen = group.filter((candidate) => held.get(candidate) === undefined).toSorted(byPreference)[0];
  return {
    chosen,
    // The chosen image may have been found by several terms.
    others: group
      .filter(({ image }) => image.id !== chosen?.image.id)
      .flatMap((candidate) => {
        const reason = held.get(candidate) ?? (chosen && outdone(candidate, chosen));
        return reason === undefined ? [] : [{ candidate, reason }];
      }),
  };
}

/**
 * What its own term holds against a candidate. Where the recommended release is known, none beyond it is
 * launched; and without a minimum age, only that one.
 */
function holdOf(
  { image, term, matureAt, verdict }: ImageCandidate,
  recommended: ImageCandidate | undefined,
  now: Instant,
): PassedOverReason | undefined {
  if (verdict.kind === 'blocked') return { kind: 'blocked', rule: verdict.rule, because: verdict.reason };
  const newest = image.recommendedVersion ?? recommended?.image.version;
  if (term.kind === 'latest' && newest !== undefined) {
    const instead = recommended?.image.id ?? newest;
    if (compareReleases(image.version, newest) > 0) return { kind: 'notRecommended', recommended: instead };
    // Where a rule blocks the recommended release, the newest of those before it takes its place.
    const isReplaceable = recommended?.verdict.kind !== 'blocked';
    if (term.minimumAgeMs === 0 && image.recommended !== true && isReplaceable) return { kind: 'older', instead };
  }
  return matureAt > now ? { kind: 'tooYoung', matureAt } : undefined;
}

const outdone = (candidate: ImageCandidate, best: ImageCandidate): PassedOverReason => ({
  kind: candidate.deprecated && !best.deprecated ? 'deprecated' : 'older',
  instead: best.image.id,
});

/** When a better image matures, and when the chosen one becomes deprecated. */
function changesOf({ chosen, others }: Contest, now: Instant): readonly Instant[] {
  const maturing = others.flatMap(({ candidate, reason }) =>
    reason.kind === 'tooYoung' && (chosen === undefined || byPreference(candidate, chosen) < 0)
      ? [reason.matureAt]
      : [],
  );
  const deprecatedAt = chosen?.image.deprecatedAt;
  return deprecatedAt !== undefined && deprecatedAt > now ? [...maturing, deprecatedAt] : maturing;
}

function withheldOf({ chosen, others }: Contest): readonly (readonly NodeSelectorRequirement[])[] {
  const young = others.find(({ reason }) => reason.kind === 'tooYoung');
  return chosen === undefined && young !== undefined ? [young.candidate.requirements] : [];
}

const turnedDown = (contests: readonly Contest[]): TurnedDownImages => ({
  young: refusedAs('tooYoung', contests),
  blocked: refusedAs('blocked', contests),
});

const refusedAs = (kind: PassedOverReason['kind'], contests: readonly Contest[]): readonly ImageCandidate[] =>
  contests.flatMap(({ others }) =>
    others.flatMap(({ candidate, reason }) => (reason.kind === kind ? [candidate] : [])),
  );

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
