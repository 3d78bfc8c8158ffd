/** What to say about an argument that begins with a dash from a word processor; `undefined` when none does. */
export function typographicDash(args: readonly string[]): string | undefined {
  const wrong = args.find((arg) => /^[–—]/.test(arg));
  if (wrong === undefined) return undefined;
  return `"${wrong}" begins with a typographic dash, as copied from a page; type ${wrong.replace(/^[–—]+-*/, '--')}`;
}
