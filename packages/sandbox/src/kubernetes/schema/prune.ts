import { resourceSchema } from '../builtin/resource-schema.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { memberSchema, type StructuralSchema } from './structural.ts';

/** What is left of a value, and the paths of what the schema does not know, in the order met. */
export type Pruned = { readonly value: Json; readonly unknown: readonly string[] };

/**
 * Drops the members that a schema does not specify, as an API server does before it stores.
 * @returns `unknown` holds field paths such as `spec.a`, `spec.items[0].b`, for warnings and for strict validation
 */
export function prune(schema: StructuralSchema, value: Json): Pruned {
  const unknown: string[] = [];
  return { value: pruned(resourceSchema(schema), value, { path: '', unknown }), unknown };
}

type Place = { readonly path: string; readonly unknown: string[] };

function pruned(schema: StructuralSchema, value: Json, place: Place): Json {
  if (Array.isArray(value)) return prunedItems(schema, value, place);
  if (!isObject(value)) return value;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  return prunedMembers(isResource ? resourceSchema(schema) : schema, value, place);
}

function prunedItems(schema: StructuralSchema, value: Json[], place: Place): Json {
  const { items } = schema;
  if (items === undefined) return value;
  return value.map((item, index) => pruned(items, item, { ...place, path: `${place.path}[${index}]` }));
}

function prunedMembers(schema: StructuralSchema, value: JsonObject, place: Place): Json {
  const kept: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const known = memberSchema(schema, key);
    if (known !== undefined) kept[key] = pruned(known, inner, { ...place, path });
    else if (keepsUnknown(schema)) kept[key] = inner;
    else place.unknown.push(path);
  }
  return kept;
}

/** A free-form object: said so outright, or an `object` of a built-in kind about which nothing is said. */
const keepsUnknown = (schema: StructuralSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
