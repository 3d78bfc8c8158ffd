import { days, fromTimestamp } from '@nodewright/apis';
import { readFileSync } from 'node:fs';
import {
  builtInReleases,
  historyUntil,
  mergeReleases,
  parseReleases,
  type ImageRelease,
  type ReleaseHistory,
} from '@nodewright/aws-endpoints';
import { InputError } from '../../terminal/exit-status.ts';
import { explainFileFailure } from '../../terminal/file-failure.ts';

/** The newest minor that EKS had at the time, as far as images tell. */
export function newestMinor(releases: ReleaseHistory, start: number): string {
  const isOut = ({ publishedAt }: ImageRelease): boolean => Date.parse(publishedAt) <= start;
  const minors = releases.minors.filter((minor) => minor !== '');
  return minors.findLast((minor) => releases.of(minor).some(isOut)) ?? minors[0] ?? '1.29';
}

const settledMs = days(14);

/**
 * Two weeks after the first images of a minor: from then on there is something to launch. The beginning of time for no minor.
 * @throws InputError for a minor that has no image
 */
export function firstDays(releases: ReleaseHistory, minor: string | undefined): number {
  if (minor === undefined) return 0;
  const published = releases.of(minor).map(({ publishedAt }) => Date.parse(publishedAt));
  if (published.length === 0) throw unknownMinor(releases, minor);
  return Math.min(...published) + settledMs;
}

function unknownMinor(releases: ReleaseHistory, minor: string): InputError {
  const known = releases.minors.filter((each) => each !== '');
  const range = `${known[0]} to ${known.at(-1)}`;
  return new InputError(`--kubernetes-version ${minor}: there are no images of it; there are of ${range}`);
}

/**
 * The built-in history, with those of a file over it.
 * @param until RFC 3339: nothing of the built-in history comes out later
 */
export function releasesOf(file: string | undefined, until?: string): ReleaseHistory {
  const known = until === undefined ? builtInReleases() : historyUntil(builtInReleases(), fromTimestamp(until));
  if (file === undefined) return known;
  try {
    return mergeReleases(known, parseReleases(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (failure) {
    throw new InputError(`--releases ${file}: ${explainFileFailure(failure)}`, { cause: failure });
  }
}
