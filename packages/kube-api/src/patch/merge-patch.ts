import { writeOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, memberOf } from '../schema/json.ts';
import { badPatchOutcome, type PatchOutcome, patchedOutcome } from './outcome.ts';

/**
 * Applies a JSON merge patch to an API object. A patch that is not an object is refused.
 * @see RFC 7386
 */
export function applyMergePatch(doc: Json, patch: Json): PatchOutcome {
  if (!isObject(patch)) return badPatchOutcome(`error decoding patch: ${unmarshalError(patch)}`);
  return patchedOutcome(mergeValue(doc, patch));
}

function mergeValue(doc: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(doc) ? { ...doc } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else writeOwn(result, key, mergeValue(memberOf(doc, key), change));
  }
  return result;
}

/** The error of Go's JSON decoder for a value that is not an object. */
export const unmarshalError = (value: Json, into = 'map[string]interface {}'): string =>
  `json: cannot unmarshal ${goValueKind(value)} into Go value of type ${into}`;

function goValueKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
