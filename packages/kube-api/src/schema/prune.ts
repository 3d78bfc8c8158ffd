import { withObjectMetadata } from './resource-schema.ts';
import { isObject, type JsonValue, type JsonObject, mappedItems, mappedMembers } from './json.ts';
import { memberSchema, type ValueSchema } from './structural.ts';

/** The pruned value, and the paths of unknown members in the order in which they occur. */
export type Pruned = { readonly value: JsonValue; readonly unknown: readonly string[] };

/**
 * Drops the members that a schema does not declare, as a real server does before it stores an object.
 * @returns `unknown` holds field paths such as `spec.a`, `spec.items[0].b`, for warnings and for strict validation
 */
export function pruneUnknown(schema: ValueSchema, value: JsonValue): Pruned {
  const unknown: string[] = [];
  return { value: pruneValue(withObjectMetadata(schema), value, { step: '', unknown }), unknown };
}

/** The place of a value: a step inside another place. The path is built on demand, because most members are known. */
type PrunedPlace = { readonly step: string; readonly around?: PrunedPlace; readonly unknown: string[] };

const placePath = ({ step, around }: PrunedPlace): string => (around === undefined ? '' : placePath(around)) + step;

function pruneValue(schema: ValueSchema, value: JsonValue, place: PrunedPlace): JsonValue {
  if (Array.isArray(value)) return pruneItems(schema, value, place);
  if (!isObject(value)) return value;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  return pruneMembers(isResource ? withObjectMetadata(schema) : schema, value, place);
}

function pruneItems(schema: ValueSchema, value: JsonValue[], place: PrunedPlace): JsonValue {
  const { items } = schema;
  if (items === undefined) return value;
  const { unknown } = place;
  return mappedItems(value, (item, index) => pruneValue(items, item, { step: `[${index}]`, around: place, unknown }));
}

function pruneMembers(schema: ValueSchema, value: JsonObject, place: PrunedPlace): JsonValue {
  const { unknown } = place;
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    if (known === undefined ? keepsUnknown(schema) : typeof inner !== 'object') return inner;
    const inside = { step: place.around === undefined ? key : `.${key}`, around: place, unknown };
    if (known !== undefined) return pruneValue(known, inner, inside);
    unknown.push(placePath(inside));
    return undefined;
  });
}

/** A free-form object: the schema allows any member. */
const keepsUnknown = (schema: ValueSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
