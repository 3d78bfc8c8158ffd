import type { JsonObject } from '../schema/json.ts';
import type { GroupVersionKind } from './definitions.ts';

/** Fills in what the API server fills in for a built-in kind and its OpenAPI document does not tell. */
export function defaultBuiltin(_type: GroupVersionKind, object: JsonObject): JsonObject {
  return object;
}
