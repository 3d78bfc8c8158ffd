import { type VariantImage, byTextOf, inOrder } from '@nodewright/apis';

/** Images by source and variant: at most one for each. */
export type ImageSet = readonly VariantImage[];

type Place = Pick<VariantImage, 'source' | 'variant'>;

export const findImageOf = (set: ImageSet, { source, variant }: Place): VariantImage | undefined =>
  set.find((image) => image.source === source && image.variant === variant);

/** All images of both; where both have one, that of `over`. In order. */
export function mergeImageSets(base: ImageSet, over: ImageSet): ImageSet {
  const kept = base.filter((image) => findImageOf(over, image) === undefined);
  return sortImageSet([...kept, ...over]);
}

export const sortImageSet = (set: ImageSet): ImageSet =>
  set.toSorted(
    inOrder(
      byTextOf(({ source }) => source),
      byTextOf(({ variant }) => variant),
    ),
  );

/** The images of `set` that `base` does not have. */
export const imagesBeyond = (base: ImageSet, set: ImageSet): ImageSet =>
  set.filter((image) => findImageOf(base, image)?.image !== image.image);

/** The releases that a rollout leads to, or the images where they have none. Images that stay are left out. */
export function printRolloutTarget({ from, to }: { readonly from: ImageSet; readonly to: ImageSet }): string {
  const moved = imagesBeyond(from, to).map(({ release, image }) => release ?? image);
  return [...new Set(moved)].join(',') || '-';
}

export const isSameImageSet = (a: ImageSet, b: ImageSet): boolean =>
  a.length === b.length && imagesBeyond(a, b).length === 0;
