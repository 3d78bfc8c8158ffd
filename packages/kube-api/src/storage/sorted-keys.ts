/**
 * The first index whose element passes, in a list where all passing elements come last. The length of the list when no
 * element passes.
 */
export function lowerBound<T>(sorted: readonly T[], passes: (element: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = sorted[middle];
    if (element !== undefined && passes(element)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Two sorted lists as one. */
export function mergedKeys(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0) return a;
  const merged: string[] = [];
  let next = 0;
  for (const key of a) {
    for (let other = b[next]; other !== undefined && other < key; other = b[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(key);
  }
  return [...merged, ...b.slice(next)];
}
