import { isEqualJson, isObject, type JsonValue, memberOf } from '../json.ts';
import type { ValueSchema } from '../structural.ts';

/** The stored member in the same place; members of an atomic map have none. */
export const storedMember = (schema: ValueSchema, old: JsonValue | undefined, key: string): JsonValue | undefined =>
  schema['x-kubernetes-map-type'] === 'atomic' ? undefined : memberOf(old, key);

/** The stored item with the same keys. Items of other lists have no identity and so no stored item. */
export function storedItem(schema: ValueSchema, old: JsonValue | undefined, item: JsonValue): JsonValue | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old) || !isObject(item)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return old.find((candidate) => keys.every((key) => isEqualJson(memberOf(candidate, key), memberOf(item, key))));
}
