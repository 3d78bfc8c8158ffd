/** One alternative of an `Accept` header: a media type and its parameters. */
export type MediaRange = { readonly type: string; readonly parameters: Readonly<Record<string, string>> };

/** The alternatives in the client's order of preference. An absent header accepts anything. */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  const ranges = (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return ranges.length === 0 ? [{ type: '*/*', parameters: {} }] : ranges.map(parseRange);
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  return { type: type.toLowerCase(), parameters: Object.fromEntries(parameters.map(parseParameter)) };
}

function parseParameter(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name.trim(), value.trim()];
}
