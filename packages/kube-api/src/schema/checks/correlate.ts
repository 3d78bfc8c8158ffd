import { oncePerPair } from '@nodewright/apis';
import { isObject, type JsonValue, memberOf } from '../json.ts';
import type { ValueSchema } from '../structural.ts';

/** The stored member in the same place; members of an atomic map have none. */
export const storedMember = (schema: ValueSchema, old: JsonValue | undefined, key: string): JsonValue | undefined =>
  schema['x-kubernetes-map-type'] === 'atomic' ? undefined : memberOf(old, key);

/** The stored item with the same keys. Items of other lists have no identity and so no stored item. */
export function storedItem(schema: ValueSchema, old: JsonValue | undefined, item: JsonValue): JsonValue | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old) || !isObject(item)) return undefined;
  return itemsByKeys(schema, old).get(listKeys(schema, item));
}

/** The first item of each combination of keys. Stored lists never change, and an update looks up each of their items. */
const itemsByKeys = oncePerPair(
  (schema: ValueSchema, list: JsonValue[]): ReadonlyMap<string, JsonValue> =>
    new Map(list.toReversed().map((item) => [listKeys(schema, item), item])),
);

const listKeys = (schema: ValueSchema, item: JsonValue): string =>
  JSON.stringify((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => [memberOf(item, key)]));
