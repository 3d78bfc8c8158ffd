import {
  byTextOf,
  type Condition,
  type Instant,
  type NodeRolloutPolicyStatus,
  type VariantImage,
} from '@nodewright/apis';
import { compareReleases } from '../../images/release-order.ts';
import { type ConditionReading, stampConditions } from '../conditions.ts';
import type { UpstreamReading } from '../promotion.ts';
import type { RolloutSnapshot } from '../snapshot.ts';
import type { HeldImage } from '../wanted-set.ts';

/** How the record of a policy was published last. */
export type Publication =
  | { readonly kind: 'published'; readonly place: string }
  | { readonly kind: 'failed'; readonly place: string; readonly because: string };

export type PromotionReport = {
  readonly status: NodeRolloutPolicyStatus;
  readonly held: readonly HeldImage[];
  readonly seen: Pick<RolloutSnapshot, 'policy' | 'wanted' | 'upstream' | 'nodes' | 'objects'>;
  readonly publication: Publication | undefined;
  readonly now: Instant;
};

/** The status of a policy with what it waits for upstream, and whether others can read what it has proven. */
export function reportPromotion({ status, held, seen, publication, now }: PromotionReport): NodeRolloutPolicyStatus {
  const { promotion } = seen.policy.spec;
  if (promotion === undefined) return status;
  const readings = [
    ...((promotion.require ?? []).length === 0 ? [] : [heldCondition(held, seen)]),
    ...(promotion.publish === undefined ? [] : [publishedCondition(publication)]),
  ];
  const { generation } = seen.policy.metadata;
  const own = stampConditions(readings, seen.policy.status?.conditions, { generation, now });
  const all: readonly Condition[] = [...(status.conditions ?? []), ...own];
  return { ...status, conditions: all.toSorted(byTextOf(({ type }) => type)) };
}

/** Only variants that nodes run wait: what is held of others is told, and holds nothing up. */
function heldCondition(held: readonly HeldImage[], seen: PromotionReport['seen']): ConditionReading {
  const isUsed = (image: VariantImage): boolean => isVariantInUse(image, seen);
  const upstream = held.filter(({ kind }) => kind !== 'failedBefore');
  const messages = [
    ...upstream
      .filter(({ image }) => isUsed(image))
      .map(
        ({ image, because, kind }) =>
          `${image.release ?? image.image} (${image.source}, ${image.variant}): ${kind}: ${because}`,
      ),
    ...releasesWithoutImage({ ...seen, wanted: seen.wanted.filter(isUsed) }),
  ];
  if (messages.length > 0)
    return { type: 'WaitingUpstream', status: 'True', reason: 'NotProvenUpstream', message: messages.join('; ') };
  const unused = [...new Set(upstream.map(({ image }) => `${image.release ?? image.image} for ${image.variant}`))];
  const message = unused.length === 0 ? '' : `held, and no node runs the variant: ${unused.toSorted().join(', ')}`;
  return { type: 'WaitingUpstream', status: 'False', reason: 'ProvenUpstream', message };
}

/** Whether a node runs this variant, and gets its images from this source. */
export const isVariantInUse = (
  { source, variant }: Pick<VariantImage, 'source' | 'variant'>,
  { nodes, objects }: Pick<RolloutSnapshot, 'nodes' | 'objects'>,
): boolean => {
  const own = new Set(objects.filter((object) => object.source === source).map(({ id }) => id));
  return nodes.some((node) => node.variant === variant && own.has(node.object));
};

/** Releases that are proven upstream and newer than everything that is wanted here. */
function releasesWithoutImage({ wanted, upstream }: Pick<RolloutSnapshot, 'wanted' | 'upstream'>): readonly string[] {
  const told = new Set<string>();
  for (const { cluster, variant, release } of upstream.flatMap(provenReleases)) {
    const own = wanted.filter((image) => image.variant === variant);
    const isAhead = own.every((image) => image.release !== undefined && compareReleases(release, image.release) > 0);
    if (own.length > 0 && isAhead)
      told.add(`${cluster} has proven ${release} for ${variant}, which has no image here that may be launched yet`);
  }
  return [...told].toSorted();
}

const provenReleases = (reading: UpstreamReading) =>
  reading.kind === 'read'
    ? reading.record.releases
        .filter(({ verdict }) => verdict === 'Proven')
        .map((release) => ({ ...release, cluster: reading.record.cluster }))
    : [];

function publishedCondition(publication: Publication | undefined): ConditionReading {
  const type = 'EvidencePublished';
  if (publication === undefined) return { type, status: 'Unknown', reason: 'NotPublishedYet', message: '' };
  const { kind, place } = publication;
  return kind === 'published'
    ? { type, status: 'True', reason: 'Published', message: place }
    : { type, status: 'False', reason: 'CannotBePublished', message: `${place}: ${publication.because}` };
}
