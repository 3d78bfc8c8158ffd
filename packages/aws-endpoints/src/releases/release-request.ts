import { type Instant, readOwn, toTimestamp, ValueError } from '@nodewright/apis';
import { digitsOf } from './days.ts';
import { completeRelease, type FeedRelease, parseReleases } from './feed.ts';
import type { ReleaseSelector, ReleaseStore } from './release-store.ts';
import type { Release } from './release.ts';

/** Where and when a request is made: what is left out of it follows from there. */
export type RequestContext = { readonly store: ReleaseStore; readonly minor: string; readonly now: Instant };

const selectorFields = ['family', 'variant', 'arch', 'kubernetesVersion', 'version', 'imageId', 'name'] as const;

/**
 * Does what a request to `/releases` asks for: `{"action":"publish"|"withdraw"|"deprecate", ...}`, `publish`
 * when no action is named. A build to publish needs family and version; without variant or arch it is
 * published in every line of its family. To withdraw or deprecate, any of the fields choose; a withdrawal
 * with `"keepImage": true` only moves the pointer back.
 * @returns the builds that were published or changed
 * @throws ValueError or ReleaseFeedError, with nothing changed
 */
export function obeyReleaseRequest(request: unknown, context: RequestContext): readonly Release[] {
  if (Array.isArray(request)) return request.flatMap((each) => obeyReleaseRequest(each, context));
  if (typeof request !== 'object' || request === null) {
    throw new ValueError(String(request), 'an object such as {"action":"withdraw","version":"v20240202"}');
  }
  const { action = 'publish', ...fields } = request as Readonly<Record<string, unknown>>;
  switch (action) {
    case 'publish':
      return published(fields, context);
    case 'withdraw':
      return withdrawn(fields, context);
    case 'deprecate':
      return changed(fields, context, (which) => context.store.deprecate(which, context.now));
    default:
      throw new ValueError(String(action), 'one of publish, withdraw, deprecate');
  }
}

function withdrawn({ keepImage, ...fields }: Readonly<Record<string, unknown>>, context: RequestContext) {
  const { store, now } = context;
  switch (keepImage) {
    case undefined:
    case false:
      return changed(fields, context, (which) => store.withdraw(which, now));
    case true:
      return changed(fields, context, (which) => store.recall(which, now));
    default:
      throw new ValueError(String(keepImage), 'true or false, as keepImage is to be');
  }
}

function changed(
  fields: Readonly<Record<string, unknown>>,
  { store }: RequestContext,
  change: (which: ReleaseSelector) => readonly Release[],
): readonly Release[] {
  const which = releaseSelector(fields);
  if (Object.keys(which).length === 0) throw new ValueError('{}', `at least one of ${selectorFields.join(', ')}`);
  if (store.list(which).length === 0) {
    throw new ValueError(
      JSON.stringify(which),
      'fields of a release that there is; see `nodewright sandbox release list`',
    );
  }
  return change(which);
}

/** @throws ValueError for a field that chooses nothing */
export function releaseSelector(fields: Readonly<Record<string, unknown>>): ReleaseSelector {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  for (const [field, value] of given) {
    if (!selectorFields.some((known) => known === field) || typeof value !== 'string') {
      throw new ValueError(`${field}: ${JSON.stringify(value)}`, `texts in ${selectorFields.join(', ')}`);
    }
  }
  return Object.fromEntries(given);
}

function published(fields: Readonly<Record<string, unknown>>, context: RequestContext): readonly Release[] {
  const { store, minor, now } = context;
  const at = toTimestamp(now);
  const whole = { kubernetesVersion: minor, createdAt: fields['publishedAt'] ?? at, publishedAt: at, ...fields };
  const lines = oneWhereNamed(linesOf(whole, store), fields);
  const builds = lines.map((line) => ({ ...named(whole, line), ...whole, variant: line.variant, arch: line.arch }));
  const entries = parseReleases(builds.length === 0 ? whole : builds);
  const releases = entries.map((entry) =>
    completeRelease(entry, store.list({ kubernetesVersion: entry.kubernetesVersion })),
  );
  for (const release of releases) store.publish(release);
  return releases;
}

/** An id or a name is that of one build: of Windows, whose editions are lines of their own, the Core one. */
function oneWhereNamed(lines: readonly Release[], fields: Readonly<Record<string, unknown>>): readonly Release[] {
  const named = ['imageId', 'name'].find((field) => readOwn(fields, field) !== undefined);
  if (named === undefined) return lines;
  const kinds = new Set(lines.map(({ variant, arch }) => `${variant} ${arch}`)).size;
  if (kinds > 1) throw new ValueError(`${named} of ${kinds} builds`, 'of one build: name its variant and arch, too');
  return lines.slice(0, 1);
}

/** The newest build of each line of the family that the request leaves open. */
function linesOf(request: Readonly<Record<string, unknown>>, store: ReleaseStore): readonly Release[] {
  const { family, kubernetesVersion, variant, arch } = request;
  const known = store.list(releaseSelector({ family, kubernetesVersion, variant, arch }));
  const lines = new Map<string, Release>();
  for (const release of known) {
    const line = `${release.variant} ${release.arch} ${/-(Core|Full)-/.exec(release.name)?.[1]}`;
    if (!lines.has(line)) lines.set(line, release);
  }
  return [...lines.values()];
}

/** Named as its neighbours are, with an id that follows from the name. */
function named(
  { version }: Readonly<Record<string, unknown>>,
  neighbour: Release,
): Pick<FeedRelease, 'name' | 'imageId'> {
  const name = neighbour.name
    .replace(/-[0-9a-f]{8}$/, () => `-${digitsOf(String(version), 8)}`)
    .replace(bare(neighbour.version), bare(String(version)));
  return { name, imageId: `ami-0${digitsOf(name, 16)}` };
}

/** Names of some families leave the `v` away. */
const bare = (version: string): string => version.replace(/^v/, '');
