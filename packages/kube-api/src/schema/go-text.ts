import { byText, readOwn } from '@nodewright/apis';
import { isObject, type JsonValue } from './json.ts';

/** Prints a value as Go's `%v` does, for error messages: `map[image:x]`, `[a b]`, `<nil>`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .toSorted(byText)
    .map((key) => `${key}:${goText(readOwn(value, key) ?? null)}`);
  return `map[${members.join(' ')}]`;
}
