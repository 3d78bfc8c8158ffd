import { readOwn, writeOwn } from '@nodewright/apis';

/** A value as JSON carries it. Numbers are JavaScript numbers. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own member of an object; undefined when `value` is not an object or lacks the member. */
export const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isObject(value) ? readOwn(value, key) : undefined;

/** Follows member names from `value` down; undefined where the path ends early. */
export const valueAtPath = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((inner, key) => memberOf(inner, key), value);

/** The text at a path; empty where there is none. */
export function jsonTextAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = valueAtPath(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** A value that is known to be JSON, such as a part of a typed object. */
export const asJsonValue = (value: unknown): JsonValue | undefined => value as JsonValue | undefined;

/** Deep equality in which the order of members does not matter and absent is not null. */
export function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualJson(memberOf(a, key), readOwn(b, key)))
  );
}

export function cloneJson<T extends JsonValue>(value: T): T;
export function cloneJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => cloneJson(item));
  if (isObject(value)) return mapMembers(value, (inner) => cloneJson(inner));
  return value;
}

/** The object itself when no member changes, otherwise a copy; a member mapped to undefined is left out. */
export function mappedMembers(
  value: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  let copy: JsonObject | undefined;
  const keys = Object.keys(value);
  let index = 0;
  for (const key of keys) {
    const inner = readOwn(value, key) as JsonValue;
    const changed = change(inner, key);
    if (changed !== inner) copy ??= firstMembers(value, keys, index);
    if (copy !== undefined && changed !== undefined) writeOwn(copy, key, changed);
    index += 1;
  }
  return copy ?? value;
}

function firstMembers(value: JsonObject, keys: readonly string[], count: number): JsonObject {
  const first: JsonObject = {};
  for (const key of keys.slice(0, count)) writeOwn(first, key, readOwn(value, key) as JsonValue);
  return first;
}

/** The list itself when no item changes, otherwise a copy. */
export function mappedItems(list: JsonValue[], change: (item: JsonValue, index: number) => JsonValue): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = change(item, index);
    if (changed !== item) (copy ??= [...list])[index] = changed;
  }
  return copy ?? list;
}

/** A copy with each member replaced; a member mapped to undefined is left out. */
export function mapMembers(
  value: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const changed = change(inner, key);
    if (changed !== undefined) entries.push([key, changed]);
  }
  return Object.fromEntries(entries);
}
