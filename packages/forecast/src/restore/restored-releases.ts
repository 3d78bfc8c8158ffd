import { fromTimestamp, type Instant, toTimestamp } from '@nodewright/apis';
import {
  builtInReleases,
  completeRelease,
  type FeedRelease,
  historyOf,
  type OwnImageFacts,
  type ReleaseHistory,
} from '@nodewright/aws-endpoints';
import type { ImagesOfMinor, Snapshot, SnapshotImage } from '../snapshot/snapshot.ts';
import { familyByAlias } from '../versions/family-by-alias.ts';

/** The releases that the snapshot names, and no others: what AWS will publish is not in it. */
export function restoredReleases({ aws, takenAt }: Snapshot): ReleaseHistory {
  const now = fromTimestamp(takenAt);
  const known = builtInReleases();
  return historyOf(
    aws.images.flatMap((found) =>
      feedOf(found, now).map((entry) => completeRelease(entry, known.of(entry.kubernetesVersion))),
    ),
  );
}

function feedOf({ alias, kubernetesVersion, images }: ImagesOfMinor, now: Instant): readonly FeedRelease[] {
  const family = familyByAlias(alias);
  if (family === undefined) return [];
  const distinct = new Map(images.map((image) => [`${image.variant} ${image.arch} ${image.id}`, image]));
  return [...distinct.values()].flatMap((image) => {
    const { id, name, arch, version, variant = 'standard', publishedAt = image.createdAt, deprecatedAt } = image;
    if (version === undefined) return [];
    const recalledAt = isBeyondRecommended(image, images) ? { recalledAt: toTimestamp(now) } : {};
    const promotedAt = image.namedSince === undefined ? {} : { promotedAt: toTimestamp(image.namedSince) };
    return [
      {
        family,
        variant,
        arch,
        kubernetesVersion,
        version,
        imageId: id,
        name,
        createdAt: toTimestamp(image.createdAt),
        publishedAt: toTimestamp(publishedAt),
        ...(deprecatedAt === undefined ? {} : { deprecatedAt: toTimestamp(deprecatedAt) }),
        ...recalledAt,
        ...promotedAt,
      },
    ];
  });
}

/** Published later than what the moving parameter names: it has left the release, or has not come to it. */
function isBeyondRecommended(image: SnapshotImage, images: readonly SnapshotImage[]): boolean {
  const named = images.find(
    ({ recommended, arch, variant }) => recommended === true && arch === image.arch && variant === image.variant,
  );
  const at = ({ publishedAt, createdAt }: SnapshotImage): number => publishedAt ?? createdAt;
  return named !== undefined && image.recommended !== true && at(image) > at(named);
}

/** Images that no family of the snapshot has as a release. */
export function ownImagesOf({ aws }: Snapshot): readonly OwnImageFacts[] {
  const released = new Set(
    aws.images.flatMap(({ alias, images }) => (alias === undefined ? [] : images.map(({ id }) => id))),
  );
  return aws.images
    .flatMap(({ alias, images }) => (alias === undefined ? images : []))
    .filter(({ id }) => !released.has(id))
    .map(({ id, name, arch, createdAt, deprecatedAt, tags }) => ({
      id,
      name,
      arch,
      createdAt,
      ...(deprecatedAt === undefined ? {} : { deprecatedAt }),
      ...(tags === undefined ? {} : { tags }),
    }));
}
