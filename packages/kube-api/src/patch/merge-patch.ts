import { writeOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, member } from '../schema/json.ts';
import { badPatch, type PatchOutcome, patched } from './outcome.ts';

/** JSON merge patch for an API object; a patch that is no object is refused. @see RFC 7386 */
export function mergePatch(doc: Json, patch: Json): PatchOutcome {
  if (!isObject(patch)) return badPatch(`error decoding patch: ${unmarshalError(patch)}`);
  return patched(merged(doc, patch));
}

function merged(doc: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(doc) ? { ...doc } : {};
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else writeOwn(result, key, merged(member(doc, key), change));
  }
  return result;
}

/** How Go's JSON decoder complains about a value where an object belongs. */
export const unmarshalError = (value: Json, into = 'map[string]interface {}'): string =>
  `json: cannot unmarshal ${goKind(value)} into Go value of type ${into}`;

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
