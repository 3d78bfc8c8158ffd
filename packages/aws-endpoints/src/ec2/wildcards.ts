/** One sign of a pattern: a wildcard or a character. */
type WildcardSign = { readonly kind: 'any' | 'one' } | { readonly kind: 'character'; readonly text: string };

/** A filter value: `*` stands for any text, `?` for one character, a backslash takes their meaning away. */
export type WildcardPattern = readonly WildcardSign[];

export const parseWildcards = (text: string): WildcardPattern =>
  [...text.matchAll(/\\[*?\\]|[^]/g)].map(([sign]) => {
    if (sign === '*') return { kind: 'any' };
    if (sign === '?') return { kind: 'one' };
    return { kind: 'character', text: sign.length === 2 ? sign.charAt(1) : sign };
  });

/**
 * Whether a pattern matches a whole text. Only the last `*` is tried again, so the work is at most the product of both
 * lengths; a regular expression would try every combination.
 */
export function matchesWildcards(pattern: WildcardPattern, text: string): boolean {
  let [sign, at] = [0, 0];
  let retry: { readonly sign: number; readonly at: number } | undefined;
  while (at < text.length) {
    const next = pattern[sign];
    if (next?.kind === 'any') {
      retry = { sign, at };
      sign += 1;
    } else if (next !== undefined && (next.kind !== 'character' || next.text === text[at])) {
      sign += 1;
      at += 1;
    } else if (retry !== undefined) {
      retry = { sign: retry.sign, at: retry.at + 1 };
      [sign, at] = [retry.sign + 1, retry.at];
    } else return false;
  }
  return pattern.slice(sign).every(({ kind }) => kind === 'any');
}
