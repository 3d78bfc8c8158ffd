import {
  type AmiSelectorTerm,
  fromTimestamp,
  type Instant,
  parseAge,
  byText,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import type { ImageRelease } from '@nodewright/aws-endpoints';
import { minors, type Recorded } from './random-history.ts';

/** Image ids by the machines they are for: `amd64 plain`, `arm64 gpu`, `amd64 any`. */
export type Row = Readonly<Record<string, string>>;

export type TableQuestion = {
  readonly recorded: readonly Recorded[];
  readonly terms: readonly AmiSelectorTerm[];
  readonly minor: string;
  readonly now: Instant;
  /** Whether the account may list the releases of a family. */
  readonly mayList: boolean;
  /** By image, when the moving parameter was first seen to name it. Grows as the table is asked. */
  readonly seen: Map<string, number>;
};

type Candidate = {
  readonly release: ImageRelease;
  readonly machines: readonly string[];
  readonly rank: readonly number[];
};

/**
 * Which images are launched, worked out from the history alone: a table to compare the product with, and no
 * part of it. Everything is looked at afresh for every row.
 */
export function imageTable(question: TableQuestion): Row {
  const candidates = question.terms.flatMap((term) =>
    term.alias === undefined ? ownCandidates(term, question) : aliasCandidates(term, question),
  );
  const row: Record<string, string> = {};
  for (const machines of [...new Set(candidates.flatMap((each) => each.machines))].toSorted(byText)) {
    const [best] = candidates.filter((each) => each.machines.includes(machines)).toSorted(byRank);
    if (best !== undefined) row[machines] = best.release.imageId;
  }
  return row;
}

/** Higher numbers first, the later name between equals. */
function byRank(a: Candidate, b: Candidate): number {
  for (const [at, rank] of a.rank.entries()) if (rank !== b.rank[at]) return (b.rank[at] ?? 0) - rank;
  return byText(b.release.name, a.release.name);
}

const timeOf = (text: string | undefined): number => (text === undefined ? Infinity : fromTimestamp(text));

/** What the account sees of a minor; every minor without one. */
function visible({ recorded, now }: TableQuestion, minor?: string): readonly ImageRelease[] {
  const current = new Map<string, ImageRelease>();
  for (const { from, release } of recorded) if (from <= now) current.set(release.imageId, release);
  return [...current.values()].filter(
    (release) =>
      (minor === undefined || release.kubernetesVersion === minor) &&
      timeOf(release.publishedAt) <= now &&
      timeOf(release.withdrawnAt) > now,
  );
}

const isDeprecated = (release: ImageRelease, now: Instant): boolean => timeOf(release.deprecatedAt) <= now;

const number = (version: string): number =>
  (version.match(/\d+/g) ?? []).reduce((sum, part) => sum * 100_000 + Number(part), 0);

const ageOf = (term: AmiSelectorTerm): number =>
  term.minimumAgeDuration === undefined ? 0 : parseAge(term.minimumAgeDuration);

/** Images of one's own choice: by name, id, tag or parameter. */
function ownCandidates(term: AmiSelectorTerm, question: TableQuestion): readonly Candidate[] {
  const { now } = question;
  const oldest = term.id === undefined ? now - ageOf(term) : Infinity;
  return visible(question)
    .filter((release) => isMeant(release, term, question) && timeOf(release.createdAt) <= oldest)
    .map((release) => ({
      release,
      machines: [`${release.arch} any`],
      rank: [isDeprecated(release, now) ? 0 : 1, timeOf(release.createdAt)],
    }));
}

/** Tests tag every image whose id ends with an even digit, and write names that end in a star. */
function isMeant(
  release: ImageRelease,
  { id, name, tags, ssmParameter }: AmiSelectorTerm,
  question: TableQuestion,
): boolean {
  if (id !== undefined) return release.imageId === id;
  if (ssmParameter !== undefined) {
    const line = visible(question, minors[0]).filter(isOfLine('AL2', 'standard', 'amd64'));
    return pointer(line, question.now)?.imageId === release.imageId;
  }
  const isNamed = name === undefined || release.name.startsWith(name.replace('*', ''));
  return isNamed && (tags === undefined || isTagged(release));
}

export const isTagged = ({ imageId }: ImageRelease): boolean => /[02468ace]$/.test(imageId);

const isOfLine =
  (family: ImageRelease['family'], variant: ImageRelease['variant'], arch: ImageRelease['arch']) =>
  (release: ImageRelease): boolean =>
    release.family === family && release.variant === variant && release.arch === arch;

const aliasFamilies: Readonly<Record<string, ImageRelease['family']>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2022: 'Windows2022',
};

