import type { NodeRollout, NodeRolloutStatus, RolloutSeat, VariantImage } from '@nodewright/apis';
import { isVariantInUse, type RolloutSnapshot } from '@nodewright/engine';

/** `Soaking, wave canary`. */
export const stateWords = ({ state = 'Pending', wave, endedAt }: NodeRolloutStatus): string =>
  wave === undefined || endedAt !== undefined ? state : `${state}, wave ${wave}`;

/** The move of an image in words; absent for an image that stays. */
function moveOf(to: VariantImage, from: readonly VariantImage[]): string | undefined {
  const before = from.find(({ source, variant }) => source === to.source && variant === to.variant);
  if (before?.image === to.image) return undefined;
  return `${to.variant}: ${before === undefined ? 'none' : imageWords(before)} -> ${imageWords(to)}`;
}

/**
 * The moves of all images in words: sources with the same move share a line. Variants that no node runs are named together,
 * where nodes run others.
 * @param seen what is known of the nodes; without it every variant counts as one that a node runs
 */
export function listImageChanges(
  { from, to }: Pick<NodeRollout['spec'], 'from' | 'to'>,
  seen?: Pick<RolloutSnapshot, 'nodes' | 'objects'>,
): readonly string[] {
  const known = seen === undefined ? [] : to.filter((image) => isVariantInUse(image, seen));
  const used = known.length === 0 ? to : known;
  const sourcesOfMove = new Map<string, readonly string[]>();
  for (const image of used) {
    const move = moveOf(image, from);
    if (move !== undefined) sourcesOfMove.set(move, [...(sourcesOfMove.get(move) ?? []), image.source]);
  }
  const unused = to.filter((image) => !used.includes(image) && moveOf(image, from) !== undefined);
  const isRun = (variant: string): boolean => used.some((image) => image.variant === variant);
  const variants = [...new Set(unused.map(({ variant }) => variant))].filter((each) => !isRun(each)).toSorted();
  return [
    ...[...sourcesOfMove].map(([move, sources]) => `${sources.join(', ')}, ${move}`),
    ...(variants.length === 0 ? [] : [`and ${variants.join(', ')}, which no node runs`]),
  ];
}

/** `v20240807 -> v20240828`: the releases, or the images where they have none. Moves that are the same are named once. */
export function releaseChangeWords({ from, to }: NodeRollout['spec']): string {
  const moves = to
    .filter((image) => moveOf(image, from) !== undefined)
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
