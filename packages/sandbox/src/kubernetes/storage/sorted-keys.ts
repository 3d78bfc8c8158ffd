/** The first index whose element passes, in a list where all that pass come last. Its length when none does. */
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

export function insertSorted(keys: string[], key: string): void {
  keys.splice(
    lowerBound(keys, (other) => other >= key),
    0,
    key,
  );
}

export function removeSorted(keys: string[], key: string): void {
  const index = lowerBound(keys, (other) => other >= key);
  if (keys[index] === key) keys.splice(index, 1);
}
