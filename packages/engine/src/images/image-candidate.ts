import { byText, instant } from '@nodewright/apis';
import type { ImageRule, Instant, NodeSelectorRequirement, StatusAmi } from '@nodewright/apis';
import { familyOfAlias } from './alias.ts';
import type { FoundImage } from './found-image.ts';
import { matureAt } from './image-age.ts';
import type { FirstSeen } from './image-age.ts';
import type { ImageQuery } from './image-query.ts';
import { imageRequirements } from './image-requirements.ts';
import { type ImageVerdict, judgedImage, judgeImage } from './image-rules.ts';
import { imageTerms } from './image-term.ts';
import type { ImageTerm } from './image-term.ts';
import { compareReleases } from './release-order.ts';

/** A found image as the decision looks at it. */
export type ImageCandidate = {
  readonly image: FoundImage;
  readonly term: ImageTerm;
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Equal for images that are for the same instance types, which compete with each other. */
  readonly kind: string;
  readonly matureAt: Instant;
  readonly deprecated: boolean;
  /** What the rules say of it. */
  readonly verdict: ImageVerdict;
};

/** Found images with the term that found each, which types they are for and since when they may be used. Images of unknown terms are dropped. */
export function imageCandidates(
  query: ImageQuery,
  images: readonly FoundImage[],
  at: { readonly firstSeen: FirstSeen; readonly rules: readonly ImageRule[]; readonly now: Instant },
): readonly ImageCandidate[] {
  const terms = imageTerms(query);
  const families = query.terms.map(({ alias }) => familyOfAlias(alias ?? ''));
  return images.flatMap((image) => {
    const term = terms[image.term];
    if (term === undefined) return [];
    const requirements = imageRequirements(image, families[image.term]);
    const deprecated = image.deprecatedAt !== undefined && image.deprecatedAt <= at.now;
    const verdict = judgeImage(judgedImage(image, families[image.term]), at.rules, at.now);
    const mature = verdict.kind === 'expedited' ? instant(-Infinity) : matureAt(image, term, at.firstSeen);
    return { image, term, requirements, kind: JSON.stringify(requirements), matureAt: mature, deprecated, verdict };
  });
}

/** Healthy, then newest; releases of one alias by their version, everything else by creation, which counts in seconds. */
export function byPreference(a: ImageCandidate, b: ImageCandidate): number {
  const sameAlias = a.term.kind === 'latest' && a.image.term === b.image.term;
  return (
    Number(a.deprecated) - Number(b.deprecated) ||
    (sameAlias ? compareReleases(b.image.version, a.image.version) : 0) ||
    secondOf(b.image.createdAt) - secondOf(a.image.createdAt) ||
    byText(b.image.name, a.image.name) ||
    byText(a.image.id, b.image.id)
  );
}

const secondOf = (at: Instant): number => Math.floor(at / 1000);

/** The order in which instance types choose: newest first, whether deprecated or not. */
export const byCreation = (a: ImageCandidate, b: ImageCandidate): number =>
  b.image.createdAt - a.image.createdAt || byText(a.image.id, b.image.id) || byText(a.kind, b.kind);

/** The candidate as `status.amis` holds it. */
export const statusAmi = ({ image, requirements, deprecated }: ImageCandidate): StatusAmi => ({
  id: image.id,
  name: image.name,
  ...(deprecated ? { deprecated } : {}),
  requirements,
});