function machinesOf({ family, variant, arch }: ImageRelease): readonly string[] {
  if (family === 'Windows2022') return [`${arch} any`];
  if (variant === 'nvidia') return family === 'AL2' ? [`${arch} gpu`, `${arch} accelerator`] : [`${arch} gpu`];
  if (variant === 'neuron') return [`${arch} accelerator`];
  return family === 'Bottlerocket' && arch === 'amd64' ? [`${arch} plain`, `${arch} accelerator`] : [`${arch} plain`];
}

function aliasCandidates(term: AmiSelectorTerm, question: TableQuestion): readonly Candidate[] {
  const [word = '', pin = ''] = (term.alias ?? '').split('@');
  const ofFamily = visible(question, question.minor).filter(({ family }) => family === aliasFamilies[word]);
  const lines = new Set(ofFamily.map(({ variant, arch }) => `${variant} ${arch}`));
  return [...lines].flatMap((line) => {
    const releases = ofFamily.filter(({ variant, arch }) => `${variant} ${arch}` === line);
    const allowed =
      pin === 'latest'
        ? latestOf(releases, ageOf(term), question)
        : releases.filter((release) => release.version === pin && isShort(release, question.now));
    return allowed.map((release) => ({
      release,
      machines: machinesOf(release),
      rank: [isDeprecated(release, question.now) ? 0 : 1, number(release.version)],
    }));
  });
}

/** Bottlerocket can be asked for by its short version only once it is promoted. */
const isShort = ({ promotedAt, publishedAt }: ImageRelease, now: Instant): boolean =>
  timeOf(promotedAt ?? publishedAt) <= now;

/** What the moving parameter names. */
function pointer(releases: readonly ImageRelease[], now: Instant): ImageRelease | undefined {
  return releases
    .filter((release) => isShort(release, now) && timeOf(release.recalledAt) > now)
    .toSorted(inReverse(byNumberOf(({ version }) => number(version))))[0];
}

/** When it came to name that: with the promotion, or when a newer one went. */
function namedSince(named: ImageRelease, { recorded, now }: TableQuestion): number {
  const current = new Map<string, ImageRelease>();
  for (const { from, release } of recorded) if (from <= now) current.set(release.imageId, release);
  const gone = [...current.values()]
    .filter(isOfLine(named.family, named.variant, named.arch))
    .filter(
      ({ kubernetesVersion, version }) =>
        kubernetesVersion === named.kubernetesVersion && number(version) > number(named.version),
    )
    .map(({ withdrawnAt, recalledAt, promotedAt, publishedAt }) => {
      const end = Math.min(timeOf(withdrawnAt), timeOf(recalledAt));
      return timeOf(promotedAt ?? publishedAt) < end && end <= now ? end : 0;
    });
  return Math.max(timeOf(named.promotedAt ?? named.publishedAt), ...gone);
}

function latestOf(
  releases: readonly ImageRelease[],
  minimumAge: number,
  question: TableQuestion,
): readonly ImageRelease[] {
  const { now, seen, mayList } = question;
  const named = pointer(releases, now);
  if (named === undefined) return [];
  const since = namedSince(named, question);
  seen.set(named.imageId, Math.min(since, seen.get(named.imageId) ?? Infinity));
  if (minimumAge === 0) return [named];
  const isListed = mayList && named.family !== 'Windows2022';
  const outSince = (release: ImageRelease): number =>
    isListed ? timeOf(release.publishedAt) : (seen.get(release.imageId) ?? timeOf(release.createdAt));
  return releases
    .filter((release) => number(release.version) <= number(named.version))
    .filter((release) => !isListed || isShort(release, now))
    .filter((release) => now - outSince(release) >= minimumAge);
}
