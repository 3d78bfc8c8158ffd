import { readOwn } from '@nodewright/apis';
import { type ReleaseHistory, sortedMinors } from './history.ts';
import { imageArchitectures, imageVariants, type ImageRelease } from './release.ts';
import { nodeBehaviors, releaseFamilies } from './release-kinds.ts';
import { newestVersionFirst } from './release-order.ts';

/** A release as people write it: what nodes report may be left out and follows from its neighbours. */
export type FeedRelease = Omit<ImageRelease, Reported> & Partial<Pick<ImageRelease, Reported>>;
type Reported = 'kubeletVersion' | 'osImage' | 'kernelVersion' | 'containerRuntimeVersion';

type ReleaseFieldCheck = {
  readonly wanted: string;
  readonly holds: (value: string) => boolean;
  readonly optional?: true;
};

const textCheck: ReleaseFieldCheck = { wanted: 'text', holds: (value) => value !== '' };
const timeCheck: ReleaseFieldCheck = { wanted: 'a time such as 2024-01-29T18:00:00Z', holds: isReleaseTime };
const oneOfCheck = (values: readonly string[]): ReleaseFieldCheck => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => values.includes(value),
});
const matching = (pattern: RegExp, example: string): ReleaseFieldCheck => ({
  wanted: `text such as ${example}`,
  holds: (value) => pattern.test(value),
});
const optionalCheck = (check: ReleaseFieldCheck): ReleaseFieldCheck => ({ ...check, optional: true });

function isReleaseTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

const releaseFieldChecks: Readonly<Record<keyof ImageRelease, ReleaseFieldCheck>> = {
  family: oneOfCheck(releaseFamilies),
  variant: oneOfCheck(imageVariants),
  arch: oneOfCheck(imageArchitectures),
  kubernetesVersion: matching(/^1\.\d+$/, '1.29'),
  version: matching(/\d/, 'v20240129 or 1.18.0'),
  imageId: matching(/^ami-[0-9a-f]{8,17}$/, 'ami-0123456789abcdef0'),
  name: textCheck,
  createdAt: timeCheck,
  publishedAt: timeCheck,
  deprecatedAt: optionalCheck(timeCheck),
  withdrawnAt: optionalCheck(timeCheck),
  recalledAt: optionalCheck(timeCheck),
  promotedAt: optionalCheck(timeCheck),
  behavior: optionalCheck(oneOfCheck(nodeBehaviors)),
  kubeletVersion: optionalCheck(textCheck),
  osImage: optionalCheck(textCheck),
  kernelVersion: optionalCheck(textCheck),
  containerRuntimeVersion: optionalCheck(textCheck),
};

/** A feed that cannot be used. The message lists every problem with its place. */
export class ReleaseFeedError extends Error {
  override readonly name = 'ReleaseFeedError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the release feed is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads releases from parsed JSON: one object, a list of them, or a `ReleaseList` as `/releases` answers with.
 * @throws ReleaseFeedError naming every field that is wrong, its value and what would be right
 */
export function parseReleases(json: unknown): readonly FeedRelease[] {
  const entries = readReleaseList(json);
  const problems = entries.flatMap((entry, at) => listReleaseProblems(entry).map((problem) => `[${at}].${problem}`));
  if (problems.length > 0) throw new ReleaseFeedError(problems);
  return entries as readonly FeedRelease[];
}

function readReleaseList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  const items = typeof json === 'object' && json !== null && 'items' in json ? json.items : undefined;
  return Array.isArray(items) ? items : [json];
}

function listReleaseProblems(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [`: is ${JSON.stringify(entry)}, wanted a release object`];
  const fields = entry as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(releaseFieldChecks, field));
  return [
    ...Object.entries(releaseFieldChecks).flatMap(([field, check]) =>
      listReleaseFieldProblems(field, readOwn(fields, field), check),
    ),
    ...unknown.map(
      (field) => `${field}: is no field of a release; known are ${Object.keys(releaseFieldChecks).join(', ')}`,
    ),
  ];
}

function listReleaseFieldProblems(field: string, value: unknown, check: ReleaseFieldCheck): readonly string[] {
  if (value === undefined && check.optional) return [];
  if (typeof value === 'string' && check.holds(value)) return [];
  return [`${field}: is ${value === undefined ? 'missing' : JSON.stringify(value)}, wanted ${check.wanted}`];
}

/** The feed's releases over the known ones: the same build of the same line is replaced, others are added. */
export function mergeReleases(known: ReleaseHistory, feed: readonly FeedRelease[]): ReleaseHistory {
  return {
    minors: sortedMinors([...known.minors, ...feed.map(({ kubernetesVersion }) => kubernetesVersion)]),
    of(minor) {
      const before = known.of(minor);
      const added = feed
        .filter(({ kubernetesVersion }) => kubernetesVersion === minor)
        .map((entry) => completeRelease(entry, before));
      const replaced = new Set(added.map(feedReleaseKey));
      return [...before.filter((release) => !replaced.has(feedReleaseKey(release))), ...added];
    },
  };
}

const feedLineKey = ({ family, variant, arch, kubernetesVersion }: FeedRelease): string =>
  [family, variant, arch, kubernetesVersion].join(' ');
const feedReleaseKey = (release: FeedRelease): string => `${feedLineKey(release)} ${release.version}`;

/** Fills in what nodes will report: as the newest build of the same line published before it does, or its plain form. */
export function completeRelease(entry: FeedRelease, known: readonly ImageRelease[]): ImageRelease {
  const line = known.filter((release) => feedLineKey(release) === feedLineKey(entry)).toSorted(newestVersionFirst);
  const neighbour = line.find(({ publishedAt }) => publishedAt <= entry.publishedAt) ?? line.at(-1);
  return {
    kubeletVersion: neighbour?.kubeletVersion ?? `v${entry.kubernetesVersion}.0-eks-5e0fdde`,
    osImage: neighbour?.osImage.replace(neighbour.version, entry.version) ?? entry.family,
    kernelVersion: neighbour?.kernelVersion ?? '6.1.72',
    containerRuntimeVersion: neighbour?.containerRuntimeVersion ?? 'containerd://1.7.2',
    ...entry,
  };
}
