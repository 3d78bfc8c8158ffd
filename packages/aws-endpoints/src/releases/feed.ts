import { readOwn } from '@nodewright/apis';
import { type ReleaseHistory, sortedMinors } from './history.ts';
import { nodeBehaviors, type Release } from './release.ts';
import { newestVersionFirst } from './release-order.ts';

/** A release as people write it: what nodes report may be left out and follows from its neighbours. */
export type FeedRelease = Omit<Release, Reported> & Partial<Pick<Release, Reported>>;
type Reported = 'kubeletVersion' | 'osImage' | 'kernelVersion' | 'containerRuntimeVersion';

const families: readonly Release['family'][] = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Ubuntu',
  'Windows2019',
  'Windows2022',
  'Windows2025',
];

type Check = { readonly wanted: string; readonly holds: (value: string) => boolean; readonly optional?: true };

const text: Check = { wanted: 'text', holds: (value) => value !== '' };
const time: Check = { wanted: 'a time such as 2024-01-29T18:00:00Z', holds: isTime };
const oneOf = (values: readonly string[]): Check => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => values.includes(value),
});
const matching = (pattern: RegExp, example: string): Check => ({
  wanted: `text such as ${example}`,
  holds: (value) => pattern.test(value),
});
const optional = (check: Check): Check => ({ ...check, optional: true });

function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

const checks: Readonly<Record<keyof Release, Check>> = {
  family: oneOf(families),
  variant: oneOf(['standard', 'nvidia', 'neuron', 'fips', 'nvidia-fips']),
  arch: oneOf(['amd64', 'arm64']),
  kubernetesVersion: matching(/^1\.\d+$/, '1.29'),
  version: matching(/\d/, 'v20240129 or 1.18.0'),
  imageId: matching(/^ami-[0-9a-f]{8,17}$/, 'ami-0123456789abcdef0'),
  name: text,
  createdAt: time,
  publishedAt: time,
  deprecatedAt: optional(time),
  withdrawnAt: optional(time),
  recalledAt: optional(time),
  promotedAt: optional(time),
  behavior: optional(oneOf(nodeBehaviors)),
  kubeletVersion: optional(text),
  osImage: optional(text),
  kernelVersion: optional(text),
  containerRuntimeVersion: optional(text),
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
  const entries = listed(json);
  const problems = entries.flatMap((entry, at) => problemsOf(entry).map((problem) => `[${at}].${problem}`));
  if (problems.length > 0) throw new ReleaseFeedError(problems);
  return entries as readonly FeedRelease[];
}

function listed(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  const items = typeof json === 'object' && json !== null && 'items' in json ? json.items : undefined;
  return Array.isArray(items) ? items : [json];
}

function problemsOf(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [`: is ${JSON.stringify(entry)}, wanted a release object`];
  const fields = entry as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(checks, field));
  return [
    ...Object.entries(checks).flatMap(([field, check]) => problemOf(field, readOwn(fields, field), check)),
    ...unknown.map((field) => `${field}: is no field of a release; known are ${Object.keys(checks).join(', ')}`),
  ];
}

function problemOf(field: string, value: unknown, check: Check): readonly string[] {
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
      const replaced = new Set(added.map(identityOf));
      return [...before.filter((release) => !replaced.has(identityOf(release))), ...added];
    },
  };
}

const lineOf = ({ family, variant, arch, kubernetesVersion }: FeedRelease): string =>
  [family, variant, arch, kubernetesVersion].join(' ');
const identityOf = (release: FeedRelease): string => `${lineOf(release)} ${release.version}`;

/** Fills in what nodes will report: as the newest build of the same line published before it does, or its plain form. */
export function completeRelease(entry: FeedRelease, known: readonly Release[]): Release {
  const line = known.filter((release) => lineOf(release) === lineOf(entry)).toSorted(newestVersionFirst);
  const neighbour = line.find(({ publishedAt }) => publishedAt <= entry.publishedAt) ?? line.at(-1);
  return {
    kubeletVersion: neighbour?.kubeletVersion ?? `v${entry.kubernetesVersion}.0-eks-5e0fdde`,
    osImage: neighbour?.osImage.replace(neighbour.version, entry.version) ?? entry.family,
    kernelVersion: neighbour?.kernelVersion ?? '6.1.72',
    containerRuntimeVersion: neighbour?.containerRuntimeVersion ?? 'containerd://1.7.2',
    ...entry,
  };
}
