import { ValueError } from './value-error.ts';

/** One comparison of a field with a text: `spec.nodeName=node-a`. */
export type FieldTerm = { readonly path: string; readonly operator: '=' | '!='; readonly value: string };

/**
 * Reads `a.b=c,d!=e`. In values `\,`, `\=` and `\\` stand for themselves. An empty text has no terms.
 * Whether a kind can be selected by a path is for the server to say.
 * @throws ValueError
 */
export function parseFieldSelector(text: string): readonly FieldTerm[] {
  return splitUnescaped(text)
    .filter((term) => term !== '')
    .map(parseTerm);
}

function splitUnescaped(text: string): readonly string[] {
  return [...text.matchAll(/((?:\\.|[^\\,])*)(?:,|$)/gs)].map(([, term = '']) => term);
}

function parseTerm(term: string): FieldTerm {
  const match = /^((?:\\.|[^\\=!])*)(!=|==|=)((?:\\.|[^\\=])*)$/s.exec(term);
  if (match === null) throw new ValueError(term, 'a field selector such as metadata.name=web or spec.nodeName!=a');
  return { path: match[1] ?? '', operator: match[2] === '!=' ? '!=' : '=', value: unescapeFieldValue(match[3] ?? '') };
}

function unescapeFieldValue(value: string): string {
  const bad = /\\(?![,=\\])/.exec(value);
  if (bad !== null) throw new ValueError(value, String.raw`a field value: a backslash goes before \ , or = only`);
  return value.replace(/\\([,=\\])/g, '$1');
}
