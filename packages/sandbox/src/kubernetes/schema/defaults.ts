import { clone, isObject, type Json, type JsonObject } from './json.ts';
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
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) result[key] = memberDefaults(schema, key, inner);
  for (const [key, fallback] of defaultsOf(schema)) {
    if (!Object.hasOwn(value, key)) result[key] = memberDefaults(schema, key, clone(fallback));
  }
  return result;
}

/** Schemas have many members and few defaults, so these are looked up once. */
const knownDefaults = new WeakMap<StructuralSchema, readonly (readonly [string, Json])[]>();

function defaultsOf(schema: StructuralSchema): readonly (readonly [string, Json])[] {
  const known = knownDefaults.get(schema);
  if (known !== undefined) return known;
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([key, inner]): [string, Json][] =>
    inner.default === undefined ? [] : [[key, inner.default]],
  );
  knownDefaults.set(schema, defaults);
  return defaults;
}

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
