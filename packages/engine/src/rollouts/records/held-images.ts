import { byTextOf, type Condition, type Instant, type NodeRolloutPolicyStatus } from '@nodewright/apis';
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
  readonly seen: Pick<RolloutSnapshot, 'policy' | 'wanted' | 'upstream'>;
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

function heldCondition(held: readonly HeldImage[], seen: PromotionReport['seen']): ConditionReading {
  const messages = [
    ...held
      .filter(({ kind }) => kind !== 'failedBefore')
      .map(
        ({ image, because, kind }) =>
          `${image.release ?? image.image} (${image.source}, ${image.variant}): ${kind}: ${because}`,
      ),
    ...releasesWithoutImage(seen),
  ];
  return messages.length === 0
    ? { type: 'WaitingUpstream', status: 'False', reason: 'ProvenUpstream', message: '' }
    : { type: 'WaitingUpstream', status: 'True', reason: 'NotProvenUpstream', message: messages.join('; ') };
}

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
