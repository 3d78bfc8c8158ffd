import { byText } from '@nodewright/apis';
import type { ImageRelease } from './release.ts';

/** Numbers inside a version compare as numbers: `1.10.0` is after `1.9.1`, `v20240117` after `v20231230`. */
function compareReleaseVersions(a: string, b: string): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const versionNumbers = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

/** By version, the later publication first among equals, then by name and image. */
export const newestVersionFirst = (a: ImageRelease, b: ImageRelease): number =>
  compareReleaseVersions(b.version, a.version) ||
  byText(b.publishedAt, a.publishedAt) ||
  byText(a.name, b.name) ||
  byText(a.imageId, b.imageId);
