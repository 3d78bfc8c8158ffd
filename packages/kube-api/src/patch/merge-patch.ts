import { writeOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { badPatchOutcome, type PatchOutcome, patchedOutcome } from './outcome.ts';

/**
 * Applies a JSON merge patch to an API object. A patch that is not an object is refused.
 * @see RFC 7386
 */
export function applyMergePatch(doc: JsonValue, patch: JsonValue): PatchOutcome {
  if (!isObject(patch)) return badPatchOutcome(`error decoding patch: ${unmarshalError(patch)}`);
  return patchedOutcome(mergeValue(doc, patch));
}

function mergeValue(doc: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(doc) ? { ...doc } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else writeOwn(result, key, mergeValue(memberOf(doc, key), change));
  }
  return result;
}

/** The error of Go's JSON decoder for a value that is not an object. */
export const unmarshalError = (value: JsonValue, into = 'map[string]interface {}'): string =>
  `json: cannot unmarshal ${goValueKind(value)} into Go value of type ${into}`;

function goValueKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
