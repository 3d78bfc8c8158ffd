import { earliest, type Instant, type NodeRollout, type VariantImage } from '@nodewright/apis';
import { findImageOf, imagesBeyond, type ImageSet, sortImageSet } from './image-set.ts';
import { judgePromotion } from './promotion.ts';
import { isResumed } from './requests.ts';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';

/** A wanted image that a rollout does not lead to yet, and why. */
export type HeldImage = {
  readonly image: VariantImage;
  readonly because: string;
  readonly kind: 'notProvenUpstream' | 'haltedUpstream' | 'failedBefore';
};

export type WantedSet = {
  /** Where rollouts lead to now: the wanted images, and the baseline where a wanted image is held or not wanted any more. */
  readonly images: ImageSet;
  readonly held: readonly HeldImage[];
  readonly changesAt?: Instant;
};

export type WantedSetQuestion = {
  readonly baseline: ImageSet;
  /** Where the rollout under way leads to. */
  readonly running: ImageSet;
  readonly settings: RolloutSettings;
  readonly seen: RolloutSnapshot;
};

/**
 * Where a rollout would lead to now. An image that failed before, or that is not proven upstream, is not wanted; nor is
 * nothing at all, which is what a pin selects that a rule blocks: the baseline stays. What happens upstream later does
 * not take back a rollout that has begun; a halt there halts it.
 */
export function resolveWantedSet({ baseline, running, settings, seen }: WantedSetQuestion): WantedSet {
  const held: HeldImage[] = [];
  const changes: (Instant | undefined)[] = [];
  const refused = imagesThatFailed(seen);
  const images = seen.wanted.flatMap((wanted) => {
    const proven = findImageOf(baseline, wanted);
    if (proven?.image === wanted.image) return [wanted];
    const promotion = judgePromotion(wanted, { promotion: settings.promotion, upstream: seen.upstream, now: seen.now });
    const because = refused.get(wanted.image);
    if (because !== undefined) held.push({ image: wanted, because, kind: 'failedBefore' });
    else if (promotion.kind === 'proven') return [wanted];
    else {
      const isBegun = findImageOf(running, wanted)?.image === wanted.image;
      if (promotion.kind === 'notProvenUpstream' && isBegun) return [wanted];
      held.push({ image: wanted, because: promotion.because, kind: promotion.kind });
      if (isBegun) return [wanted];
      if (promotion.kind === 'notProvenUpstream') changes.push(promotion.changesAt);
    }
    return proven ?? [];
  });
  const kept = baseline.filter((image) => findImageOf(images, image) === undefined && isGoverned(image, seen));
  const changesAt = earliest(...changes);
  return { images: sortImageSet([...images, ...kept]), held, ...(changesAt === undefined ? {} : { changesAt }) };
}

const isGoverned = ({ source }: VariantImage, { objects }: RolloutSnapshot): boolean =>
  objects.some((object) => object.source === source);

/**
 * Images of rollouts that halted or were taken back. A person gives one free by deleting the rule that was written for
 * it, or by resuming the rollout.
 */
function imagesThatFailed(seen: RolloutSnapshot): ReadonlyMap<string, string> {
  const { rollouts, rules } = seen;
  const failed = new Map<string, string>();
  for (const { metadata, spec, status } of rollouts.filter(
    (each) => isHaltRemembered(each) && !isResumed(each, seen),
  )) {
    const halted = status?.halted;
    if (halted === undefined) continue;
    const names = new Set(rules.map((rule) => rule.metadata.name));
    const isLifted =
      halted.areRulesWritten === true && halted.rules.length > 0 && !halted.rules.some((name) => names.has(name));
    if (isLifted) continue;
    for (const entry of imagesBeyond(spec.from, spec.to))
      if (halted.variants.includes(entry.variant))
        failed.set(entry.image, `${metadata.name} halted: ${halted.message}`);
  }
  return failed;
}

/**
 * A rollback that halted says nothing of the proven image that it led to. A target that a rule blocked has not failed: while
 * the rule is there it is not wanted, and afterwards nothing speaks against it.
 */
const isHaltRemembered = ({ spec, status }: NodeRollout): boolean =>
  spec.cause !== 'Rollback' && status?.halted !== undefined && status.halted.reason !== 'TargetBlocked';
