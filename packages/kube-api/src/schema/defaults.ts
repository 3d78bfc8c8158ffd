import { oncePerObject } from '@nodewright/apis';
import { cloneJson, isObject, type JsonValue, type JsonObject, mappedItems, mappedMembers } from './json.ts';
import { memberSchema, type ValueSchema } from './structural.ts';

/**
 * Fills in the defaults of a schema. The outer value comes first, so that a default receives the defaults of its own
 * members. A null counts as absent where the schema has a default and does not allow null.
 */
export function applyDefaults(schema: ValueSchema, value: JsonValue): JsonValue {
  if (!hasDefaults(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mappedItems(value, (item) => applyDefaults(items, replaceNull(items, item)));
  }
  return isObject(value) ? withMemberDefaults(schema, value) : value;
}

/** Whether something inside a value of this schema has a default. Most of a status has none. */
const hasDefaults = oncePerObject((schema: ValueSchema): boolean => reachesDefault(schema, new Set()));

/** @param seen schemas that were looked at: the schema of a CRD refers to itself */
function reachesDefault(schema: ValueSchema, seen: Set<ValueSchema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { properties, items, additionalProperties } = schema;
  return [...Object.values(properties ?? {}), items, additionalProperties].some(
    (inner) => typeof inner === 'object' && (inner.default !== undefined || reachesDefault(inner, seen)),
  );
}

function withMemberDefaults(schema: ValueSchema, value: JsonObject): JsonValue {
  const present = mappedMembers(value, (inner, key) => memberDefaults(schema, key, inner));
  const absent = listDefaults(schema).filter(([key]) => !Object.hasOwn(value, key));
  if (absent.length === 0) return present;
  const filled = absent.map(([key, fallback]) => [key, memberDefaults(schema, key, cloneJson(fallback))] as const);
  return { ...present, ...Object.fromEntries(filled) };
}

/** The members with a default. Schemas have many members and few defaults, so the list is computed once. */
const listDefaults = oncePerObject((schema: ValueSchema): readonly (readonly [string, JsonValue])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, inner]): [string, JsonValue][] =>
    inner.default === undefined ? [] : [[key, inner.default]],
  ),
);

function memberDefaults(schema: ValueSchema, key: string, value: JsonValue): JsonValue {
  const inner = memberSchema(schema, key);
  return inner === undefined ? value : applyDefaults(inner, replaceNull(inner, value));
}

const replaceNull = (schema: ValueSchema, value: JsonValue): JsonValue =>
  value === null && schema.nullable !== true && schema.default !== undefined ? cloneJson(schema.default) : value;

/**
 * Drops the null members that a schema does not allow, as an API server does before it validates; inside
 * free-form values nulls stay.
 */
export function dropNulls(schema: ValueSchema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mappedItems(value, (item) => dropNulls(items, item));
  }
  if (!isObject(value)) return value;
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    if (known === undefined) return inner;
    return inner === null && known.nullable !== true ? undefined : dropNulls(known, inner);
  });
}
