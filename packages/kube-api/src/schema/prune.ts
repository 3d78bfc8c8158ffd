import { resourceSchema } from './resource-schema.ts';
import { isObject, type Json, type JsonObject, mappedItems, mappedMembers } from './json.ts';
import { memberSchema, type StructuralSchema } from './structural.ts';

/** What is left of a value, and the paths of what the schema does not know, in the order met. */
export type Pruned = { readonly value: Json; readonly unknown: readonly string[] };

/**
 * Drops the members that a schema does not specify, as an API server does before it stores.
 * @returns `unknown` holds field paths such as `spec.a`, `spec.items[0].b`, for warnings and for strict validation
 */
export function prune(schema: StructuralSchema, value: Json): Pruned {
  const unknown: string[] = [];
  return { value: pruned(resourceSchema(schema), value, { step: '', unknown }), unknown };
}

/** Where a value is: a step inside of another place. Most are fine, so that nobody asks for the path. */
type Place = { readonly step: string; readonly around?: Place; readonly unknown: string[] };

const pathOf = ({ step, around }: Place): string => (around === undefined ? '' : pathOf(around)) + step;

function pruned(schema: StructuralSchema, value: Json, place: Place): Json {
  if (Array.isArray(value)) return prunedItems(schema, value, place);
  if (!isObject(value)) return value;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  return prunedMembers(isResource ? resourceSchema(schema) : schema, value, place);
}

function prunedItems(schema: StructuralSchema, value: Json[], place: Place): Json {
  const { items } = schema;
  if (items === undefined) return value;
  const { unknown } = place;
  return mappedItems(value, (item, index) => pruned(items, item, { step: `[${index}]`, around: place, unknown }));
}

function prunedMembers(schema: StructuralSchema, value: JsonObject, place: Place): Json {
  const { unknown } = place;
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    const inside = { step: place.around === undefined ? key : `.${key}`, around: place, unknown };
    if (known !== undefined) return typeof inner === 'object' ? pruned(known, inner, inside) : inner;
    if (keepsUnknown(schema)) return inner;
    unknown.push(pathOf(inside));
    return undefined;
  });
}

/** A free-form object: said so outright, or an `object` of a built-in kind about which nothing is said. */
const keepsUnknown = (schema: StructuralSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
