/** `10d4h`, `3h20m`, `45s`: the two largest units. */
export function printedAge(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
    [1, 's'],
  ] as const;
  const at = units.findIndex(([size]) => Math.abs(seconds) >= size);
  if (at < 0) return '0s';
  let rest = Math.abs(seconds);
  const parts = units.slice(at, at + 2).map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return `${seconds < 0 ? '-' : ''}${parts.join('')}`;
}
