import { mergeApplied } from '../../apply/merge.ts';
import { isGranular, listParts } from '../../apply/shape.ts';
import { nameOfMemberElement } from '../../apply/field-path.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { celToJson } from '../../schema/cel/from-cel.ts';
import { isObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { withObjectMetadata } from '../../schema/resource-schema.ts';
import type { ValueSchema } from '../../schema/structural.ts';
import type { PolicyMutation } from './mutating-objects.ts';

/** What a mutation makes of an object. */
export type MutationOutcome =
  | { readonly kind: 'mutated'; readonly value: JsonObject }
  | { readonly kind: 'failed'; readonly error: string };

/** Applies what the expression of a mutation has come to. */
export function applyMutation(
  { patchType }: PolicyMutation,
  result: unknown,
  { object, schema }: { readonly object: JsonObject; readonly schema: ValueSchema | undefined },
): MutationOutcome {
  const patch = celToJson(result);
  return patchType === 'JSONPatch' ? applyJsonOperations(object, patch) : mergeConfiguration(object, schema, patch);
}

function applyJsonOperations(object: JsonObject, patch: JsonValue | undefined): MutationOutcome {
  if (!Array.isArray(patch))
    return { kind: 'failed', error: 'type mismatch: JSONPatchType.expression must be a list of JSONPatch' };
  const outcome = applyJsonPatch(object, patch);
  if (outcome.kind !== 'patched') return { kind: 'failed', error: `JSON Patch: ${outcome.message}` };
  return isObject(outcome.value)
    ? { kind: 'mutated', value: outcome.value }
    : { kind: 'failed', error: 'JSON Patch: the result is no object' };
}

/** Merges as an apply does, without owners of fields. Lists and maps that are atomic cannot be merged. */
function mergeConfiguration(
  object: JsonObject,
  schema: ValueSchema | undefined,
  configuration: JsonValue | undefined,
): MutationOutcome {
  if (!isObject(configuration)) return { kind: 'failed', error: 'must evaluate to Object' };
  const ofObject = schema && withObjectMetadata(schema);
  const atomic = findAtomicPart(ofObject, configuration, '');
  if (atomic !== undefined) {
    const error = `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic}`;
    return { kind: 'failed', error };
  }
  const merged = mergeApplied(ofObject, object, configuration);
  return isObject(merged) ? { kind: 'mutated', value: merged } : { kind: 'failed', error: 'must evaluate to Object' };
}

/** The path of the first list or map in a configuration that has no owners of its parts. */
function findAtomicPart(schema: ValueSchema | undefined, value: JsonValue, path: string): string | undefined {
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  if (!isGranular(schema, value)) return path;
  for (const { element, schema: inner, value: part } of listParts(schema, value)) {
    const step = Array.isArray(value) ? '' : `.${nameOfMemberElement(element)}`;
    const found = findAtomicPart(inner, part, `${path}${step}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
