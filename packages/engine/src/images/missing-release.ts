import type { Instant } from '@nodewright/apis';
import { parsedAlias } from './alias.ts';
import type { FoundImage } from './found-image.ts';
import { parseReleaseDay } from './release-day.ts';
import { compareReleases } from './release-order.ts';

/** The releases that a family has for a Kubernetes version, asked for because a pinned one was not found. */
export type FamilyReleases = {
  /** The alias that found nothing. */
  readonly alias: string;
  /** Those of the family that are there, deprecated and withdrawn ones too. */
  readonly images: readonly FoundImage[];
};

export type MissingRelease = {
  readonly alias: string;
  /** The control plane's minor, `1.29`. */
  readonly kubernetesVersion: string;
  /** None where they could not be listed. */
  readonly versions: readonly string[];
  /** Keys of `releaseKey`: releases that were there before. */
  readonly seen: ReadonlySet<string>;
  readonly now: Instant;
};

/** A release of a family for a Kubernetes version, `al2@v20240117 for 1.29`, with and without the `v` of Bottlerocket. */
export const releaseKey = (alias: string, kubernetesVersion: string): string => {
  const { family, version } = parsedAlias(alias);
  return `${family}@v${version.replace(/^v+/, '')} for ${kubernetesVersion}`;
};

/** Versions that may be launched now: none that the moving parameter has gone back from, none deprecated. */
export const usableVersions = (images: readonly FoundImage[], now: Instant): readonly string[] => [
  ...new Set(
    images
      .filter(({ deprecatedAt }) => deprecatedAt === undefined || deprecatedAt > now)
      .filter(({ version, recommendedVersion }) => compareReleases(version, recommendedVersion) <= 0)
      .flatMap(({ version }) => version ?? []),
  ),
];

/** Whether the release was withdrawn, is yet to come or never was, as far as is known, and the nearest ones that there are. */
export function explainMissingRelease(missing: MissingRelease): string {
  const { alias, versions } = missing;
  const { family } = parsedAlias(alias);
  const near = nearestTo(alias, versions);
  const instead = near.length === 0 ? '' : `; the nearest published: ${near.join(', ')}`;
  return `alias "${alias}": ${fateOf(missing)}${instead}; nodewright images --family ${family} lists all`;
}

function fateOf({ alias, kubernetesVersion, versions, seen, now }: MissingRelease): string {
  const { version } = parsedAlias(alias);
  const place = `for Kubernetes ${kubernetesVersion}`;
  if (seen.has(releaseKey(alias, kubernetesVersion)))
    return `${version} was published ${place}, and has been withdrawn since`;
  if (isDatedAfter(version, now)) return `${version} is not published ${place} yet: its date is still to come`;
  const newest = versions.toSorted(compareReleases).at(-1);
  if (newest !== undefined && compareReleases(version, newest) > 0)
    return `${version} is not published ${place} now: it is newer than ${newest}, the newest; it is yet to come, or was withdrawn`;
  return `${version} was never published ${place}, or was withdrawn before it was used here`;
}

/** Releases of Amazon Linux and Ubuntu are named after the day on which they were made. */
function isDatedAfter(version: string, now: Instant): boolean {
  const day = parseReleaseDay(version);
  return day !== undefined && day > now;
}

/** The newest older one and the oldest newer one, as aliases. */
function nearestTo(alias: string, versions: readonly string[]): readonly string[] {
  const { family, version } = parsedAlias(alias);
  const sorted = [...new Set(versions)].toSorted(compareReleases);
  const older = sorted.findLast((each) => compareReleases(each, version) < 0);
  const newer = sorted.find((each) => compareReleases(each, version) > 0);
  return [older, newer].filter((each) => each !== undefined).map((each) => `${family}@${each}`);
}
