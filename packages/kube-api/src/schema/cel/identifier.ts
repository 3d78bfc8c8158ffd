const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const escapes: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/**
 * The identifier of a member in an expression: `x-prop` is `x__dash__prop`, `namespace` is `__namespace__`.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#escaping
 */
export function identifierOf(name: string): string {
  if (reservedWords.has(name)) return `__${name}__`;
  if (/^[A-Za-z0-9]*$/.test(name)) return name;
  return escapes.reduce((text, [from, to]) => text.replaceAll(from, to), name);
}
