import type { NodeRollout, NodeRolloutStatus, VariantImage } from '@nodewright/apis';

/** `Soaking, wave canary`. */
export const stateWords = ({ state = 'Pending', wave, endedAt }: NodeRolloutStatus): string =>
  wave === undefined || endedAt !== undefined ? state : `${state}, wave ${wave}`;

type RolloutCounts = Pick<NodeRolloutStatus, 'updated' | 'ready' | 'total' | 'failed' | 'remaining' | 'endedAt'> & {
  /** Present where it has halted. */
  readonly halted?: unknown;
};

/** `1 of 12 updated, 0 failed, 11 to go`. After a halt or an end no node goes any more: the others stay on what they run. */
export function countWords({ updated = 0, total = 0, failed = 0, remaining = 0, ...rollout }: RolloutCounts): string {
  const { ready = updated, halted, endedAt } = rollout;
  const updatedWords = `${updated} of ${total} updated${ready < updated ? ` (${ready} Ready)` : ''}`;
  const isStopped = halted !== undefined || endedAt !== undefined;
  return `${updatedWords}, ${failed} failed, ${remaining} ${isStopped && remaining > 0 ? 'not moved' : 'to go'}`;
}

/** The move of an image in words; nothing for an image that stays. */
export function imageChangeOf(to: VariantImage, from: readonly VariantImage[]): readonly string[] {
  const before = from.find(({ source, variant }) => source === to.source && variant === to.variant);
  if (before?.image === to.image) return [];
  return [`${to.source}, ${to.variant}: ${before === undefined ? 'none' : imageWords(before)} -> ${imageWords(to)}`];
}

/** `v20240807 -> v20240828`: the releases, or the images where they have none. Moves that are the same are named once. */
export function releaseChangeWords({ from, to }: NodeRollout['spec']): string {
  const moves = to
    .filter((image) => imageChangeOf(image, from).length > 0)
    .map((image) => {
      const before = from.find(({ source, variant }) => source === image.source && variant === image.variant);
      return `${before === undefined ? 'none' : releaseWords(before)} -> ${releaseWords(image)}`;
    });
  return [...new Set(moves)].join(', ');
}

const releaseWords = ({ image, release }: VariantImage): string => release ?? image;

const imageWords = ({ image, release }: VariantImage): string =>
  release === undefined ? image : `${release} (${image})`;

/** The releases that a rollout leads to, or the images where they have none; without those that stay. */
export const targetWords = ({ spec }: NodeRollout): string => {
  const words = spec.to.filter((to) => imageChangeOf(to, spec.from).length > 0).map(releaseWords);
  return [...new Set(words)].join(',') || '-';
};
