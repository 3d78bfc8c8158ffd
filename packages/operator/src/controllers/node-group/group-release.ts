/**
 * Orders releases of one family: `1.29.0-20240202` by version, then by the day of the build, as Windows'
 * `1.29-2024.02.13`; Bottlerocket's `1.18.0-7452c37e` by version alone, what follows it being no number.
 */
export function compareGroupReleases(a: string, b: string): number {
  const [left, right] = [numericParts(a), numericParts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numericParts(release: string): readonly number[] {
  const [, major, minor, patch = '0', build = ''] = /^(\d+)\.(\d+)(?:\.(\d+))?(?:-(.*))?$/.exec(release) ?? [];
  if (major === undefined) return [];
  const day = build.replaceAll('.', '');
  return [major, minor, patch, /^\d{8}$/.test(day) ? day : '0'].map(Number);
}
