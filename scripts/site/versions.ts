import { byNumberOf, byText, byValueOf, inReverse } from '@nodewright/apis';

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
  if (left.preview === '' || right.preview === '') return byNumberOf(Number)(left.preview === '', right.preview === '');
  return comparePreviews(left.preview.split('.'), right.preview.split('.'));
}

/** Part by part: numbers by their value and before words, and the shorter one first where the other only goes on. */
function comparePreviews(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(part) - Number(other);
    return isNumber === isOtherNumber ? byText(part, other) : isNumber ? -1 : 1;
  }
  return left.length - right.length;
}

function readVersion(name: string): { readonly numbers: readonly number[]; readonly preview: string } | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(name);
  return found === null ? undefined : { numbers: found.slice(1, 4).map(Number), preview: found[4] ?? '' };
}
