/** The first five, and how many more there are: `a, b, c, d, e and 95 other(s)`. */
export function printSomeNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} other(s)` : shown;
}
