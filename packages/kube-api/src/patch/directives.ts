import { isObject, type JsonValue, memberOf } from '../schema/json.ts';

export const deletionPrefix = '$deleteFromPrimitiveList/';
export const orderPrefix = '$setElementOrder/';

/** Whether a member of a strategic merge patch is a directive and not content. */
export const isDirective = (key: string): boolean =>
  key === '$patch' || key === '$retainKeys' || key.startsWith(deletionPrefix) || key.startsWith(orderPrefix);

/** The patch's value without directives, nulls and items to delete, for a place with no value to merge with. */
export function dropDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => memberOf(item, '$patch') === undefined).map(dropDirectives);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isDirective(key) && inner !== null)
      .map(([key, inner]): [string, JsonValue] => [key, dropDirectives(inner)]),
  );
}
