import { badRequestError } from '../http/status-error.ts';

/** One comparison of a field with a text. */
type FieldTerm = { readonly path: string; readonly operator: '=' | '!='; readonly value: string };

export type FieldSelector = readonly FieldTerm[];

/** Parses the `fieldSelector` of a request: `spec.nodeName=n1,status.phase!=Failed`. Throws a 400 on bad syntax. */
export const parseFieldSelectorQuery = (text: string): FieldSelector =>
  splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => fieldTerm(term, text));

/** Commas and equal signs in values may be escaped with a backslash. */
const splitTerms = (text: string): readonly string[] => text.match(/(\\.|[^,\\])+/g) ?? [];

function fieldTerm(term: string, selector: string): FieldTerm {
  const match = /^((?:\\.|[^=!\\])*?)(!=|==|=)((?:\\.|[^\\])*)$/s.exec(term);
  if (match === null) throw badRequestError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, path = '', operator, value = ''] = match;
  return { path, operator: operator === '!=' ? '!=' : '=', value: value.replaceAll(/\\(.)/g, '$1') };
}

/** Whether all terms match. `read` returns a field of the object as text. */
export const selectsFields = (selector: FieldSelector, read: (field: string) => string): boolean =>
  selector.every(({ path, operator, value }) => (read(path) === value) === (operator === '='));
