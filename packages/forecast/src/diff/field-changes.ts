import { byText } from '@nodewright/apis';

/** One field that a change sets, adds or takes away; a value that is not there is absent. */
export type FieldChange = { readonly path: string; readonly before?: unknown; readonly after?: unknown };

/** The innermost fields that differ, by path. Lists of different lengths differ as a whole. */
export function listFieldChanges(before: unknown, after: unknown, path: string): readonly FieldChange[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each: unknown, at) => listFieldChanges(each, after[at], `${path}[${at}]`));
  }
  if (isFields(before) && isFields(after)) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    const names = [...new Set([...old.keys(), ...now.keys()])].toSorted(byText);
    return names.flatMap((name) => listFieldChanges(old.get(name), now.get(name), memberPath(path, name)));
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberPath = (path: string, name: string): string =>
  /^[A-Za-z][A-Za-z0-9]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
