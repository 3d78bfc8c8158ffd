import { isObject, type Json, memberOf } from '../schema/json.ts';

export const deletionPrefix = '$deleteFromPrimitiveList/';
export const orderPrefix = '$setElementOrder/';

/** Members of a strategic merge patch that are instructions and not content. */
export const isDirective = (key: string): boolean =>
  key === '$patch' || key === '$retainKeys' || key.startsWith(deletionPrefix) || key.startsWith(orderPrefix);

/** A patch's value where there was nothing to merge it with: no directives, no nulls, no items to delete. */
export function dropDirectives(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => memberOf(item, '$patch') === undefined).map(dropDirectives);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isDirective(key) && inner !== null)
      .map(([key, inner]): [string, Json] => [key, dropDirectives(inner)]),
  );
}
