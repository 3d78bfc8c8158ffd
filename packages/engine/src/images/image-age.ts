import { instant } from '@nodewright/apis';
import type { Instant } from '@nodewright/apis';
import type { FoundImage } from './found-image.ts';
import type { ImageTerm } from './image-term.ts';

/** When each image was first named by its moving parameter, by image id, as far as it is remembered. */
export type FirstSeen = ReadonlyMap<string, Instant>;

/**
 * The instant from which a term lets an image be launched.
 *
 * A release of a family ages from its publication, of which creation says nothing: images are made
 * long before they are released, and not in every region at once. Where publication is unknown, it
 * ages from when it was first seen, and failing that from its creation. Own images age from creation.
 */
export function matureAt(image: FoundImage, term: ImageTerm, firstSeen: FirstSeen): Instant {
  switch (term.kind) {
    case 'explicit':
      return instant(-Infinity);
    case 'own':
      return instant(image.createdAt + term.minimumAgeMs);
    case 'latest':
      return instant((image.publishedAt ?? firstSeen.get(image.id) ?? image.createdAt) + term.minimumAgeMs);
  }
}
