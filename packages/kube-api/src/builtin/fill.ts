import { isObject, type JsonObject, memberOf } from '../schema/json.ts';

/** Adds absent members. Existing members stay. */
export const fillIn = (object: JsonObject, defaults: JsonObject): JsonObject => ({ ...defaults, ...object });

/** Changes one member that is an object. A member that is absent or of another type stays. */
export function changeMember(object: JsonObject, key: string, change: (inner: JsonObject) => JsonObject): JsonObject {
  const inner = memberOf(object, key);
  return isObject(inner) ? { ...object, [key]: change(inner) } : object;
}

/** Changes every object in one member that is a list. */
export function changeEachItem(object: JsonObject, key: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = memberOf(object, key);
  if (!Array.isArray(list)) return object;
  return { ...object, [key]: list.map((item) => (isObject(item) ? change(item) : item)) };
}
