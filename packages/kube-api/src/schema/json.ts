import { readOwn, writeOwn } from '@nodewright/apis';

/** A value as JSON carries it. Numbers are JavaScript numbers. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object, never something inherited; undefined when `value` is no object or lacks it. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) ? readOwn(value, key) : undefined;

/** Follows member names from `value` down; undefined where the path ends early. */
export const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => member(inner, key), value);

/** The text at a path; empty where there is none. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Deep equality in which the order of members does not matter and absent is not null. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(member(a, key), readOwn(b, key)))
  );
}

export function clone<T extends Json>(value: T): T;
export function clone(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => clone(item));
  if (isObject(value)) return mapMembers(value, (inner) => clone(inner));
  return value;
}

/** The object itself when no member changes, otherwise a copy; a member mapped to undefined is left out. */
export function mappedMembers(value: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject {
  let copy: JsonObject | undefined;
  const keys = Object.keys(value);
  let index = 0;
  for (const key of keys) {
    const inner = readOwn(value, key) as Json;
    const changed = change(inner, key);
    if (changed !== inner) copy ??= firstMembers(value, keys, index);
    if (copy !== undefined && changed !== undefined) writeOwn(copy, key, changed);
    index += 1;
  }
  return copy ?? value;
}

function firstMembers(value: JsonObject, keys: readonly string[], count: number): JsonObject {
  const first: JsonObject = {};
  for (const key of keys.slice(0, count)) writeOwn(first, key, readOwn(value, key) as Json);
  return first;
}

/** The list itself when no item changes, otherwise a copy. */
export function mappedItems(list: Json[], change: (item: Json, index: number) => Json): Json[] {
  let copy: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = change(item, index);
    if (changed !== item) (copy ??= [...list])[index] = changed;
  }
  return copy ?? list;
}

/** A copy with each member replaced; a member mapped to undefined is left out. */
export function mapMembers(value: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject {
  const entries: [string, Json][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const changed = change(inner, key);
    if (changed !== undefined) entries.push([key, changed]);
  }
  return Object.fromEntries(entries);
}
