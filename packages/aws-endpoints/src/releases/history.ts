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

export const sortedMinors = (minors: Iterable<string>): readonly string[] =>
  [...new Set(minors)].toSorted((a, b) => parseMinorNumber(a) - parseMinorNumber(b));
