import { toTimestamp, instant } from '@nodewright/apis';
import type { JsonValue } from '../json.ts';

/** Converts a value that an expression has made to JSON; `undefined` for one that JSON does not have, such as a type. */
export function celToJson(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return toTimestamp(instant(value.getTime()));
  if (Array.isArray(value)) return allOrNone(value.map(celToJson));
  if (value instanceof Map) return membersToJson([...value]);
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? membersToJson(Object.entries(value))
    : undefined;
}

function membersToJson(members: readonly (readonly [unknown, unknown])[]): JsonValue | undefined {
  const values = allOrNone(members.map(([, value]) => celToJson(value)));
  return values && Object.fromEntries(members.map(([key], index) => [String(key), values[index] ?? null]));
}

const allOrNone = (values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined =>
  values.some((value) => value === undefined) ? undefined : values.filter((value) => value !== undefined);
