import { byText, readOwn } from '@nodewright/apis';
import { isObject, type Json } from './json.ts';

/** A value as Go's `%v` prints it, which is how it stands in some error texts: `map[image:x]`, `[a b]`, `<nil>`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .toSorted(byText)
    .map((key) => `${key}:${goText(readOwn(value, key) ?? null)}`);
  return `map[${members.join(' ')}]`;
}
