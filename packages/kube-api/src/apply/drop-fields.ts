import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { type FieldPath, itemElement, memberElement } from './field-path.ts';
import type { FieldSet } from './field-set.ts';
import { isGranular } from './shape.ts';

/**
 * Drops the fields that a manager applied before and no longer applies, unless another manager owns them. An object or
 * list that becomes empty goes too when no manager owns anything in it.
 */
export function dropFields(
  schema: ValueSchema,
  value: JsonObject,
  fields: { given: FieldSet; owned: FieldSet },
): JsonObject {
  const left = dropInside(schema, value, { ...fields, path: [] });
  return isObject(left) ? left : {};
}

type Drop = { readonly given: FieldSet; readonly owned: FieldSet; readonly path: FieldPath };

/** The remaining value; undefined when nothing remains. */
function dropInside(schema: ValueSchema | undefined, value: JsonValue, drop: Drop): JsonValue | undefined {
  const { given, owned, path } = drop;
  const isGiven = path.length > 0 && given.has(path) && !owned.reaches(path);
  if (!isGranular(schema, value)) return isGiven ? undefined : value;
  if (!given.reaches(path) && path.length > 0) return value;
  const left = Array.isArray(value) ? itemsLeft(schema ?? {}, value, drop) : membersLeft(schema, value, drop);
  if (path.length === 0 || owned.reaches(path)) return left;
  return countElements(left) === 0 || (isGiven && isItemPath(path)) ? undefined : left;
}

const isItemPath = (path: FieldPath): boolean => path.at(-1)?.startsWith('f:') === false;

const countElements = (value: JsonValue): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 1;

const itemsLeft = (schema: ValueSchema, list: JsonValue[], drop: Drop): JsonValue[] =>
  list.flatMap((item) => {
    const left = dropInside(schema.items, item, { ...drop, path: [...drop.path, itemElement(schema, item)] });
    return left === undefined ? [] : [left];
  });

function membersLeft(schema: ValueSchema | undefined, value: JsonValue, drop: Drop): JsonObject {
  const entries = Object.entries(isObject(value) ? value : {}).flatMap(([key, inner]): [string, JsonValue][] => {
    const left = dropInside(memberSchema(schema, key), inner, { ...drop, path: [...drop.path, memberElement(key)] });
    return left === undefined ? [] : [[key, left]];
  });
  return Object.fromEntries(entries);
}
