import { readOwn } from '@nodewright/apis';
import { isObject, type Json } from '../schema/json.ts';

/** A value as Go's `%v` prints it, which is how it stands in some error texts: `map[image:x]`, `[a b]`, `<nil>`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => `${key}:${goText(readOwn(value, key) ?? null)}`);
  return `map[${members.join(' ')}]`;
}
