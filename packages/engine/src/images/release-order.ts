/**
 * Whether one release of a family came before another: by the numbers in their versions, from
 * left to right. Negative when `a` is older; zero for the same release or when one has no version.
 */
export function compareReleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const [left, right] = [numbersIn(a), numbersIn(b)];
  const differences = Array.from(
    { length: Math.max(left.length, right.length) },
    (_, place) => (left[place] ?? 0) - (right[place] ?? 0),
  );
  return differences.find((difference) => difference !== 0) ?? 0;
}

const numbersIn = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);
