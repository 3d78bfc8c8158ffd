import type { StatusAmi, VariantImage } from '@nodewright/apis';
import { statusAmiOf } from './variants.ts';

/** Why an image that was proven cannot be launched any more. */
export type ImageObstacle =
  | { readonly kind: 'gone' }
  | { readonly kind: 'blocked'; readonly rule: string }
  /** Its kubelet is newer than the control plane, or too old for it. */
  | { readonly kind: 'outsideSkew'; readonly kubernetesVersion: string };

/** How far a rollout is. In its last wave every launch is for the target. */
export type GateStage = 'waves' | 'lastWave';

export type GatedImage = VariantImage & { readonly obstacle?: ImageObstacle };

/** Why a policy leads to an image not yet. */
export type ImageHold = {
  readonly image: string;
  readonly reason: 'notProvenUpstream' | 'haltedUpstream' | 'failedBefore';
  readonly because: string;
};

/** What a rollout says of the images of one EC2NodeClass or NodeGroup. */
export type ImageGate = {
  /** Name of the NodeRollout; absent while none is under way, and everything is launched from the baseline. */
  readonly rollout?: string;
  readonly stage: GateStage;
  /** Images that are proven. */
  readonly baseline: readonly GatedImage[];
  /** Images that the rollout leads to. */
  readonly target: readonly GatedImage[];
  /** Variants whose rollout has halted: no launch of theirs gets the target. */
  readonly halted: readonly string[];
  /** Images that are wanted, and that no rollout leads to yet. */
  readonly held?: readonly ImageHold[];
  /** Variants whose target failed: it is not launched in place of a baseline that is gone. */
  readonly failed: readonly string[];
};

/** Why a node is launched. A seat is a place in a wave; every other launch is ordinary. */
export type LaunchPurpose =
  | 'seat'
  | 'scaleUp'
  | 'spotReplacement'
  | 'consolidation'
  | 'expiry'
  | 'repair'
  | 'staticPool'
  | 'nodeGroup';

/** Which image a launch of one variant gets, and why. */
export type LaunchImageChoice =
  | {
      readonly set: 'baseline' | 'target';
      readonly image: VariantImage;
      readonly because: 'seat' | 'lastWave' | 'proven' | 'newVariant' | ImageObstacle['kind'];
    }
  | { readonly set: 'none'; readonly variant: string; readonly because: 'halted' | 'noTarget' | ImageObstacle['kind'] };

/**
 * The launch rule: which of the proven and the new image of a variant a launch gets.
 *
 * A seat gets the target, and nothing once the rollout has halted. Every other launch, whatever its purpose, gets the
 * baseline until the last wave, and the target from then on. Where the baseline cannot be launched any more, the
 * target takes its place if none of its nodes failed, because pending pods must not wait for a soak; else nothing is
 * launched. A variant without a baseline gets the target.
 */
export function chooseLaunchImage(variant: string, purpose: LaunchPurpose, gate: ImageGate): LaunchImageChoice {
  const baseline = gate.baseline.find((image) => image.variant === variant);
  const target = gate.target.find((image) => image.variant === variant);
  const isHalted = gate.halted.includes(variant);
  const isTargetUsable = target !== undefined && target.obstacle === undefined && !isHalted;
  if (purpose === 'seat') {
    if (isHalted) return { set: 'none', variant, because: 'halted' };
    if (target === undefined) return { set: 'none', variant, because: 'noTarget' };
    if (target.obstacle !== undefined) return { set: 'none', variant, because: target.obstacle.kind };
    return { set: 'target', image: target, because: 'seat' };
  }
  if (gate.stage === 'lastWave' && isTargetUsable) return { set: 'target', image: target, because: 'lastWave' };
  if (baseline !== undefined && baseline.obstacle === undefined)
    return { set: 'baseline', image: baseline, because: 'proven' };
  const because = baseline?.obstacle?.kind ?? 'newVariant';
  if (isTargetUsable && !gate.failed.includes(variant)) return { set: 'target', image: target, because };
  return {
    set: 'none',
    variant,
    because: baseline?.obstacle?.kind ?? (isHalted ? 'halted' : 'noTarget'),
  };
}

/** The images of a governed EC2NodeClass or NodeGroup. */
export type RolloutImages = {
  readonly rollout?: string;
  /** What may be launched without the rollout. */
  readonly wanted: readonly StatusAmi[];
  /** What an ordinary launch gets: `status.amis`. */
  readonly ordinary: readonly StatusAmi[];
  /** What a launch that takes a seat gets. */
  readonly seats: readonly StatusAmi[];
  /** The choices for ordinary launches that are not the baseline, for conditions and explanations. */
  readonly exceptions: readonly LaunchImageChoice[];
};

/** Applies the launch rule to every variant. */
export function imagesForLaunches(wanted: readonly StatusAmi[], gate: ImageGate): RolloutImages {
  const variants = [...new Set([...gate.baseline, ...gate.target].map(({ variant }) => variant))].toSorted();
  const ordinary = variants.map((variant) => chooseLaunchImage(variant, 'scaleUp', gate));
  const seats = variants.map((variant) => chooseLaunchImage(variant, 'seat', gate));
  return {
    ...(gate.rollout === undefined ? {} : { rollout: gate.rollout }),
    wanted,
    ordinary: ordinary.flatMap(imageOfChoice),
    seats: seats.flatMap(imageOfChoice),
    exceptions: ordinary.filter(({ because }) => because !== 'proven' && because !== 'lastWave'),
  };
}

/** Which images the launch of one claim may use. */
export type ClaimImages =
  | { readonly kind: 'selected'; readonly images: readonly StatusAmi[] }
  /** The claim takes a seat, and the rollout lets nothing be launched for it now. */
  | { readonly kind: 'noSeat'; readonly rollout: string };

/**
 * The images that a claim may be launched from: those of its seat where it names the rollout under way, else what was
 * selected for every launch of its class.
 * @param rollout the rollout that the claim was made for
 */
export function selectClaimImages(
  rollout: string | undefined,
  { selected, gate }: { readonly selected: readonly StatusAmi[]; readonly gate: ImageGate | undefined },
): ClaimImages {
  if (rollout === undefined || gate === undefined || gate.rollout !== rollout)
    return { kind: 'selected', images: selected };
  const images = imagesForLaunches(selected, gate).seats;
  return images.length === 0 ? { kind: 'noSeat', rollout } : { kind: 'selected', images };
}

function imageOfChoice(choice: LaunchImageChoice): readonly StatusAmi[] {
  const image = choice.set === 'none' ? undefined : statusAmiOf(choice.image);
  return image === undefined ? [] : [image];
}
