import { exampleOf } from './alias.ts';
import { outSince } from './image-age.ts';
import type { FirstSeen } from './image-age.ts';
import type { ImageCandidate } from './image-candidate.ts';
import type { ImageQuery } from './image-query.ts';
import { imageTerms } from './image-term.ts';

/** What a person should know of a selection that works: nothing here keeps an image from being launched. */
export const adviceOn = (
  query: ImageQuery,
  chosen: readonly ImageCandidate[],
  firstSeen: FirstSeen,
): readonly string[] => [
  ...unbakedAliases(query, chosen),
  ...new Set(chosen.flatMap((candidate) => [...plainAmazonLinux(candidate), ...agedByCreation(candidate, firstSeen)])),
];

/** A broken release would reach every node as fast as nodes can be replaced. */
function unbakedAliases(query: ImageQuery, chosen: readonly ImageCandidate[]): readonly string[] {
  const launched = chosen.find(({ image }) => image.version !== undefined)?.image.version;
  const terms = imageTerms(query);
  return query.terms.flatMap(({ alias }, index) => {
    const term = terms[index];
    if (alias === undefined || term?.kind !== 'latest' || term.minimumAgeMs > 0) return [];
    const canBePinned = exampleOf(alias) !== alias;
    const instead =
      canBePinned && launched !== undefined ? `, or pin a release as in ${alias.replace(/@.*/, `@${launched}`)}` : '';
    return [`${alias} is launched as soon as it is published: set minimumAgeDuration${instead}`];
  });
}

/** Amazon Linux as it comes is easily taken for the EKS image that is built from it. */
const plainAmazonLinux = ({ image: { id, name } }: ImageCandidate): readonly string[] =>
  /^(al2023|amzn2)-ami-/.test(name)
    ? [
        `${id} (${name}) is plain Amazon Linux, not an EKS image: it has no kubelet and its nodes cannot join; EKS images are named amazon-eks-node-*`,
      ]
    : [];

const agedByCreation = ({ image, term }: ImageCandidate, firstSeen: FirstSeen): readonly string[] =>
  term.kind === 'latest' && term.minimumAgeMs > 0 && outSince(image, firstSeen).by === 'creation'
    ? [`the age of ${image.id} (${image.name}) counts from its creation: when it was published is not known`]
    : [];
