import type { Cause } from '../schema/cause.ts';
import type { JsonObject } from '../schema/json.ts';
import type { GroupVersionKind } from './definitions.ts';

export type BuiltinRequest = {
  readonly type: GroupVersionKind;
  /** After defaulting. */
  readonly object: JsonObject;
  /** The stored object of an update. */
  readonly old?: JsonObject;
  readonly subresource?: string;
};

/** What the API server's hand-written checks of a built-in kind say. */
export function validateBuiltin(_request: BuiltinRequest): Cause[] {
  return [];
}
