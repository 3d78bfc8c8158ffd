import { isObject, type JsonValue } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { itemElement, memberElement, type PathElement } from './field-path.ts';

/** A part of a value that can have its own owner. */
export type ValuePart = {
  readonly element: PathElement;
  readonly schema: ValueSchema | undefined;
  readonly value: JsonValue;
};

/** Whether each part of a value has its own owner: members of an object, or items of a list with an identity. */
export function isGranular(schema: ValueSchema | undefined, value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return hasItemIdentity(schema);
  return isObject(value) && schema?.['x-kubernetes-map-type'] !== 'atomic';
}

const hasItemIdentity = (schema: ValueSchema | undefined): boolean =>
  schema?.['x-kubernetes-list-type'] === 'map' || schema?.['x-kubernetes-list-type'] === 'set';

/** The parts of a granular value, in its order; none for anything else. */
export function listParts(schema: ValueSchema | undefined, value: JsonValue | undefined): ValuePart[] {
  if (!isGranular(schema, value)) return [];
  if (Array.isArray(value)) {
    const list = schema ?? {};
    return value.map((item) => ({ element: itemElement(list, item), schema: list.items, value: item }));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, inner]) => ({
    element: memberElement(key),
    schema: memberSchema(schema, key),
    value: inner,
  }));
}
