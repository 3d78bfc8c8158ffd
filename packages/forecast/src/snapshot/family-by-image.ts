import type { ImagesOfMinor } from './snapshot.ts';

/** Finds `al2023` for the id of an image that `al2023@latest` found. */
export function aliasFamilyByImage(images: readonly ImagesOfMinor[]): (id: string) => string | undefined {
  const families = new Map(
    images.flatMap(({ alias, images: found }) =>
      alias === undefined ? [] : found.map(({ id }) => [id, alias.split('@', 1).join('')] as const),
    ),
  );
  return (id) => families.get(id);
}
