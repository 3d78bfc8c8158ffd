import { fromTimestamp, type Instant, toTimestamp, byNumberOf } from '@nodewright/apis';
import { parseMinorNumber } from './minors.ts';
import type { ImageRelease } from './release.ts';

/** Releases by minor. The releases of a minor are built at the first question about it. */
export type ReleaseHistory = {
  /** Minors that have releases, oldest first. */
  readonly minors: readonly string[];
  of(minor: string): readonly ImageRelease[];
};

/** A history from a plain list. */
export function historyOf(releases: readonly ImageRelease[]): ReleaseHistory {
  const byMinor = new Map<string, ImageRelease[]>();
  for (const release of releases) {
    const same = byMinor.get(release.kubernetesVersion);
    if (same === undefined) byMinor.set(release.kubernetesVersion, [release]);
    else same.push(release);
  }
  return { minors: sortedMinors([...byMinor.keys()]), of: (minor) => byMinor.get(minor) ?? [] };
}

/** The history as it was known at a time: nothing comes out, is withdrawn or is deprecated later. */
export const historyUntil = (history: ReleaseHistory, until: Instant): ReleaseHistory => {
  const isLater = (time: string | undefined): boolean => time !== undefined && fromTimestamp(time) > until;
  return {
    minors: history.minors,
    of: (minor) =>
      history
        .of(minor)
        .filter(({ publishedAt }) => !isLater(publishedAt))
        .map(({ withdrawnAt, deprecatedAt, recalledAt, promotedAt, ...release }) => ({
          ...release,
          ...(withdrawnAt !== undefined && !isLater(withdrawnAt) && { withdrawnAt }),
          ...(deprecatedAt !== undefined && !isLater(deprecatedAt) && { deprecatedAt }),
          ...(recalledAt !== undefined && !isLater(recalledAt) && { recalledAt }),
          ...(promotedAt !== undefined && { promotedAt: isLater(promotedAt) ? toTimestamp(until) : promotedAt }),
        })),
  };
};

export const sortedMinors = (minors: Iterable<string>): readonly string[] =>
  [...new Set(minors)].toSorted(byNumberOf(parseMinorNumber));
