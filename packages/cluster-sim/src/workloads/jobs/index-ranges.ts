import { byNumber } from '@nodewright/apis';
/** `0,2-4` from the indexes 0, 2, 3 and 4. */
export function printIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].toSorted(byNumber);
  const ranges: [number, number][] = [];
  for (const index of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && index === last[1] + 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}${to === from + 1 ? ',' : '-'}${to}`)).join(',');
}

export function parseIndexes(text: string | undefined): ReadonlySet<number> {
  const parts = (text ?? '').split(',').filter((part) => part !== '');
  return new Set(
    parts.flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
    }),
  );
}
