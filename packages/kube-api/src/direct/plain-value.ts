import { readOwn, writeOwn } from '@nodewright/apis';
import { badRequestError } from '../http/status-error.ts';
import { mostNestedValues } from '../schema/depth.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import { asApiError } from './refusal.ts';

/**
 * A copy of a caller's value as JSON would carry it: members that are undefined are left out. The store freezes what it
 * keeps, so it must not keep the caller's own objects.
 * @throws ApiError 400 when the value is nested too deep
 */
export const plainObject = (value: object): JsonObject => plainMembers(value as Members, 0);

export const plainValue = (value: unknown): JsonValue => plain(value, 0) ?? null;

type Members = Readonly<Record<string, unknown>>;

function plain(value: unknown, depth: number): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : plainInner(value, depth + 1);
    default:
      return undefined;
  }
}

function plainInner(value: object, depth: number): JsonValue | undefined {
  if (depth > mostNestedValues) throw asApiError(badRequestError('exceeded max depth'));
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, depth) ?? null);
  if (value instanceof Date) return value.toISOString();
  return plainMembers(value as Members, depth);
}

function plainMembers(value: Members, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) {
    const inner = plain(readOwn(value, name), depth);
    if (inner !== undefined) writeOwn(copy, name, inner);
  }
  return copy;
}
