import { ObjectNotes, readOwn, writeOwn } from '@nodewright/apis';
import { badRequestError } from '../http/status-error.ts';
import { mostNestedValues } from '../schema/depth.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import { asApiError } from './refusal.ts';

/**
 * A caller's value as JSON would carry it: members that are undefined are left out. The store freezes what it keeps, so it
 * must not keep the caller's own objects: they are copied. Parts that are frozen with all that they hold stay the same
 * objects, as those of a pod template that came from the store: thousands of pods share them.
 * @throws ApiError 400 when the value is nested too deep
 */
export const plainObject = (value: object): JsonObject => plainMembers(value as PlainMembers, 0);

export const plainValue = (value: unknown): JsonValue => plain(value, 0) ?? null;

type PlainMembers = Readonly<Record<string, unknown>>;

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
  if (Object.isFrozen(value) && depth + frozenHeight(value, depth) <= mostNestedValues) return value as JsonValue;
  if (Array.isArray(value)) return value.map((item: unknown) => plain(item, depth) ?? null);
  if (value instanceof Date) return value.toISOString();
  return plainMembers(value as PlainMembers, depth);
}

function plainMembers(value: PlainMembers, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) {
    const inner = plain(readOwn(value, name), depth);
    if (inner !== undefined) writeOwn(copy, name, inner);
  }
  return copy;
}

const heights = new ObjectNotes<object, number>();

/** How many values are nested in a value that is frozen with all that it holds; infinite for what has to be copied. */
function frozenHeight(value: object, depth: number): number {
  const known = heights.of(value);
  if (known !== undefined) return known;
  if (depth > mostNestedValues || !Object.isFrozen(value) || !isPlainContainer(value)) return Infinity;
  let height = 0;
  for (const inner of Object.values(value)) height = Math.max(height, heightOfInner(inner, depth));
  heights.write(value, height);
  return height;
}

const heightOfInner = (inner: unknown, depth: number): number =>
  typeof inner === 'object' && inner !== null
    ? 1 + frozenHeight(inner, depth + 1)
    : isPlainScalar(inner)
      ? 0
      : Infinity;

const isPlainScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Not an instance of a class, and not a list with holes. */
function isPlainContainer(value: object): boolean {
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
