import { instant, isAge, nodewrightAnnotations, toTimestamp } from '@nodewright/apis';
import type { AmiSelectorTerm, Instant } from '@nodewright/apis';
import { followsLatest, parsedAlias } from './alias.ts';
import { unsupportedAlias } from './alias-support.ts';
import type { ImageCandidate } from './image-candidate.ts';
import type { ImageQuery } from './image-query.ts';
import { explainMissingRelease, usableVersions } from './missing-release.ts';
import type { FamilyReleases } from './missing-release.ts';

/** Why a NodeClass has no image: reason and message of `AMIsReady`. */
export type ImageProblem = {
  readonly reason: 'AMINotFound' | 'UnsupportedAlias' | 'InvalidMinimumAge';
  readonly message: string;
};

/** What is wrong with the terms themselves, whatever images there are. The images in `status.amis` stay. */
export function unusableTerms(query: ImageQuery): ImageProblem | undefined {
  const unsupported = unsupportedAlias(query);
  if (unsupported !== undefined) return { reason: 'UnsupportedAlias', message: unsupported };
  const wrong = minimumAges(query).find(({ value }) => !isAge(value));
  if (wrong === undefined) return undefined;
  const message = `${wrong.field} "${wrong.value}": must be an age such as 10d, 2w or 36h`;
  return { reason: 'InvalidMinimumAge', message };
}

type WrittenAge = { readonly field: string; readonly value: string };

function minimumAges({ terms, defaultMinimumAge: everywhere }: ImageQuery): readonly WrittenAge[] {
  const name = nodewrightAnnotations.minimumAgeDuration;
  return [
    ...(everywhere === undefined ? [] : [{ field: `metadata.annotations[${name}]`, value: everywhere }]),
    ...terms.flatMap(({ minimumAgeDuration: value }, index) =>
      value === undefined ? [] : [{ field: `spec.amiSelectorTerms[${index}].minimumAgeDuration`, value }],
    ),
  ];
}

/** What was asked for, and what is known of releases that were not found. */
type VainQuestion = {
  readonly query: ImageQuery;
  readonly releases?: readonly FamilyReleases[];
  readonly seenReleases?: ReadonlySet<string>;
  readonly now: Instant;
};

/** Found images that may not be selected: `young` ones are within their bake time, `blocked` ones fall under an ImageRule. */
export type TurnedDownImages = {
  readonly young: readonly ImageCandidate[];
  readonly blocked: readonly ImageCandidate[];
};

/** Says for every term what it asked for in vain, what is only too young and what a rule blocks. */
export function nothingSelected(question: VainQuestion, { young, blocked }: TurnedDownImages): ImageProblem {
  const phrases = question.query.terms.map((term, index) => {
    const ofTerm = ({ image }: ImageCandidate): boolean => image.term === index;
    const [waiting, refused] = [young.filter(ofTerm), blocked.filter(ofTerm)];
    const found =
      waiting.length > 0
        ? allTooYoung(waiting)
        : refused.length > 0
          ? allBlocked(term, refused)
          : inVain(term, question);
    return `spec.amiSelectorTerms[${index}].${found}`;
  });
  return { reason: 'AMINotFound', message: `AMISelector did not match any AMIs: ${phrases.join('; ')}` };
}

function inVain(term: AmiSelectorTerm, question: VainQuestion): string {
  return term.alias === undefined
    ? `${printSelection(term)}: ${whyNoneFound(term)}`
    : aliasInVain(term.alias, question);
}

/** What a term names images by. */
function printSelection({ alias, id, name, ssmParameter, tags }: AmiSelectorTerm): string {
  if (id !== undefined) return `id "${id}"`;
  if (alias !== undefined) return `alias "${alias}"`;
  if (ssmParameter !== undefined) return `ssmParameter "${ssmParameter}"`;
  return name === undefined ? `tags ${JSON.stringify(tags ?? {})}` : `name "${name}"`;
}

function whyNoneFound({ id, name, owner, ssmParameter }: AmiSelectorTerm): string {
  if (id !== undefined) return 'there is no such image, or it may not be launched';
  if (ssmParameter !== undefined) return 'holds the id of no image';
  return name === undefined ? 'no image is tagged so' : `no image of ${owner ?? 'self or amazon'} is named so`;
}

function aliasInVain(alias: string, { query, releases = [], seenReleases, now }: VainQuestion): string {
  const { kubernetesVersion } = query;
  if (followsLatest(alias))
    return `alias "${alias}": no image of ${parsedAlias(alias).family} is published for Kubernetes ${kubernetesVersion}`;
  const listed = releases.find((each) => each.alias === alias)?.images ?? [];
  const seen = seenReleases ?? new Set();
  return explainMissingRelease({ alias, kubernetesVersion, versions: usableVersions(listed, now), seen, now });
}

/** A pin that names a blocked image selects nothing. */
function allBlocked(term: AmiSelectorTerm, candidates: readonly ImageCandidate[]): string {
  const because = candidates.flatMap(({ image, verdict }) =>
    verdict.kind === 'blocked'
      ? [`ImageRule ${verdict.rule} blocks ${image.id} (${image.name}): ${verdict.reason}`]
      : [],
  );
  return `${printSelection(term)}: ${[...new Set(because)].join(', ')}`;
}

function allTooYoung(candidates: readonly ImageCandidate[]): string {
  const ids = new Set(candidates.map(({ image }) => image.id)).size;
  const first = instant(Math.min(...candidates.map(({ matureAt }) => matureAt)));
  return `minimumAgeDuration: ${ids === 1 ? 'the image' : `all ${ids} images`} found ${ids === 1 ? 'is' : 'are'} younger; the first is old enough at ${toTimestamp(first)}`;
}
