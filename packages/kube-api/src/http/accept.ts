/** One alternative of an `Accept` header: a media type and its parameters. */
export type MediaRange = { readonly type: string; readonly parameters: Readonly<Record<string, string>> };

/**
 * The alternatives in the client's order of preference: by `q`, then exact types before wildcards, then as they are
 * written. An absent header accepts anything.
 */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  const ranges = (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return ranges.length === 0 ? [{ type: '*/*', parameters: {} }] : ranges.map(parseRange).toSorted(preferredFirst);
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  return { type: type.toLowerCase(), parameters: Object.fromEntries(parameters.map(parseParameter)) };
}

function parseParameter(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name.trim(), value.trim()];
}

const preferredFirst = (a: MediaRange, b: MediaRange): number =>
  qualityOf(b) - qualityOf(a) || countWildcards(a) - countWildcards(b);

/** 1 where it is absent, or no number. */
function qualityOf({ parameters: { q } }: MediaRange): number {
  const quality = Number(q ?? 1);
  return Number.isNaN(quality) ? 1 : quality;
}

const countWildcards = ({ type }: MediaRange): number => type.split('/').filter((part) => part === '*').length;
