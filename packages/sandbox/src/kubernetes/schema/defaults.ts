import { clone, isObject, type Json, type JsonObject, member } from './json.ts';
import { memberSchema, type StructuralSchema } from './structural.ts';

/**
 * Fills in the defaults of a schema: of the outer value first, then inside what is there, so that a default
 * can receive the defaults of its own members. A null counts as absent where the schema has a default and
 * does not allow null.
 */
export function applyDefaults(schema: StructuralSchema, value: Json): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => applyDefaults(items, replaceNull(items, item)));
  }
  return isObject(value) ? withMemberDefaults(schema, value) : value;
}

function withMemberDefaults(schema: StructuralSchema, value: JsonObject): Json {
  const filled = { ...value, ...missing(schema, value) };
  return Object.fromEntries(Object.entries(filled).map(([key, inner]) => [key, memberDefaults(schema, key, inner)]));
}

const missing = (schema: StructuralSchema, value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([key, inner]): [string, Json][] =>
      inner.default !== undefined && member(value, key) === undefined ? [[key, clone(inner.default)]] : [],
    ),
  );

function memberDefaults(schema: StructuralSchema, key: string, value: Json): Json {
  const inner = memberSchema(schema, key);
  return inner === undefined ? value : applyDefaults(inner, replaceNull(inner, value));
}

const replaceNull = (schema: StructuralSchema, value: Json): Json =>
  value === null && schema.nullable !== true && schema.default !== undefined ? clone(schema.default) : value;

/**
 * Drops the null members that a schema does not allow, as an API server does before it validates; inside
 * free-form values nulls stay.
 */
export function dropNulls(schema: StructuralSchema, value: Json): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => dropNulls(items, item));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
      const known = memberSchema(schema, key);
      if (known === undefined) return [[key, inner]];
      return inner === null && known.nullable !== true ? [] : [[key, dropNulls(known, inner)]];
    }),
  );
}
