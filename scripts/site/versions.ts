import { byText, byValueOf, inReverse } from '@nodewright/apis';

/** What `versions.json` says of a version that was built. */
export type SiteVersion = { readonly version: string; readonly built: string };

/** The versions with one more, newest first. What was built before under the same name is replaced. */
export const addVersion = (known: readonly SiteVersion[], added: SiteVersion): readonly SiteVersion[] =>
  [...known.filter(({ version }) => version !== added.version), added].toSorted(
    inReverse(byValueOf(({ version }) => version, compareVersions)),
  );

/** The version that `latest` stands for: the newest one that is no preview such as `1.0.0-rc.1`, else the newest one. */
export const latestOf = (versions: readonly SiteVersion[]): string | undefined =>
  (versions.find(({ version }) => !version.includes('-')) ?? versions[0])?.version;

/** Orders as semantic versioning does. A name that is no version, such as `main`, stands after every version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [readVersion(a), readVersion(b)];
  if (left === undefined || right === undefined) return left === right ? byText(a, b) : left === undefined ? -1 : 1;
  for (const [index, part] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0;
    if (part !== other) return part - other;
  }
  if (left.preview === right.preview) return 0;
  if (left.preview === '' || right.preview === '') return left.preview === '' ? 1 : -1;
  return left.preview.localeCompare(right.preview, 'en', { numeric: true });
}

function readVersion(name: string): { readonly numbers: readonly number[]; readonly preview: string } | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(name);
  return found === null ? undefined : { numbers: found.slice(1, 4).map(Number), preview: found[4] ?? '' };
}
