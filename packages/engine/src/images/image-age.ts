import { instant } from '@nodewright/apis';
import type { Instant } from '@nodewright/apis';
import type { FoundImage } from './found-image.ts';
import type { ImageTerm } from './image-term.ts';

/** When each image was first named by its moving parameter, by image id, as far as it is remembered. */
export type FirstSeen = ReadonlyMap<string, Instant>;

/** Since when an image is out, and how that is known. */
export type OutSince = { readonly at: Instant; readonly by: 'publication' | 'sight' | 'creation' };

/**
 * A release of a family is out from its publication on, of which creation says nothing: images are made
 * long before they are released, and not in every region at once. Where publication is unknown, it is
 * out since the moving parameter was first seen to name it, and failing that since its creation.
 */
export function outSince(image: FoundImage, firstSeen: FirstSeen): OutSince {
  if (image.publishedAt !== undefined) return { at: image.publishedAt, by: 'publication' };
  const seen = [image.namedSince, firstSeen.get(image.id)].filter((at) => at !== undefined);
  if (seen.length > 0) return { at: instant(Math.min(...seen)), by: 'sight' };
  return { at: image.createdAt, by: 'creation' };
}

/** The instant from which a term lets an image be launched. Own images age from creation. */
export function matureAt(image: FoundImage, term: ImageTerm, firstSeen: FirstSeen): Instant {
  switch (term.kind) {
    case 'explicit':
      return instant(-Infinity);
    case 'own':
      return instant(image.createdAt + term.minimumAgeMs);
    case 'latest':
      return instant(outSince(image, firstSeen).at + term.minimumAgeMs);
  }
}
