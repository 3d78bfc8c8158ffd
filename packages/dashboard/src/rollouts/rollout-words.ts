import type { NodeRollout, NodeRolloutStatus, RolloutSeat, VariantImage } from '@nodewright/apis';

/** `Soaking, wave canary`. */
export const stateWords = ({ state = 'Pending', wave, endedAt }: NodeRolloutStatus): string =>
  wave === undefined || endedAt !== undefined ? state : `${state}, wave ${wave}`;

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

/** What the seat of a new node waits for. */
export function seatWords({ result, since, emptySince }: RolloutSeat): string {
  if (result !== undefined) return result === 'Proven' ? 'proven' : 'waived';
  if (since !== undefined) return `soaks since ${since}`;
  return emptySince === undefined ? 'not Ready with pods yet' : `runs no pods since ${emptySince}`;
}
